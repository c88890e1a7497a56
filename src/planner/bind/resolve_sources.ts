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

/**
 * Opens everything that a statement reads, all files side by side. Common tables hide names, as in binding. Of several
 * failures the first in the text is thrown.
 */
export async function resolveSources(
  statement: TreeNode,
  catalog: CatalogAccess,
  input: Omit<BindInput, 'sources'>,
): Promise<Sources> {
  const resolver = new Resolver(catalog, input);
  let failure: unknown;
  try {
    resolver.visit(statement, new Set(), []);
  } catch (error) {
    failure = error;
  }
  const sources = await resolver.sources();
  if (failure !== undefined) throw failure;
  return sources;
}

class Resolver {
  readonly #catalog: CatalogAccess;
  readonly #input: Omit<BindInput, 'sources'>;
  readonly #opened = new Map<string, Promise<FileTable>>();
  /** in the order of the text */
  readonly #found: (readonly [SourceNode, Source | Promise<Source>])[] = [];

  constructor(catalog: CatalogAccess, input: Omit<BindInput, 'sources'>) {
    this.#catalog = catalog;
    this.#input = input;
  }

  /** Waits for all, so that no file is being opened any more when one fails. */
  async sources(): Promise<Sources> {
    const outcomes = await Promise.allSettled(this.#found.map(([, source]) => source));
    return new Map(
      outcomes.map((outcome, i) => {
        if (outcome.status === 'rejected') throw outcome.reason;
        return [(this.#found[i] as readonly [SourceNode, unknown])[0], outcome.value];
      }),
    );
  }

  /** `views`: names of the views that hold the node, the outermost first */
  visit(node: TreeNode, hidden: ReadonlySet<string>, views: readonly string[]): void {
    switch (node.kind) {
      case 'query':
        this.#visitQuery(node as unknown as Query & TreeNode, hidden, views);
        return;
      case 'table_name':
        this.#visitName(node as unknown as TableName, hidden, views);
        return;
      case 'file_path': {
        const ref = node as unknown as FilePath;
        this.#found.push([ref, this.#files(pathRequest(ref.path, ref.span), ref.span)]);
        return;
      }
      case 'table_function':
        this.#visitFunction(node as unknown as TableFunction);
        break;
    }
    for (const child of childNodes(node)) this.visit(child, hidden, views);
  }

  #visitQuery(node: Query & TreeNode, hidden: ReadonlySet<string>, views: readonly string[]): void {
    let names = hidden;
    for (const table of node.with as readonly CommonTable[]) {
      const outer = names;
      names = new Set([...names, table.name.name.toLowerCase()]);
      this.visit(table.query, node.recursive ? names : outer, views);
    }
    for (const child of childNodes(node)) {
      if (child.kind !== 'common_table') this.visit(child, names, views);
    }
  }

  #visitName(ref: TableName, hidden: ReadonlySet<string>, views: readonly string[]): void {
    const [name, more] = ref.name;
    if (name !== undefined && more === undefined && hidden.has(name.name.toLowerCase())) return;
    const last = ref.name[ref.name.length - 1] as Identifier;
    const found = this.#catalog.lookup(last.name);
    if (found?.kind === 'view') {
      const folded = last.name.toLowerCase();
      if (views.includes(folded)) throw userError('catalog', `view "${last.name}" refers to itself`, ref.span);
      const query = relocate(found.query, ref.span);
      this.#found.push([ref, { kind: 'view', name: last.name, query, columns: found.columns }]);
      this.visit(query as TreeNode, new Set(), [...views, folded]);
    } else if (found?.kind === 'files') {
      this.#found.push([ref, this.#files(found.request, ref.span)]);
    } else if (ref.name.length === 1 && looksLikePath(last.name)) {
      this.#found.push([ref, this.#files(pathRequest(last.name, ref.span), ref.span)]);
    } else {
      throw this.#catalog.notFound(last.name, ref.span);
    }
  }

  #visitFunction(ref: TableFunction): void {
    const request = functionRequest(ref, this.#input);
    if (request === null) return;
    const schema = schemaOf(ref, this.#input);
    const wanted = schema === null ? request : { ...request, unionByName: true };
    this.#found.push([ref, this.#files(wanted, ref.span, schema)]);
  }

  async #files(request: FileRequest, span: SourceSpan, schema: ReadSchemaColumn[] | null = null): Promise<Source> {
    const key = JSON.stringify(request);
    const opened = this.#opened.get(key) ?? this.#catalog.open(request, span);
    this.#opened.set(key, opened);
    return { kind: 'files', table: await opened, schema };
  }
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
