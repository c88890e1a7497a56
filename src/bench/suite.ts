import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { QuernError } from '../common/error.ts';
import type { TextEngine } from '../reference/text_engine.ts';
import { type DataFile, registerTables } from './tables.ts';

export interface SuiteQuery {
  readonly id: string;
  readonly sql: string;
  /** 12 hex digits of the SHA-256 of the text */
  readonly hash: string;
  readonly tags: readonly string[];
}

export interface Suite {
  readonly name: string;
  readonly hash: string;
  /** folder of the tables, absolute; undefined = the SQL names its files */
  readonly data: string | undefined;
  /** table → glob below `data`; empty = every X.parquet and X/ there is a table X */
  readonly tables: Readonly<Record<string, string>>;
  /** greatest time in units of the other engine's that is still good; undefined = no bar */
  readonly maxRatio: number | undefined;
  /** the same of the geometric mean of all queries, and of the peak of memory of a process that runs one query */
  readonly maxGeomeanRatio: number | undefined;
  readonly maxMemoryRatio: number | undefined;
  /** statements that an engine runs first, by its name: functions of ours that the other lacks */
  readonly setup: Readonly<Record<string, readonly string[]>>;
  readonly queries: readonly SuiteQuery[];
}

/** Reads a suite: a folder of .sql files with an optional suite.toml, a suite.toml, or one .sql file. */
export async function readSuite(path: string): Promise<Suite> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new QuernError({ source: 'io', code: 'io', message: `suite not found: ${path}`, cause });
  });
  const folder = info.isDirectory() ? path : dirname(path);
  const settings = await readSettings(info.isDirectory() ? join(path, 'suite.toml') : path);
  const files = info.isFile() && path.endsWith('.sql') ? [basename(path)] : await sqlFiles(folder);
  const queries = await Promise.all(files.map((file) => readQuery(join(folder, file))));
  if (queries.length === 0) throw usage(`suite without queries: ${path}`);
  const hash = digest(queries.map((query) => `${query.id} ${query.hash}\n`).join(''));
  return {
    name: text(settings, 'name') ?? basename(resolve(folder)),
    hash,
    data: text(settings, 'data') === undefined ? undefined : resolve(folder, text(settings, 'data') as string),
    tables: (settings.tables as Record<string, string> | undefined) ?? {},
    maxRatio: number(settings, 'max_ratio'),
    maxGeomeanRatio: number(settings, 'max_geomean_ratio'),
    maxMemoryRatio: number(settings, 'max_memory_ratio'),
    setup: (settings.setup as Record<string, string[]> | undefined) ?? {},
    queries,
  };
}

/** Makes the tables of a suite known to an engine and runs its set-up. */
export async function prepareEngine(engine: TextEngine, suite: Suite, tables: readonly DataFile[]): Promise<void> {
  await registerTables(engine, tables);
  for (const sql of suite.setup[engine.name] ?? []) await engine.run(sql);
}

async function readSettings(path: string): Promise<Record<string, unknown>> {
  if (!path.endsWith('.toml')) return {};
  let toml: string;
  try {
    toml = await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new QuernError({ source: 'io', code: 'io', message: `cannot read: ${path}`, cause });
  }
  const { parse } = await import('smol-toml');
  try {
    return parse(toml);
  } catch (cause) {
    throw usage(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

async function sqlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

/** A first line `-- tags: a b` gives tags. */
async function readQuery(path: string): Promise<SuiteQuery> {
  const sql = (await readFile(path, 'utf8')).trim();
  const tags = /^--\s*tags:(.*)$/m.exec(sql)?.[1]?.trim().split(/\s+/) ?? [];
  return { id: basename(path, '.sql'), sql, hash: digest(sql), tags };
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 12);
}

function text(settings: Record<string, unknown>, key: string): string | undefined {
  const value = settings[key];
  return typeof value === 'string' ? value : undefined;
}

function number(settings: Record<string, unknown>, key: string): number | undefined {
  const value = settings[key];
  return typeof value === 'number' ? value : undefined;
}

function usage(message: string): QuernError {
  return new QuernError({ source: 'user', code: 'usage', message });
}
