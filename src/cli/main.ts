/** Entry of the command line: arguments in, exit code out. */

import { didYouMean } from '../common/did_you_mean.ts';
import { refuseBrokenText } from './argument_text.ts';
import { rewriteArguments } from './arguments.ts';
import { type Context, earlyErrorFormat, openContext, reportError, reportingOf } from './context.ts';
import { Interruption } from './interruption.ts';
import type { CommandSpec } from './option_spec.ts';
import { helpText, parseArguments, Shown } from './program.ts';
import { StdoutTarget } from './stdout_target.ts';
import { COMMAND_NAMES, findCommand } from './surface.ts';
import { isClosedPipe } from './target.ts';
import { readTerminal } from './terminal.ts';
import { usageError } from './usage_error.ts';

/** One command: loaded when it is called for. */
const RUNNERS: Readonly<Record<string, () => Promise<(context: Context) => Promise<number>>>> = {
  query: async () => (await import('./commands/query.ts')).runQuery,
  explain: async () => (await import('./commands/explain.ts')).runExplain,
  inspect: async () => (await import('./commands/inspect.ts')).runInspect,
  doctor: async () => (await import('./commands/doctor.ts')).runDoctor,
  check: async () => (await import('./commands/check.ts')).runCheckCommand,
  bench: async () => (await import('./commands/bench.ts')).runBenchCommand,
  gen: async () => (await import('./commands/gen.ts')).runGenCommand,
};

/** Exit code of a reader that closed the pipe: what the shell makes of SIGPIPE. */
const PIPE_CODE = 141;

function commandFor(name: string): CommandSpec {
  const spec = findCommand(name);
  if (spec === undefined) throw usageError(`unknown command: ${name}`, didYouMean(name, COMMAND_NAMES));
  return spec;
}

async function show(text: string, interruption: Interruption): Promise<number> {
  const target = new StdoutTarget(interruption.signal);
  await target.write(text);
  await target.commit();
  return 0;
}

async function runCommand(args: readonly string[], interruption: Interruption): Promise<number> {
  refuseBrokenText(args);
  const { command, rest } = rewriteArguments(args);
  if (command === 'help') return show(helpText(commandFor(rest[0] ?? 'query')), interruption);
  const parsed = parseArguments(commandFor(command), rest);
  if (parsed instanceof Shown) return show(parsed.text, interruption);
  const context = await openContext(parsed, interruption);
  try {
    const run = await (RUNNERS[command] as NonNullable<(typeof RUNNERS)[string]>)();
    return await run(context);
  } catch (error) {
    if (isClosedPipe(error)) return PIPE_CODE;
    context.progress.stop();
    // After a signal or a timeout whatever was thrown is its echo; a signal needs no words.
    if (interruption.exitCode !== undefined) return interruption.exitCode;
    const cause = interruption.signal.aborted ? interruption.signal.reason : error;
    return await reportError(cause, undefined, reportingOf(context));
  }
}

/** Runs the command line and returns the exit code; never throws. */
export async function main(args: readonly string[]): Promise<number> {
  const interruption = new Interruption();
  interruption.listen();
  try {
    return await runCommand(args, interruption);
  } catch (error) {
    if (isClosedPipe(error)) return PIPE_CODE;
    return reportError(error, undefined, {
      errorFormat: earlyErrorFormat(args),
      stderrColor: readTerminal('auto').stderrColor,
      verbose: args.includes('-v') || args.includes('--verbose'),
    });
  }
}
