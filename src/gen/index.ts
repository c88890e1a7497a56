import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Result } from '../common/batch.ts';
import { didYouMean } from '../common/did_you_mean.ts';
import { QuernError } from '../common/error.ts';
import { DEFAULT_PARQUET_WRITE } from '../session/index.ts';
import type { Session } from '../session/types.ts';
import { type GeneratedFile, TPCDS_FILES, TPCDS_TABLES } from './tables.ts';

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

export interface WrittenFile {
  readonly table: string;
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
}

const usage = (message: string, hint?: string): QuernError =>
  new QuernError({ source: 'user', code: 'usage', message, hint });

function wantedFiles(tables: readonly string[] | undefined): readonly GeneratedFile[] {
  if (tables === undefined) return TPCDS_FILES;
  for (const table of tables) {
    if (TPCDS_TABLES.includes(table)) continue;
    const near = didYouMean(table, TPCDS_TABLES);
    throw usage(`no generator for table ${table}`, near ?? `tables: ${TPCDS_TABLES.join(', ')}`);
  }
  return TPCDS_FILES.filter((file) => tables.includes(file.table));
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

/** Writes the TPC-DS-style tables as Parquet. A file that is there is an error unless `overwrite`. */
export async function generateTpcds(options: GenOptions): Promise<WrittenFile[]> {
  if (!(options.scale > 0 && options.scale <= 100_000)) {
    throw usage(`--scale: not a scale factor: ${options.scale}`, 'more than 0, at most 100000');
  }
  const files = wantedFiles(options.tables);
  if (!options.overwrite) {
    for (const file of files) {
      const path = join(options.out, file.path);
      if (await exists(path)) throw usage(`file exists: ${path}`, '--overwrite replaces it');
    }
  }
  const written: WrittenFile[] = [];
  for (const file of files) {
    const path = join(options.out, file.path);
    await mkdir(dirname(path), { recursive: true });
    const sql = `SELECT * FROM tpcds('${file.generator}', scale := ${options.scale}, seed := ${options.seed})`;
    const write = {
      ...DEFAULT_PARQUET_WRITE,
      path,
      compression: options.compression,
      rowGroupRows: file.rowGroupRows,
    };
    for await (const { result } of options.session.query(sql, { signal: options.signal, writeTo: () => write })) {
      const rows = await writtenRows(result);
      options.onProgress(path, rows);
      written.push({ table: file.table, path, rows, bytes: (await stat(path)).size });
    }
  }
  return written;
}
