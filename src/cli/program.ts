import { Command, CommanderError, Option } from 'commander';
import { nearestNames } from '../common/did_you_mean.ts';
import { FORMATS } from '../output/registry.ts';
import { type CommandSpec, namesOf, type OptionSpec, type OptionValues, takesValue } from './option_spec.ts';
import { COMMANDS, GLOBAL_OPTIONS } from './surface.ts';
import { usageError } from './usage_error.ts';
import { versionText } from './version.ts';

/** A parsed command line. */
export interface Parsed {
  readonly options: OptionValues;
  readonly args: readonly string[];
  /** `-c` and `-f` in the order given */
  readonly ordered: readonly { readonly option: string; readonly value: string }[];
}

/** Help or version was asked for: text for stdout. */
export class Shown {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function toOption(spec: OptionSpec, record: (option: string, value: string) => void): Option {
  const option = new Option(spec.flags, spec.summary);
  if (spec.hidden === true) option.hideHelp();
  if (spec.choices !== undefined) option.choices([...spec.choices]);
  if (spec.repeat === true && takesValue(spec)) {
    option.argParser((value: string, previous: readonly string[] | undefined) => {
      record(option.attributeName(), value);
      return [...(previous ?? []), value];
    });
  } else if (spec.repeat === true) {
    option.argParser((_: string, previous: string | undefined) => `${previous ?? ''}v`);
  }
  return option;
}

const COMMAND_LIST = COMMANDS.map((command) => `  ${command.name.padEnd(9)} ${command.summary}`).join('\n');

function buildCommand(spec: CommandSpec, ordered: { option: string; value: string }[]): Command {
  const isDefault = spec.name === 'query';
  const command = new Command(isDefault ? 'quern' : `quern ${spec.name}`);
  command.description(isDefault ? 'SQL query engine for Parquet' : spec.summary);
  command.usage(`${isDefault ? '[command] ' : ''}[options] ${spec.args ?? ''}`.trimEnd());
  if (spec.args !== undefined) command.arguments(spec.args);
  const record = (option: string, value: string): void => void ordered.push({ option, value });
  for (const option of spec.options) command.addOption(toOption(option, record));
  command.optionsGroup('Global options:');
  for (const option of GLOBAL_OPTIONS) command.addOption(toOption(option, record));
  command.helpOption('-h, --help', 'show this help');
  command.version(versionText(), '-V, --version', 'show the version');
  if (isDefault) command.addHelpText('after', `\nCommands (quern COMMAND --help):\n${COMMAND_LIST}`);
  if (spec.notes !== undefined) command.addHelpText('after', spec.notes);
  return command;
}

/** Parses the arguments of one command. Throws QuernError for a wrong one; returns Shown for --help and --version. */
export function parseArguments(spec: CommandSpec, args: readonly string[]): Parsed | Shown {
  const ordered: { option: string; value: string }[] = [];
  let shown = '';
  let complaint = '';
  const command = buildCommand(spec, ordered);
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => {
      shown += text;
    },
    writeErr: (text) => {
      complaint += text;
    },
    getOutHelpWidth: () => 100,
    getErrHelpWidth: () => 100,
  });
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return new Shown(shown);
    throw commanderUsage(error, complaint, spec);
  }
  return { options: command.opts(), args: command.args, ordered };
}

/** Help of a command, as `--help` shows it. */
export function helpText(spec: CommandSpec): string {
  const shown = parseArguments(spec, ['--help']);
  return shown instanceof Shown ? shown.text : '';
}

/** Long options of a command without their dashes; each format is one. */
function longNames(spec: CommandSpec): string[] {
  const options = [...spec.options, ...GLOBAL_OPTIONS].filter((option) => option.hidden !== true).flatMap(namesOf);
  const formats = spec.name === 'query' ? FORMATS.map((format) => `--${format.name}`) : [];
  return [...options, ...formats].filter((name) => name.startsWith('--')).map((name) => name.slice(2));
}

function commanderUsage(error: CommanderError, complaint: string, spec: CommandSpec): Error {
  const [first = error.message] = complaint.trim().split('\n');
  const unknown = /^error: unknown option '--([^=']+)/.exec(first)?.[1];
  const meant = unknown === undefined ? [] : nearestNames(unknown, longNames(spec)).map((name) => `--${name}`);
  const help = spec.name === 'query' ? 'quern --help' : `quern ${spec.name} --help`;
  return usageError(first.replace(/^error: /, ''), meant.length === 0 ? help : `did you mean ${meant.join(' or ')}?`);
}
