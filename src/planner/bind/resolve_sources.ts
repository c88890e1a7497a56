import type { FileRequest } from '../../catalog/file_request.ts';
import type { FileTable } from '../../catalog/file_table.ts';
import { unsupported, userError } from '../../common/error.ts';
import { isArray } from '../../common/literal.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { CommonTable, Expression, FilePath, Identifier, Query, TableFunction, TableName } from '../../sql/ast.ts';
import type { BoundLiteral } from '../logical/expression.ts';
import { noCalls } from './calls.ts';
import type { BindInput, Source, SourceNode, Sources } from './context.ts';
import { Binder } from './context.ts';
import { bindExpression } from './expression.ts';
import { foldConstant } from './fold_constant.ts';
import { tableFunctionName } from './from.ts';
import type { ReadSchemaColumn } from './read_schema.ts';
import { readSchema } from './read_schema.ts';
import { EMPTY_SCOPE } from './scope.ts';
import type { TreeNode } from './walk.ts';
import { childNodes, relocate } from './walk.ts';

/** What the planner asks of the catalog. */
export interface CatalogAccess {
  /** a view or registered files of this name; undefined = neither */
  lookup(name: string): NamedTable | undefined;
  /** opens files: globs, schema, statistics */
  open(request: FileRequest, span: SourceSpan): Promise<FileTable>;
  /** error of a name that is no table */
  notFound(name: string, span: SourceSpan): Error;
}

export type NamedTable =
  | { readonly kind: 'view'; readonly query: Query; readonly columns: readonly Identifier[] }
  | { readonly kind: 'files'; readonly request: FileRequest };

/** Views inside views deeper than this are taken for a circle. */
const MAX_VIEW_DEPTH = 32;

/** Opens everything that a statement reads. Common tables hide names, as in binding. */
export async function resolveSources(
  statement: TreeNode,
  catalog: CatalogAccess,
  input: Omit<BindInput, 'sources'>,
): Promise<Sources> {
  const sources = new Map<SourceNode, Source>();
  const opened = new Map<string, Promise<FileTable>>();
  const open = (request: FileRequest, span: SourceSpan): Promise<FileTable> => {
    const key = JSON.stringify(request);
    const known = opened.get(key) ?? catalog.open(request, span);
    opened.set(key, known);
    return known;
  };
  const visit = async (node: TreeNode, hidden: ReadonlySet<string>, depth: number): Promise<void> => {
    switch (node.kind) {
      case 'query': {
        let names = hidden;
        const { with: tables, recursive } = node as unknown as Query;
        for (const table of tables as readonly CommonTable[]) {
          const outer = names;
          names = new Set([...names, table.name.name.toLowerCase()]);
          await visit(table.query, recursive ? names : outer, depth);
        }
        for (const child of childNodes(node)) {
          if (child.kind !== 'common_table') await visit(child, names, depth);
        }
        return;
      }
      case 'table_name': {
        const ref = node as unknown as TableName;
        const [name, more] = ref.name;
        if (name !== undefined && more === undefined && hidden.has(name.name.toLowerCase())) return;
        const source = await named(ref);
        sources.set(ref, source);
        if (source.kind === 'view') {
          if (depth >= MAX_VIEW_DEPTH) throw userError('catalog', `view "${source.name}" refers to itself`, ref.span);
          await visit(source.query as TreeNode, new Set(), depth + 1);
        }
        return;
      }
      case 'file_path': {
        const ref = node as unknown as FilePath;
        sources.set(ref, plainFiles(await open(pathRequest(ref.path, ref.span), ref.span)));
        return;
      }
      case 'table_function': {
        const ref = node as unknown as TableFunction;
        const request = functionRequest(ref, input);
        if (request !== null) {
          const schema = schemaOf(ref, input);
          const wanted = schema === null ? request : { ...request, unionByName: true };
          sources.set(ref, { kind: 'files', table: await open(wanted, ref.span), schema });
        }
        for (const child of childNodes(node)) await visit(child, hidden, depth);
        return;
      }
      default:
        for (const child of childNodes(node)) await visit(child, hidden, depth);
    }
  };
  const named = async (ref: TableName): Promise<Source> => {
    const last = ref.name[ref.name.length - 1] as Identifier;
    const found = catalog.lookup(last.name);
    if (found?.kind === 'view') {
      return { kind: 'view', name: last.name, query: relocate(found.query, ref.span), columns: found.columns };
    }
    if (found?.kind === 'files') return plainFiles(await open(found.request, ref.span));
    if (ref.name.length === 1 && looksLikePath(last.name)) {
      return plainFiles(await open(pathRequest(last.name, ref.span), ref.span));
    }
    throw catalog.notFound(last.name, ref.span);
  };
  await visit(statement, new Set(), 0);
  return sources;
}

/** `FROM "x.parquet"`. */
const looksLikePath = (name: string): boolean =>
  /[/\\*]|\.(parquet|arrow|arrows|feather|ipc|csv|json)$/i.test(name) || name === '-';

const NO_OPTIONS = {
  hivePartitioning: null,
  unionByName: false,
  filename: null,
  fileRowNumber: false,
  binaryAsString: false,
  bfloat16: [],
} as const;

function pathRequest(path: string, span: SourceSpan): FileRequest {
  refuseOther(path, span);
  return { patterns: [path], format: null, label: `'${path}'`, ...NO_OPTIONS };
}

/** Remote files and formats that are not read yet. */
function refuseOther(path: string, span: SourceSpan): void {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(path)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'file') {
    throw unsupported(`files at ${scheme}://`, span, 'copy the file to this machine and name its path');
  }
  const extension = /\.(csv|tsv|json|jsonl|ndjson)(\.gz|\.zst)?$/i.exec(path)?.[1]?.toLowerCase();
  if (extension !== undefined) {
    throw unsupported(`reading .${extension} files`, span, 'convert it to Parquet or Arrow first');
  }
}

const PARQUET_FUNCTIONS = new Set(['read_parquet', 'parquet_scan']);
const ARROW_FUNCTIONS = new Set(['read_arrow', 'read_ipc', 'arrow_scan']);
const OTHER_READERS =
  /^(read_(csv|csv_auto|json|json_auto|ndjson|ndjson_auto|json_objects|text|blob|xlsx)|sniff_csv|iceberg_scan|delta_scan|sqlite_scan|postgres_scan|glob|parquet_(metadata|schema|file_metadata|kv_metadata))$/;
const BUILT_IN = new Set(['range', 'generate_series', 'unnest', 'explode', 'tpcds']);

/** The files that a table function reads; null for functions that read none. */
function functionRequest(ref: TableFunction, input: Omit<BindInput, 'sources'>): FileRequest | null {
  const name = tableFunctionName(ref);
  if (BUILT_IN.has(name)) return null;
  if (OTHER_READERS.test(name)) {
    const hint = name.startsWith('parquet_')
      ? 'quern inspect FILE shows it'
      : 'convert the data to Parquet or Arrow first';
    throw unsupported(`${name}`, ref.span, hint);
  }
  if (!PARQUET_FUNCTIONS.has(name) && !ARROW_FUNCTIONS.has(name)) {
    throw userError(
      'catalog',
      `table function not found: ${name}`,
      ref.span,
      'there are read_parquet, read_arrow, range, generate_series, unnest',
    );
  }
  const positional = ref.arguments.filter((argument) => argument.name === null);
  const [files, extra] = positional;
  if (files === undefined || extra !== undefined) {
    throw userError('binder', `${name} takes one path or list of paths, and options by name`, ref.span);
  }
  const paths = pathList(constant(files.value, name, input), files.span);
  for (const path of paths) refuseOther(path, files.span);
  const format = PARQUET_FUNCTIONS.has(name) ? 'parquet' : 'arrow';
  let request: FileRequest = { patterns: paths, format, label: labelOf(paths), ...NO_OPTIONS };
  for (const argument of ref.arguments) {
    if (argument.name === null) continue;
    const value = constant(argument.value, name, input);
    request = { ...request, ...optionOf(argument.name, value) };
  }
  return request;
}

const plainFiles = (table: FileTable): Source => ({ kind: 'files', table, schema: null });

/** `schema = …` of read_parquet. */
function schemaOf(ref: TableFunction, input: Omit<BindInput, 'sources'>): ReadSchemaColumn[] | null {
  const argument = ref.arguments.find((given) => given.name?.name.toLowerCase() === 'schema');
  return argument === undefined ? null : readSchema(constant(argument.value, tableFunctionName(ref), input));
}

function labelOf(paths: readonly string[]): string {
  return paths.length === 1 ? `'${paths[0]}'` : `['${paths[0]}', … ${paths.length - 1} more]`;
}

function constant(expression: Expression, name: string, input: Omit<BindInput, 'sources'>): BoundLiteral {
  const binder = new Binder({ ...input, sources: new Map() });
  const context = { binder, commonTables: null, scope: EMPTY_SCOPE, aliases: [], calls: noCalls('FROM') };
  const bound = foldConstant(bindExpression(expression, context));
  if (bound.kind !== 'literal') throw unsupported(`arguments of ${name} that are not constant`, expression.span);
  return bound;
}

function pathList(value: BoundLiteral, span: SourceSpan): string[] {
  if (typeof value.value === 'string') return [value.value];
  if (value.value !== null && isArray(value.value) && value.value.length > 0) {
    return value.value.map((item) => {
      if (typeof item !== 'string') throw userError('type', 'a path is a text', span);
      return item;
    });
  }
  throw userError('type', 'a path or a list of paths is wanted', span);
}

type Options = Partial<Omit<FileRequest, 'patterns' | 'format' | 'label'>>;

/** An option of read_parquet. */
function optionOf(name: Identifier, value: BoundLiteral): Options {
  const boolean = (): boolean => {
    if (typeof value.value === 'boolean') return value.value;
    throw userError('type', `${name.name} is true or false`, value.span);
  };
  switch (name.name.toLowerCase()) {
    case 'hive_partitioning':
      return { hivePartitioning: boolean() };
    case 'union_by_name':
      return { unionByName: boolean() };
    case 'filename':
      if (typeof value.value === 'string') return { filename: value.value };
      return { filename: boolean() ? 'filename' : null };
    case 'file_row_number':
      return { fileRowNumber: boolean() };
    case 'binary_as_string':
      return { binaryAsString: boolean() };
    case 'bfloat16': {
      const names = typeof value.value === 'string' ? [value.value] : value.value;
      if (names === null || !isArray(names as never))
        throw userError('type', "bfloat16 is a list of columns: ['x']", value.span);
      return { bfloat16: (names as readonly unknown[]).map(String) };
    }
    case 'schema':
      return {};
    case 'compression':
    case 'hive_types':
    case 'hive_types_autocast':
    case 'encryption_config':
    case 'explicit_cardinality':
    case 'can_have_nan':
      throw unsupported(`option ${name.name}`, name.span);
    default:
      throw userError(
        'binder',
        `option not found: ${name.name}`,
        name.span,
        'there are hive_partitioning, union_by_name, filename, file_row_number, binary_as_string, bfloat16, schema',
      );
  }
}
