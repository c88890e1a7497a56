/** What every command gets: its arguments, settings, terminal and the way to report. */
import { writeSync } from 'node:fs';
import type { QuernError } from '../common/error.ts';
import type { Paint } from '../output/colors.ts';
import { type Config, readConfig } from './config.ts';
import { asQuernError, type ErrorFormat, type ErrorPlace, errorText } from './error_report.ts';
import type { Interruption } from './interruption.ts';
import type { OptionValues } from './option_spec.ts';
import type { Parsed } from './program.ts';
import { Progress } from './progress.ts';
import { findChoice, findSetting, type SettingSources } from './settings.ts';
import { type ColorChoice, readTerminal, type Terminal } from './terminal.ts';

export interface Context {
  readonly parsed: Parsed;
  readonly options: OptionValues;
  readonly sources: SettingSources;
  readonly config: Config;
  readonly terminal: Terminal;
  readonly interruption: Interruption;
  readonly progress: Progress;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly errorFormat: ErrorFormat;
}

const COLORS: readonly ColorChoice[] = ['auto', 'always', 'never'];
const ERROR_FORMATS: readonly ErrorFormat[] = ['text', 'json', 'github'];

/** Settles configuration and terminal for one run. */
export async function openContext(parsed: Parsed, interruption: Interruption): Promise<Context> {
  const { options } = parsed;
  const env = process.env;
  const explicit = typeof options.config === 'string' ? options.config : env.QUERN_CONFIG || undefined;
  const config =
    options.config === false
      ? { values: {}, settings: {}, tables: {} }
      : await readConfig(explicit, env, process.cwd());
  const sources: SettingSources = { options, env, config };
  // `--no-color` sets the same option as `--color` to false.
  const color = options.color === false ? 'never' : (findChoice(sources, 'color', 'format.color', COLORS) ?? 'auto');
  const terminal = readTerminal(color, env);
  const when = findSetting(sources, 'progress', 'query.progress')?.text ?? 'auto';
  const quiet = options.quiet === true;
  const drawn = when === 'on' || (when === 'auto' && terminal.stderrIsTerminal && !env.QUERN_NO_PROGRESS);
  return {
    parsed,
    options,
    sources,
    config,
    terminal,
    interruption,
    progress: new Progress(drawn && !quiet),
    quiet,
    verbose: options.verbose !== undefined,
    errorFormat: findChoice(sources, 'errorFormat', 'query.error_format', ERROR_FORMATS) ?? 'text',
  };
}

/** The choice for errors that come before the command line is understood. */
export function earlyErrorFormat(args: readonly string[]): ErrorFormat {
  const at = args.indexOf('--error-format');
  const text = at >= 0 ? args[at + 1] : args.find((arg) => arg.startsWith('--error-format='))?.slice(15);
  return ERROR_FORMATS.find((format) => format === text) ?? 'text';
}

/** Writes text to stderr; a closed stderr is nobody's business. */
export function writeStderr(text: string): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(2, rest));
  } catch (error) {
    const errno = (error as NodeJS.ErrnoException).code;
    if (errno === 'EAGAIN') process.stderr.write(rest);
    else if (errno !== 'EPIPE' && errno !== 'EBADF' && errno !== 'EIO') throw error;
  }
}

export interface Reporting {
  readonly errorFormat: ErrorFormat;
  readonly stderrColor: boolean;
  readonly verbose: boolean;
}

/** Shows an error on stderr and returns its exit code. */
export async function reportError(
  error: unknown,
  place: ErrorPlace | undefined,
  reporting: Reporting,
): Promise<number> {
  const known = asQuernError(error);
  const { paint, widthOf } = await loadPaint(reporting, known);
  writeStderr(errorText(known, place, { format: reporting.errorFormat, paint, verbose: reporting.verbose, widthOf }));
  return known.exitCode;
}

async function loadPaint(
  reporting: Reporting,
  error: QuernError,
): Promise<{ paint: Paint; widthOf: (text: string) => number }> {
  const { paint } = await import('../output/colors.ts');
  const colors = paint(reporting.stderrColor);
  if (error.span === undefined) return { paint: colors, widthOf: (text) => text.length };
  const { displayWidth } = await import('../output/display_width.ts');
  return { paint: colors, widthOf: displayWidth };
}

/** How a context reports. */
export function reportingOf(context: Context): Reporting {
  return {
    errorFormat: context.errorFormat,
    stderrColor: context.terminal.stderrColor,
    verbose: context.verbose,
  };
}
