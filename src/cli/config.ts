/** Configuration files: the nearest quern.toml, then the user's config.toml. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { didYouMean } from '../common/did_you_mean.ts';
import { ioError } from './io_error.ts';
import { usageError } from './usage_error.ts';

export type ConfigValue = string | number | boolean;

/** What the files say: values by `section.key`, nearest file first, and tables by name. */
export interface Config {
  readonly values: Readonly<Record<string, ConfigValue>>;
  readonly settings: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, string>>;
}

type Kind = 'string' | 'number' | 'boolean' | 'number or string';

const KEYS: Readonly<Record<string, Kind>> = {
  'engine.threads': 'number',
  'engine.memory_limit': 'number or string',
  'engine.temp_dir': 'string',
  'engine.device': 'number or string',
  'engine.strict': 'boolean',
  'query.timeout': 'number or string',
  'query.row_limit': 'number',
  'query.bail': 'boolean',
  'query.on_bad_file': 'string',
  'query.progress': 'string',
  'query.error_format': 'string',
  'format.mode': 'string',
  'format.header': 'boolean',
  'format.nullvalue': 'string',
  'format.separator': 'string',
  'format.max_rows': 'number',
  'format.max_width': 'number',
  'format.thousands': 'boolean',
  'format.types': 'boolean',
  'format.json_bigint': 'string',
  'format.color': 'string',
};

/** Sections whose keys belong to commands that read them by themselves. */
const OPEN_SECTIONS: ReadonlySet<string> = new Set(['shell', 'bench', 'check']);
const SECTIONS = ['query', 'format', 'engine', 'tables', ...OPEN_SECTIONS];

const EMPTY: Config = { values: {}, settings: {}, tables: {} };

/** The files that apply, nearest first. */
export function configFiles(env: NodeJS.ProcessEnv, cwd: string): string[] {
  const files: string[] = [];
  for (let at = cwd; ; at = dirname(at)) {
    const file = join(at, 'quern.toml');
    if (existsSync(file)) {
      files.push(file);
      break;
    }
    if (dirname(at) === at) break;
  }
  const base = env.XDG_CONFIG_HOME || join(homedir(), '.config');
  const user = join(base, 'quern', 'config.toml');
  if (existsSync(user)) files.push(user);
  return files;
}

/** Reads and merges configuration. `explicit` replaces the search and must exist. */
export async function readConfig(explicit: string | undefined, env: NodeJS.ProcessEnv, cwd: string): Promise<Config> {
  const files = explicit === undefined ? configFiles(env, cwd) : [explicit];
  if (files.length === 0) return EMPTY;
  const { parse } = await import('smol-toml');
  let merged = EMPTY;
  for (const file of files) {
    const one = readOne(file, parse);
    merged = {
      values: { ...one.values, ...merged.values },
      settings: { ...one.settings, ...merged.settings },
      tables: { ...one.tables, ...merged.tables },
    };
  }
  return merged;
}

function readOne(file: string, parse: (text: string) => Record<string, unknown>): Config {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const failure = ioError(error, 'cannot read configuration', file);
    throw failure instanceof Error ? usageError(failure.message) : failure;
  }
  let root: Record<string, unknown>;
  try {
    root = parse(text);
  } catch (error) {
    throw usageError(`configuration is not TOML: ${file}: ${(error as Error).message.split('\n')[0]}`);
  }
  return interpret(file, root);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function interpret(file: string, root: Record<string, unknown>): Config {
  const values: Record<string, ConfigValue> = {};
  let settings: Record<string, string> = {};
  let tables: Record<string, string> = {};
  for (const [section, body] of Object.entries(root)) {
    if (!SECTIONS.includes(section)) throw unknownKey(file, section, SECTIONS);
    if (!isTable(body)) throw usageError(`configuration: [${section}] is not a section: ${file}`);
    if (OPEN_SECTIONS.has(section)) continue;
    if (section === 'tables') {
      tables = Object.fromEntries(
        Object.entries(body).map(([name, glob]) => [name, absolute(file, textOf(file, `tables.${name}`, glob))]),
      );
      continue;
    }
    for (const [key, value] of Object.entries(body)) {
      const name = `${section}.${key}`;
      if (name === 'engine.settings' && isTable(value)) {
        settings = flatSettings(file, '', value);
        continue;
      }
      values[name] = checkedValue(file, name, value);
    }
  }
  return { values, settings, tables };
}

function absolute(file: string, glob: string): string {
  return isAbsolute(glob) || /^[a-z0-9]+:\/\//i.test(glob) ? glob : join(dirname(file), glob);
}

function textOf(file: string, name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw usageError(`configuration: ${name} is not a string: ${file}`);
}

/** `list.offset_limit = 16` is a nested table in TOML; settings have dotted names. */
function flatSettings(file: string, prefix: string, body: Record<string, unknown>): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [key, value] of Object.entries(body)) {
    if (isTable(value)) Object.assign(settings, flatSettings(file, `${prefix}${key}.`, value));
    else if (Array.isArray(value))
      throw usageError(`configuration: engine.settings.${prefix}${key} is a list: ${file}`);
    else settings[prefix + key] = String(value);
  }
  return settings;
}

function checkedValue(file: string, name: string, value: unknown): ConfigValue {
  const kind = KEYS[name];
  if (kind === undefined) throw unknownKey(file, name, Object.keys(KEYS));
  if (kind.split(' or ').includes(typeof value)) return value as ConfigValue;
  throw usageError(`configuration: ${name} is not a ${kind}: ${file}`);
}

function unknownKey(file: string, name: string, known: readonly string[]): Error {
  return usageError(`configuration: unknown key ${name}: ${file}`, didYouMean(name, known));
}
