import { writeFile } from 'node:fs/promises';
import { QuernError } from '../common/error.ts';
import type { EngineName, TextEngineOptions } from '../reference/text_engine.ts';
import { openTextEngine } from '../reference/text_engine.ts';
import type { CheckSummary } from './report.ts';
import { fileLine, githubReport, jsonReport, junitReport, summarize, textReport } from './report.ts';
import type { FileResult, RunFileOptions } from './run_file.ts';
import { runFile } from './run_file.ts';
import { findFiles, inShard, parseShard } from './select_files.ts';
import { DEFAULT_TOLERANCE } from './slt_compare.ts';

export type { CheckSummary } from './report.ts';

export interface CheckOptions extends TextEngineOptions {
  /** sqllogictest files (.slt, .test) and folders of them */
  readonly paths: readonly string[];
  /** default quern */
  readonly engine?: EngineName | undefined;
  /** also runs every record there and compares; with `update` and engine duckdb its results become the expected ones */
  readonly ref?: EngineName | undefined;
  /** writes results into the files: `new` = only where none is written, `all` = everywhere */
  readonly update?: 'new' | 'all' | undefined;
  /** regular expression; queries whose SQL does not match are skipped */
  readonly filter?: string | undefined;
  /** `i/n` */
  readonly shard?: string | undefined;
  /** files at once, default 1 */
  readonly jobs?: number | undefined;
  /** differences shown of one record, default 10 */
  readonly maxDiffs?: number | undefined;
  readonly rtol?: number | undefined;
  readonly atol?: number | undefined;
  readonly failFast?: boolean | undefined;
  /** prints the files and runs nothing */
  readonly list?: boolean | undefined;
  readonly passWithNoTests?: boolean | undefined;
  /** a CI run: `update` is refused there */
  readonly ci?: boolean | undefined;
  /** text | junit | json | github, each with `=FILE` or to the output; default text */
  readonly reporters?: readonly string[] | undefined;
  /** receives the text of the report; default stdout */
  readonly write?: ((text: string) => void) | undefined;
}

const REPORTERS: Readonly<Record<string, (summary: CheckSummary) => string>> = {
  text: textReport,
  junit: junitReport,
  json: jsonReport,
  github: githubReport,
};

/**
 * Runs sqllogictest files and reports.
 * Returns the exit code: 0 all passed, 1 a record failed, 3 a file could not be run to its end.
 */
export async function runCheck(options: CheckOptions): Promise<number> {
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  const reporters = (options.reporters ?? ['text']).map(parseReporter);
  if (options.update !== undefined && options.ci === true) throw usage('--update does not run in CI');
  const files = await selectFiles(options);
  if (files.length === 0) {
    if (options.passWithNoTests === true) return 0;
    throw usage(`no test files: ${options.paths.join(' ')}`, '--pass-with-no-tests makes this no error');
  }
  if (options.list === true) {
    write(files.map((file) => `${file}\n`).join(''));
    return 0;
  }
  const progress = reporters.some((r) => r.name === 'text' && r.file === undefined) ? write : () => {};
  const started = performance.now();
  const results = await runFiles(files, runOptions(options), options.jobs ?? 1, (file) => progress(fileLine(file)));
  const summary = summarize(results, performance.now() - started);
  for (const reporter of reporters) {
    const text = reporter.render(summary);
    if (reporter.file === undefined) write(text);
    else await writeFile(reporter.file, text);
  }
  if (summary.broken > 0) return 3;
  return summary.failed > 0 ? 1 : 0;
}

function parseReporter(text: string): { name: string; file: string | undefined; render: (s: CheckSummary) => string } {
  const [name = '', file] = text.split('=', 2);
  const render = REPORTERS[name];
  if (render === undefined) throw usage(`unknown reporter: ${name}`, `one of ${Object.keys(REPORTERS).join(', ')}`);
  return { name, file, render };
}

async function selectFiles(options: CheckOptions): Promise<string[]> {
  const files = await findFiles(options.paths);
  const { shard } = options;
  if (shard === undefined) return files;
  const part = parseShard(shard);
  return files.filter((file) => inShard(file, part));
}

/** With `update` and `ref` the reference gives the expected results, and the engine is not asked. */
function runOptions(options: CheckOptions): RunFileOptions {
  const fromReference = options.update !== undefined && options.ref !== undefined;
  return {
    engine: fromReference ? (options.ref as EngineName) : (options.engine ?? 'quern'),
    ref: fromReference ? undefined : options.ref,
    update: options.update,
    tolerance: { rtol: options.rtol ?? DEFAULT_TOLERANCE.rtol, atol: options.atol ?? DEFAULT_TOLERANCE.atol },
    maxDiffs: options.maxDiffs ?? 10,
    failFast: options.failFast ?? false,
    filter: options.filter === undefined ? undefined : compilePattern(options.filter),
    // one thread: then first(), list() and string_agg() of DuckDB see the rows in file order, as quern's do
    open: (name) => openTextEngine(name, name === 'duckdb' ? { ...options, threads: 1 } : options),
  };
}

function compilePattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new QuernError({
      source: 'user',
      code: 'usage',
      message: `--filter is not a regular expression: ${text}`,
      cause,
    });
  }
}

/** Results in the order of the files, whatever ends first. */
async function runFiles(
  files: readonly string[],
  options: RunFileOptions,
  jobs: number,
  done: (file: FileResult) => void,
): Promise<FileResult[]> {
  const results: FileResult[] = new Array(files.length);
  let next = 0;
  let stopped = false;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < files.length && !stopped; i = next++) {
      const result = await runFile(files[i] as string, options);
      results[i] = result;
      done(result);
      const failed = result.error !== undefined || result.records.some((record) => record.outcome === 'failed');
      if (failed && options.failFast) stopped = true;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(jobs, files.length)) }, worker));
  return results.filter((result) => result !== undefined);
}

function usage(message: string, hint?: string): QuernError {
  return new QuernError({ source: 'user', code: 'usage', message, hint });
}
