import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Result } from '../common/batch.ts';
import { didYouMean } from '../common/did_you_mean.ts';
import { QuernError } from '../common/error.ts';
import { DEFAULT_PARQUET_WRITE } from '../session/index.ts';
import type { Session } from '../session/types.ts';
import { writeMonthly } from './monthly.ts';
import { MONTHLY_ROWS, type MonthlyTable, TPCDS_FILES, TPCDS_MONTHLY, TPCDS_TABLES } from './tables.ts';

export interface GenOptions {
  readonly session: Session;
  /** scale factor; 1 = about 2.9 million lines of store_sales; fractions are allowed */
  readonly scale: number;
  /** the same seed and scale give the same rows on any number of threads */
  readonly seed: bigint;
  readonly out: string;
  /** undefined = all */
  readonly tables?: readonly string[] | undefined;
  readonly overwrite: boolean;
  readonly compression: 'zstd' | 'snappy' | 'none';
  readonly signal: AbortSignal;
  /** rows of one file so far */
  readonly onProgress: (path: string, rows: number) => void;
}

/** A file, or the folder of a table by month. */
export interface WrittenFile {
  readonly table: string;
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
}

const usage = (message: string, hint?: string): QuernError =>
  new QuernError({ source: 'user', code: 'usage', message, hint });

function checkNames(tables: readonly string[]): void {
  for (const table of tables) {
    if (TPCDS_TABLES.includes(table)) continue;
    const near = didYouMean(table, TPCDS_TABLES);
    throw usage(`no generator for table ${table}`, near ?? `tables: ${TPCDS_TABLES.join(', ')}`);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** The one value of a writing statement. */
async function writtenRows(result: Result): Promise<number> {
  let rows = 0;
  for await (const batch of result.batches()) {
    const counts = batch.columns[0]?.values as BigInt64Array;
    for (const count of counts) rows += Number(count);
  }
  return rows;
}

/** Nothing that is there may be in the way, and what is repeated by month must be there. */
async function checkFolder(
  options: GenOptions,
  paths: readonly string[],
  monthly: readonly MonthlyTable[],
): Promise<void> {
  if (!options.overwrite) {
    for (const path of paths) {
      if (await exists(path)) throw usage(`file exists: ${path}`, '--overwrite replaces it');
    }
  }
  for (const { table, of } of monthly) {
    const source = join(options.out, `${of}.parquet`);
    if (paths.includes(source) || (await exists(source))) continue;
    throw usage(`${table} repeats ${of}, which is not there: ${source}`, `--tables ${of},${table}`);
  }
}

/** Writes the TPC-DS-style tables as Parquet. A file that is there is an error unless `overwrite`. */
export async function generateTpcds(options: GenOptions): Promise<WrittenFile[]> {
  const { session, out, signal, tables } = options;
  if (!(options.scale > 0 && options.scale <= 100_000)) {
    throw usage(`--scale: not a scale factor: ${options.scale}`, 'more than 0, at most 100000');
  }
  checkNames(tables ?? []);
  const files = TPCDS_FILES.filter((file) => tables?.includes(file.table) ?? true);
  const monthly = TPCDS_MONTHLY.filter(({ table }) => tables?.includes(table) ?? true);
  await checkFolder(
    options,
    [...files.map((file) => join(out, file.path)), ...monthly.map(({ table }) => join(out, table))],
    monthly,
  );
  const writeFile = async (sql: string, path: string, rowGroupRows: number): Promise<number> => {
    const write = { ...DEFAULT_PARQUET_WRITE, path, compression: options.compression, rowGroupRows };
    let rows = 0;
    for await (const { result } of session.query(sql, { signal, writeTo: () => write }))
      rows += await writtenRows(result);
    options.onProgress(path, rows);
    return rows;
  };
  const written: WrittenFile[] = [];
  for (const file of files) {
    const path = join(out, file.path);
    await mkdir(dirname(path), { recursive: true });
    const sql = `SELECT * FROM tpcds('${file.generator}', scale := ${options.scale}, seed := ${options.seed})`;
    const rows = await writeFile(sql, path, file.rowGroupRows);
    written.push({ table: file.table, path, rows, bytes: (await stat(path)).size });
  }
  for (const table of monthly) {
    const size = await writeMonthly(session, table, out, signal, (sql, path) => writeFile(sql, path, MONTHLY_ROWS));
    written.push({ table: table.table, path: join(out, table.table), ...size });
  }
  return written;
}
