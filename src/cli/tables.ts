/** Names for files: -t NAME=GLOB, -d DIR, and [tables] of the configuration. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../common/error.ts';
import type { Session } from '../session/types.ts';
import { ioError } from './io_error.ts';
import { nearestExisting } from './nearest_path.ts';
import { parsePairs } from './settings.ts';

const TABLE_FILE = /^(.+)\.(parquet|parq|pq|arrow|arrows|feather)$/i;

/** Table names and globs of a directory: each X.parquet, and each X/ that holds data somewhere below. */
export function tablesOf(directory: string): [string, string][] {
  let entries: string[];
  try {
    entries = readdirSync(directory).sort();
  } catch (error) {
    throw ioError(error, '--data: cannot read', directory, nearestExisting(directory));
  }
  const tables: [string, string][] = [];
  for (const name of entries) {
    if (name.startsWith('.') || name.startsWith('_')) continue;
    const path = join(directory, name);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) tables.push([name, join(path, '**', '*.parquet')]);
    else {
      const table = TABLE_FILE.exec(name)?.[1];
      if (table !== undefined) tables.push([table, path]);
    }
  }
  if (tables.length === 0) {
    throw new QuernError({ source: 'io', code: 'io', message: `--data: no Parquet files or folders in ${directory}` });
  }
  return tables;
}

export interface TableSources {
  readonly configured: Readonly<Record<string, string>>;
  readonly directories: readonly string[];
  /** NAME=GLOB */
  readonly pairs: readonly string[];
}

/** Registers all; a later source wins over an earlier one: configuration, then -d, then -t. */
export function registerTables(session: Session, sources: TableSources): void {
  const tables = new Map<string, string>(Object.entries(sources.configured));
  for (const directory of sources.directories) for (const [name, glob] of tablesOf(directory)) tables.set(name, glob);
  for (const [name, glob] of parsePairs(sources.pairs, '--table')) tables.set(name, glob);
  for (const [name, glob] of tables) session.registerTable(name, glob);
}
