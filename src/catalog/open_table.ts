import { open } from 'node:fs/promises';
import path from 'node:path';
import { INT64, STRING } from '../common/data_type.ts';
import { QuernError, unsupported, userError } from '../common/error.ts';
import type { SourceSpan } from '../common/source_span.ts';
import type { DescribeOptions, FileSetDescription } from '../engine/index.ts';
import { distinctValues } from './distinct_values.ts';
import type { FileRequest } from './file_request.ts';
import type { FileOptions, FileTable, TableColumn } from './file_table.ts';
import { findFiles, isStandardInput } from './find_files.ts';
import type { HiveKey } from './hive.ts';
import { hiveKeys } from './hive.ts';

/** What the catalog needs of the engine: one schema, rows and bounds of many files. */
export interface FileDescriber {
  describeFiles(paths: readonly string[], options: DescribeOptions): Promise<FileSetDescription>;
}

export interface OpenOptions {
  readonly cwd: string;
  readonly onBadFile: 'error' | 'skip';
}

/** The files of a request, in the order in which their rows come. */
export async function filesOf(
  request: FileRequest,
  options: OpenOptions,
  span: SourceSpan | undefined,
): Promise<string[]> {
  const lists = await Promise.all(request.patterns.map((pattern) => findFiles(pattern, options.cwd, span)));
  return lists.flat();
}

/** Reads the footers of the files of a request. */
export async function openTable(
  request: FileRequest,
  files: readonly string[],
  describer: FileDescriber,
  options: OpenOptions,
  span: SourceSpan | undefined,
): Promise<FileTable> {
  const format = request.format ?? (await formatOf(files, options.cwd, span));
  const paths = files.map((file) => located(file, options.cwd));
  const description = await describer.describeFiles(paths, {
    format,
    binaryAsString: request.binaryAsString,
    bfloat16: request.bfloat16,
    unionByName: request.unionByName,
    skipBadFiles: options.onBadFile === 'skip',
  });
  const keys = request.hivePartitioning === false ? null : hiveKeys(files);
  if (request.hivePartitioning === true && keys === null) {
    throw userError('binder', 'hive_partitioning: the paths do not have the same key=value folders', span);
  }
  const scanOptions: FileOptions = {
    binary_as_string: request.binaryAsString,
    union_by_name: request.unionByName,
    hive_partitioning: keys !== null,
    bfloat16: request.bfloat16,
    on_bad_file: options.onBadFile,
  };
  return {
    format,
    files: paths,
    options: scanOptions,
    columns: tableColumns(description, keys ?? [], request, paths),
    rows: paths.some(isStandardInput) ? null : description.rows,
    label: request.label,
  };
}

/** The path as written where it means the same to the engine, so that `filename` shows it so. */
function located(file: string, cwd: string): string {
  return isStandardInput(file) || cwd === process.cwd() ? file : path.resolve(cwd, file);
}

/** Fields of the files, then file_row_number and filename, then hive keys, which win over a field of their name. */
function tableColumns(
  description: FileSetDescription,
  keys: readonly HiveKey[],
  request: FileRequest,
  paths: readonly string[],
): TableColumn[] {
  const [bad] = description.skipped;
  if (bad !== undefined && description.skipped.length === paths.length) {
    throw new QuernError({
      source: 'io',
      code: 'corrupt-file',
      message: `no file is readable: ${bad.reason}`,
    });
  }
  if (description.columns.length === 0) throw unsupported(`files without columns: ${paths[0]}`);
  const hive = new Map(keys.map((key) => [key.name.toLowerCase(), key]));
  const names = distinctNames(description.columns.map((column) => column.name));
  const seen = new Map<string, number>();
  const fields = description.columns.map((column, i): TableColumn => {
    const nth = seen.get(column.name) ?? 0;
    seen.set(column.name, nth + 1);
    const name = names[i] as string;
    const key = hive.get(name.toLowerCase());
    if (key !== undefined) {
      hive.delete(name.toLowerCase());
      return { name, type: key.type, source: 'hive', field: key.name, ...NO_FIELD };
    }
    const reason = column.type === null ? `${column.reason ?? 'its type is not read yet'}: ${paths[0]}` : null;
    const type = column.type ?? { kind: 'null' };
    const { bounds } = column;
    const distinct = distinctValues(column.dictionaries, description.rows, bounds);
    return { name, type, source: 'field', field: column.name, nth, unsupported: reason, bounds, distinct };
  });
  const extra: TableColumn[] = [];
  if (request.fileRowNumber) {
    extra.push({ name: 'file_row_number', type: INT64, source: 'file_row_number', field: '', ...NO_FIELD });
  }
  if (request.filename !== null) {
    extra.push({ name: request.filename, type: STRING, source: 'filename', field: '', ...NO_FIELD });
  }
  for (const key of hive.values()) {
    extra.push({ name: key.name, type: key.type, source: 'hive', field: key.name, ...NO_FIELD });
  }
  return [...fields, ...extra];
}

const NO_FIELD = { nth: 0, unsupported: null, bounds: null, distinct: null } as const;

/** A field whose name another one has already gets `_1` behind it, as often as it takes. */
function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    while (taken.has(free.toLowerCase())) free = `${free}_1`;
    taken.add(free.toLowerCase());
    return free;
  });
}

const ENDINGS: Readonly<Record<string, 'parquet' | 'arrow'>> = {
  '.parquet': 'parquet',
  '.pq': 'parquet',
  '.parq': 'parquet',
  '.arrow': 'arrow',
  '.arrows': 'arrow',
  '.feather': 'arrow',
  '.ipc': 'arrow',
};

/** By ending, else by the first bytes; standard input is an Arrow stream. */
async function formatOf(
  files: readonly string[],
  cwd: string,
  span: SourceSpan | undefined,
): Promise<'parquet' | 'arrow'> {
  const formats = await Promise.all(
    files.map(async (file) => {
      if (isStandardInput(file)) return 'arrow' as const;
      return ENDINGS[path.extname(file).toLowerCase()] ?? (await sniff(path.resolve(cwd, file), span));
    }),
  );
  const [first] = formats;
  const other = formats.findIndex((format) => format !== first);
  if (first === undefined) throw userError('catalog', 'there are no files', span);
  if (other > 0) {
    throw userError('binder', `files of different formats: ${files[0]} is ${first}, ${files[other]} is not`, span);
  }
  return first;
}

async function sniff(file: string, span: SourceSpan | undefined): Promise<'parquet' | 'arrow'> {
  const head = await firstBytes(file, span);
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  if (head.subarray(0, 6).toString('latin1') === 'ARROW1' || head.readUInt32LE(0) === 0xffffffff) return 'arrow';
  throw unsupported(
    `this kind of file: ${file}`,
    span,
    'Parquet and Arrow files are read; read_parquet(…) says which one it is',
  );
}

async function firstBytes(file: string, span: SourceSpan | undefined): Promise<Buffer> {
  try {
    const handle = await open(file, 'r');
    try {
      const buffer = Buffer.alloc(8);
      await handle.read(buffer, 0, 8, 0);
      return buffer;
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const denied = (cause as NodeJS.ErrnoException).code === 'EACCES';
    throw new QuernError({
      source: denied ? 'resource' : 'io',
      code: denied ? 'permission' : 'io',
      message: `cannot read ${file}: ${(cause as Error).message}`,
      span,
      cause,
    });
  }
}
