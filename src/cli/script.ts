/** Runs the statements of SQL texts one by one. */
import { QuernError } from '../common/error.ts';
import type { SourceSpan } from '../common/source_span.ts';
import type { QueryOptions, Session, StatementResult } from '../session/types.ts';
import type { SqlSource } from './sql_source.ts';
import { isClosedPipe } from './target.ts';

export interface ScriptRun {
  readonly session: Session;
  readonly query: QueryOptions;
  /** stop at the first error */
  readonly bail: boolean;
  /** put in front of every statement, e.g. `EXPLAIN ` */
  readonly prefix?: string | undefined;
  /** shows one result; `statement` is its text */
  onResult(result: StatementResult['result'], statement: string): Promise<void>;
  /** shows an error and returns its exit code */
  onError(error: unknown, source: SqlSource): Promise<number>;
}

export interface ScriptOutcome {
  readonly succeeded: number;
  /** exit codes of the statements that failed */
  readonly failures: readonly number[];
}

/** Runs all sources in order. An error of the run as a whole (a cancellation, a closed pipe) is thrown. */
export async function runScript(sources: readonly SqlSource[], run: ScriptRun): Promise<ScriptOutcome> {
  let succeeded = 0;
  const failures: number[] = [];
  for (const source of sources) {
    for (const part of await parts(source, run, failures)) {
      try {
        succeeded += await runPart(source, part, run);
      } catch (error) {
        if (isClosedPipe(error) || run.query.signal?.aborted) throw error;
        failures.push(await run.onError(shifted(error, run.prefix), source));
      }
      if (failures.length > 0 && run.bail) return { succeeded, failures };
    }
    if (failures.length > 0 && run.bail) return { succeeded, failures };
  }
  return { succeeded, failures };
}

/** The whole text where the session may walk it by itself, else each statement apart. */
async function parts(
  source: SqlSource,
  run: ScriptRun,
  failures: number[],
): Promise<readonly (SourceSpan | undefined)[]> {
  if (run.bail && run.prefix === undefined) return [undefined];
  const { splitStatements } = await import('../sql/index.ts');
  try {
    return splitStatements(source.text);
  } catch (error) {
    failures.push(await run.onError(error, source));
    return [];
  }
}

/** The text with all but one statement blanked out, so that positions stay those of the source. */
function only(text: string, span: SourceSpan): string {
  return text.slice(0, span.start).replace(/[^\n]/g, ' ') + text.slice(span.start, span.end);
}

async function runPart(source: SqlSource, span: SourceSpan | undefined, run: ScriptRun): Promise<number> {
  const prefix = run.prefix ?? '';
  const text = span === undefined ? source.text : prefix + only(source.text, span);
  const statements = run.session.query(text, run.query)[Symbol.asyncIterator]();
  let count = 0;
  for (;;) {
    const step = await unlessAborted(statements.next(), run.query.signal);
    if (step.done === true) return count;
    const { result, span: own } = step.value;
    const whole = span ?? own;
    await run.onResult(result, source.text.slice(whole.start, whole.end));
    count++;
  }
}

/** Planning may read many footers: a cancellation does not wait for that. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The error as if there were no prefix. */
function shifted(error: unknown, prefix: string | undefined): unknown {
  if (!(error instanceof QuernError) || error.span === undefined || prefix === undefined) return error;
  const start = Math.max(0, error.span.start - prefix.length);
  const end = Math.max(start, error.span.end - prefix.length);
  return new QuernError({
    source: error.source,
    code: error.code,
    message: error.message,
    span: { start, end },
    hint: error.hint,
    cause: error,
  });
}
