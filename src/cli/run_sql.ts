/** What query and explain share: session, tables, parameters, limits, exit code. */
import { QuernError } from '../common/error.ts';
import type { QueryOptions, Session, SessionOptions } from '../session/types.ts';
import type { Context } from './context.ts';
import { reportError, reportingOf } from './context.ts';
import { worstExitCode } from './error_report.ts';
import { readParams } from './params.ts';
import { parseDuration } from './quantity.ts';
import { runScript, type ScriptRun } from './script.ts';
import { findSetting, findSwitch, sessionOptions } from './settings.ts';
import { readSources } from './sql_source.ts';
import { registerTables } from './tables.ts';
import type { OutputTarget } from './target.ts';

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);

/** Session options with the flags that only SQL commands have. */
function optionsOf(context: Context): SessionOptions {
  const base = sessionOptions(context.sources);
  const strict = findSwitch(context.sources, 'strict', 'engine.strict') === true;
  if (strict && base.device !== 'gpu' && typeof base.device !== 'number') {
    throw new QuernError({
      source: 'resource',
      code: 'no-device',
      message: `--strict: the plan would run on the CPU, device is ${base.device ?? 'auto'}`,
      hint: '--device gpu, or leave out --strict',
    });
  }
  const badFile = findSetting(context.sources, 'onBadFile', 'query.on_bad_file')?.text;
  const settings =
    badFile === undefined || badFile === 'error' ? base.settings : { ...base.settings, on_bad_file: badFile };
  return { ...base, strict, settings };
}

export interface SqlCommand {
  readonly target: OutputTarget;
  readonly prefix?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly writeTo?: QueryOptions['writeTo'];
  /** an error as the user shall see it */
  readonly named?: ((error: unknown) => unknown) | undefined;
  onResult: ScriptRun['onResult'];
}

/** Opens a session, runs every source and returns the exit code. */
export async function runSql(context: Context, command: SqlCommand): Promise<number> {
  const { interruption, progress, options } = context;
  const { target } = command;
  const bail = findSwitch(context.sources, 'bail', 'query.bail') ?? true;
  const sources = await readSources(context.parsed);
  const timeout = findSetting(context.sources, 'timeout', 'query.timeout');
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout.text, timeout.origin);
  const { openSession, discardUnfinishedFiles } = await import('../session/index.ts');
  const session: Session = await openSession(optionsOf(context));
  try {
    registerTables(session, {
      configured: context.config.tables,
      directories: texts(options.data),
      pairs: texts(options.table),
    });
    const query: QueryOptions = {
      params: await readParams(texts(options.param), session),
      signal: interruption.signal,
      dryRun: command.dryRun,
      writeTo: command.writeTo,
      writeRows: async (result, write) => {
        const { copyRows } = await import('./copy_rows.ts');
        await copyRows(result, write, interruption);
      },
    };
    if (timeoutMs !== undefined) interruption.limitTime(timeoutMs, timeout?.text ?? '');
    interruption.onEnd(discardUnfinishedFiles);
    progress.start();
    const outcome = await runScript(sources, {
      session,
      query,
      bail,
      prefix: command.prefix,
      async onResult(result, statement) {
        await command.onResult(result, statement);
        progress.start();
      },
      async onError(error, source) {
        progress.stop();
        await target.flush();
        return reportError(command.named?.(error) ?? error, source, reportingOf(context));
      },
    });
    progress.stop();
    if (outcome.failures.length > 0) {
      await target.flush();
      target.discard();
      // Without --bail a script that went on after an error has run in part.
      const partly = !bail && outcome.succeeded > 0;
      return worstExitCode(partly ? [3, ...outcome.failures] : outcome.failures);
    }
    await target.commit();
    return 0;
  } catch (error) {
    target.discard();
    throw error;
  } finally {
    progress.stop();
    interruption.settle();
    await session.close();
  }
}
