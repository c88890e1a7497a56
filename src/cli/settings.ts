/** One value for each setting: flag, then environment, then configuration, then the default. */
import type { SessionOptions } from '../session/types.ts';
import type { Config, ConfigValue } from './config.ts';
import type { OptionValues } from './option_spec.ts';
import { parseCount, parseSize } from './quantity.ts';
import { usageError } from './usage_error.ts';

export interface SettingSources {
  readonly options: OptionValues;
  readonly env: NodeJS.ProcessEnv;
  readonly config: Config;
}

/** The text of a setting and the name to blame when it is wrong. */
export interface Setting {
  readonly text: string;
  readonly origin: string;
}

/** Looks a setting up; a switch of commander counts only when it was given. */
export function findSetting(
  sources: SettingSources,
  option: string,
  key: string,
  variable?: string,
): Setting | undefined {
  const flag = sources.options[option];
  const dashed = `--${option.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
  if (typeof flag === 'string') return { text: flag, origin: dashed };
  const fromEnv = variable === undefined ? undefined : sources.env[variable];
  if (fromEnv !== undefined && fromEnv !== '') return { text: fromEnv, origin: variable as string };
  const fromConfig = sources.config.values[key];
  return fromConfig === undefined ? undefined : { text: String(fromConfig), origin: key };
}

/** A yes-or-no setting: the flag when given, else the configuration. */
export function findSwitch(sources: SettingSources, option: string, key: string): boolean | undefined {
  const flag = sources.options[option];
  if (typeof flag === 'boolean') return flag;
  const value: ConfigValue | undefined = sources.config.values[key];
  return typeof value === 'boolean' ? value : undefined;
}

/** A setting with a closed list of values. */
export function findChoice<T extends string>(
  sources: SettingSources,
  option: string,
  key: string,
  choices: readonly T[],
  variable?: string,
): T | undefined {
  const found = findSetting(sources, option, key, variable);
  if (found === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === found.text);
  if (choice === undefined) throw usageError(`${found.origin}: ${found.text}`, `one of ${choices.join(', ')}`);
  return choice;
}

function deviceOf(setting: Setting): SessionOptions['device'] {
  const { text, origin } = setting;
  if (text === 'auto' || text === 'cpu' || text === 'gpu') return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw usageError(`${origin}: not a device: ${text}`, 'auto, cpu, gpu or the number of a GPU');
}

/** `NAME=VALUE` pairs. */
export function parsePairs(texts: readonly string[], option: string): [string, string][] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw usageError(`${option}: not NAME=VALUE: ${text}`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

/** Options of the session. */
export function sessionOptions(sources: SettingSources): SessionOptions {
  const threads = findSetting(sources, 'threads', 'engine.threads', 'QUERN_THREADS');
  const memory = findSetting(sources, 'memoryLimit', 'engine.memory_limit', 'QUERN_MEMORY_LIMIT');
  const tempDir = findSetting(sources, 'tempDir', 'engine.temp_dir', 'QUERN_TEMP_DIR');
  const device = findSetting(sources, 'device', 'engine.device', 'QUERN_DEVICE');
  const pairs = parsePairs((sources.options.set as readonly string[] | undefined) ?? [], '--set');
  return {
    threads: threads === undefined ? undefined : parseCount(threads.text, threads.origin, 1),
    memoryLimit: memory === undefined ? undefined : parseSize(memory.text, memory.origin),
    tempDir: tempDir?.text,
    device: device === undefined ? undefined : deviceOf(device),
    settings: { ...sources.config.settings, ...Object.fromEntries(pairs) },
  };
}
