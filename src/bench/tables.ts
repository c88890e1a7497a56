import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { QuernError } from '../common/error.ts';
import type { TextEngine } from '../reference/text_engine.ts';

export interface DataFile {
  readonly table: string;
  readonly glob: string;
}

/** The tables of a data folder: the named globs, or X.parquet and X/ as table X. */
export async function findTables(folder: string, tables: Readonly<Record<string, string>>): Promise<DataFile[]> {
  const named = Object.entries(tables).map(([table, glob]) => ({ table, glob: join(folder, glob) }));
  if (named.length > 0) return named;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new QuernError({ source: 'io', code: 'io', message: `data folder not found: ${folder}`, cause });
  });
  return entries
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.parquet'))
    .map((entry) =>
      entry.isDirectory()
        ? { table: entry.name, glob: join(folder, entry.name, '**/*.parquet') }
        : { table: basename(entry.name, '.parquet'), glob: join(folder, entry.name) },
    );
}

export async function registerTables(engine: TextEngine, tables: readonly DataFile[]): Promise<void> {
  for (const { table, glob } of tables) await engine.registerTable(table, glob);
}

export interface DataDescription {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** of names, sizes and change times: cheap, and different when the data were made again */
  readonly fingerprint: string;
}

/** What the result file says of the data. */
export async function describeData(folder: string): Promise<DataDescription> {
  const { createHash } = await import('node:crypto');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet')).sort();
  const hash = createHash('sha256');
  let bytes = 0;
  for (const name of names) {
    const info = await stat(join(folder, name));
    bytes += info.size;
    hash.update(`${name} ${info.size} ${Math.trunc(info.mtimeMs)}\n`);
  }
  return { path: relative('', folder), files: names.length, bytes, fingerprint: hash.digest('hex').slice(0, 16) };
}
