/**
 * Rewrites the command line before commander sees it: DuckDB's single-dash words become double-dash options, a format
 * flag becomes `--mode`, and the command comes first wherever it stands.
 */
import { existsSync } from 'node:fs';
import { nearestNames } from '../common/did_you_mean.ts';
import { findFormat } from '../output/registry.ts';
import { namesOf, type OptionSpec, takesValue } from './option_spec.ts';
import { COMMAND_NAMES, COMMANDS, findCommand, GLOBAL_OPTIONS } from './surface.ts';
import { usageError } from './usage_error.ts';

/** DuckDB's spelling → ours; '' = nothing to do: quern reads no init file, pages nothing, writes no database. */
const DUCKDB_WORDS: Readonly<Record<string, string>> = {
  '-nullvalue': '--nullvalue',
  '-noheader': '--no-header',
  '-header': '--header',
  '-separator': '--separator',
  '-bail': '--bail',
  '-cmd': '--command',
  '-echo': '--echo',
  '-help': '--help',
  '-version': '--version',
  '-s': '--command',
  '-batch': '',
  '-readonly': '',
  '-no-stdin': '',
  '-no-init': '',
  '--no-init': '',
  '-X': '',
  '--no-pager': '',
};

/** Format flags: our names, and DuckDB's `jsonlines`. */
function modeOf(arg: string): string | undefined {
  const word = /^--?([a-z]+)$/.exec(arg)?.[1];
  if (word === undefined || arg.length < 4) return undefined;
  if (word === 'jsonlines' || word === 'ndjson') return 'jsonl';
  if (word === 'parquet') return word;
  return findFormat(word)?.name;
}

/** Options of every command, for the walk before the command is known. */
function valueOptions(): ReadonlySet<string> {
  const specs: OptionSpec[] = [...GLOBAL_OPTIONS, ...COMMANDS.flatMap((command) => command.options)];
  return new Set(specs.filter(takesValue).flatMap(namesOf));
}

const FORMAT_COMMANDS: ReadonlySet<string> = new Set(['query', 'explain']);

export interface Arguments {
  readonly command: string;
  /** arguments of the command, without its name */
  readonly rest: readonly string[];
}

/** A word that stands where a command could: not an option's value. */
function findOperand(args: readonly string[], withValue: ReadonlySet<string>): number {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') return -1;
    const known = DUCKDB_WORDS[arg] || arg;
    if (withValue.has(known) && !(arg === '--table' && !isTablePair(args[i + 1]))) i++;
    else if (!arg.startsWith('-') || arg === '-') return i;
  }
  return -1;
}

function isTablePair(text: string | undefined): boolean {
  return text !== undefined && /^[^\s=]+=./.test(text);
}

/** Splits the command line into command and arguments in commander's spelling. */
export function rewriteArguments(args: readonly string[]): Arguments {
  const withValue = valueOptions();
  const at = findOperand(args, withValue);
  const word = at < 0 ? undefined : (args[at] as string);
  if (word !== undefined && COMMAND_NAMES.includes(word)) {
    const rest = [...args.slice(0, at), ...args.slice(at + 1)];
    if (word === 'help') return { command: 'help', rest };
    if (word === 'version') return { command: 'query', rest: ['--version'] };
    return { command: word, rest: rewriteOptions(word, rest, withValue) };
  }
  const operands = args.filter((arg) => !arg.startsWith('-'));
  if (word !== undefined && operands.length === 1) refuseTypo(word);
  return { command: 'query', rest: rewriteOptions('query', args, withValue) };
}

/** `quern benhc` is a slip, not SQL. */
function refuseTypo(word: string): void {
  if (!/^[a-z]+$/i.test(word) || existsSync(word)) return;
  const command = nearestNames(word, COMMAND_NAMES, 1)[0];
  if (command !== undefined) throw usageError(`unknown command: ${word}`, `did you mean "${command}"?`);
}

function rewriteOptions(command: string, args: readonly string[], withValue: ReadonlySet<string>): string[] {
  const own = new Set(findCommand(command)?.options.flatMap(namesOf));
  const out: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') return [...out, ...args.slice(i)];
    const mode = FORMAT_COMMANDS.has(command) ? modeOf(arg) : undefined;
    if (mode !== undefined && !(arg === '--table' && isTablePair(args[i + 1]))) {
      out.push('--mode', mode);
      if (mode === 'insert' && !args[i + 1]?.startsWith('-') && i + 1 < args.length)
        out.push('--insert-table', args[++i] as string);
      continue;
    }
    const ours = own.has(arg) ? arg : (DUCKDB_WORDS[arg] ?? arg);
    if (ours === '') continue;
    out.push(ours);
    if (withValue.has(ours) && i + 1 < args.length) out.push(args[++i] as string);
  }
  return out;
}
