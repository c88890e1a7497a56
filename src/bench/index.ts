import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QuernError } from '../common/error.ts';
import type { EngineName, TextEngine, TextEngineOptions } from '../reference/text_engine.ts';
import { openTextEngine } from '../reference/text_engine.ts';
import { describeEnvironment } from './environment.ts';
import { measure } from './measure.ts';
import { textReport } from './report.ts';
import type { BenchResult, QueryResult } from './result.ts';
import type { Selection } from './select_queries.ts';
import { selectQueries } from './select_queries.ts';
import { shiftedGeomean } from './statistics.ts';
import type { Suite, SuiteQuery } from './suite.ts';
import { prepareEngine, readSuite } from './suite.ts';
import { describeData, findTables } from './tables.ts';
import type { Validation } from './validate.ts';
import { validate } from './validate.ts';

export type { BenchResult } from './result.ts';

export interface BenchOptions extends TextEngineOptions, Selection {
  /** a folder of .sql files, a suite.toml or a .sql file */
  readonly suite: string;
  /** folder of the tables; default the one that the suite names */
  readonly data?: string | undefined;
  /** default quern */
  readonly engine?: EngineName | undefined;
  /** another engine to measure in turns */
  readonly vs?: EngineName | undefined;
  /** runs before the clock counts, default 1 */
  readonly warmup?: number | undefined;
  /** timed runs, default 5 */
  readonly runs?: number | undefined;
  /** per run, ms; default 300,000 */
  readonly timeoutMs?: number | undefined;
  /** `ref` compares the rows with `vs` once a query; default `ref` when there is one */
  readonly validate?: 'off' | 'ref' | undefined;
  readonly rtol?: number | undefined;
  readonly atol?: number | undefined;
  readonly failFast?: boolean | undefined;
  /** result file; default bench/results/<suite>-<time>.json */
  readonly output?: string | undefined;
  readonly toolVersion?: string | undefined;
  /** receives the text of the report; default stdout */
  readonly write?: ((text: string) => void) | undefined;
}

/** Milliseconds added to every time in the geometric mean. */
const GEOMEAN_SHIFT = 10;

/**
 * Runs a suite and writes the result file.
 * Returns the exit code: 0, 1 a wrong result or a missed bar, 3 a query failed or timed out.
 */
export async function runBench(options: BenchOptions): Promise<number> {
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  const result = await benchSuite(options);
  const output = options.output ?? join('bench', 'results', `${result.id}.json`);
  await mkdir(dirname(output), { recursive: true });
  await writeFile(`${output}.tmp`, `${JSON.stringify(result, null, 2)}\n`);
  await rename(`${output}.tmp`, output);
  write(textReport(result));
  write(`${output}\n`);
  if (result.queries.some((query) => query.status === 'failed' || query.status === 'timeout')) return 3;
  const wrong = result.queries.some((query) => query.status === 'incorrect');
  const { missed, max_geomean_ratio: missedMean } = result.summary;
  return wrong || missed.length > 0 || missedMean !== undefined ? 1 : 0;
}

/** Runs a suite and returns what the result file will hold. */
export async function benchSuite(options: BenchOptions): Promise<BenchResult> {
  const suite = await readSuite(options.suite);
  const selected = selectQueries(suite.queries, options);
  if (selected.length === 0) throw new QuernError({ source: 'user', code: 'usage', message: 'no query is selected' });
  const started = new Date();
  const data = options.data ?? suite.data;
  const tables = data === undefined ? [] : await findTables(data, suite.tables);
  const engine = await openTextEngine(options.engine ?? 'quern', options);
  const vs = options.vs === undefined ? undefined : await openTextEngine(options.vs, options);
  try {
    await prepareEngine(engine, suite, tables);
    if (vs !== undefined) await prepareEngine(vs, suite, tables);
    const queries: QueryResult[] = [];
    for (const query of selected) {
      const result = await benchQuery(query, engine, vs, options);
      queries.push(result);
      if (result.status !== 'ok' && options.failFast === true) break;
    }
    return {
      schema: 'quern.bench/1',
      id: `${suite.name}-${started.toISOString().replace(/[:.]/g, '-')}`,
      started: started.toISOString(),
      finished: new Date().toISOString(),
      tool: {
        name: 'quern',
        version: options.toolVersion ?? '',
        vs: vs === undefined ? undefined : { name: vs.name, version: await vs.version() },
      },
      env: await describeEnvironment(),
      data: data === undefined ? null : await describeData(data),
      suite: { name: suite.name, hash: suite.hash },
      config: {
        threads: options.threads ?? null,
        memory_limit: options.memoryLimit ?? null,
        settings: options.settings ?? {},
        warmup: options.warmup ?? 1,
        runs: options.runs ?? 5,
        cache: 'hot',
      },
      queries,
      summary: summarize(queries, suite),
    };
  } finally {
    await engine.close();
    await vs?.close();
  }
}

async function benchQuery(
  query: SuiteQuery,
  engine: TextEngine,
  vs: TextEngine | undefined,
  options: BenchOptions,
): Promise<QueryResult> {
  const { id, hash, tags, sql } = query;
  const timeoutMs = options.timeoutMs ?? 300_000;
  const competitors = [engine, ...(vs === undefined ? [] : [vs])].map((e) => () => e.drain(sql, timeoutMs));
  try {
    const [own, other] = await measure(competitors, { warmup: options.warmup ?? 1, runs: options.runs ?? 5 });
    if (own === undefined) throw new Error('nothing was measured');
    const validation = await validationOf(engine, vs, sql, options);
    return {
      id,
      hash,
      tags,
      status: validation.status === 'failed' ? 'incorrect' : 'ok',
      ...own.times,
      rows: own.rows,
      validation,
      vs:
        other === undefined || vs === undefined
          ? undefined
          : { engine: vs.name, ...other.times, ratio: own.times.median_ms / other.times.median_ms },
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const timeout = (error instanceof QuernError && error.code === 'timeout') || /abort|interrupt/i.test(message);
    const validation: Validation = { status: 'off', method: 'none', mismatches: [] };
    return { id, hash, tags, status: timeout ? 'timeout' : 'failed', validation, error: { message } };
  }
}

async function validationOf(
  engine: TextEngine,
  vs: TextEngine | undefined,
  sql: string,
  options: BenchOptions,
): Promise<Validation> {
  if (vs === undefined || options.validate === 'off') return { status: 'off', method: 'none', mismatches: [] };
  return validate(engine, vs, sql, { rtol: options.rtol ?? 1e-9, atol: options.atol ?? 1e-9 });
}

function summarize(queries: readonly QueryResult[], suite: Suite): BenchResult['summary'] {
  const medians = queries.flatMap((query) => (query.median_ms === undefined ? [] : [query.median_ms]));
  const ratios = queries
    .flatMap((query) => (query.vs === undefined ? [] : [{ id: query.id, ratio: query.vs.ratio }]))
    .sort((a, b) => b.ratio - a.ratio);
  const { maxRatio, maxGeomeanRatio } = suite;
  const mean =
    ratios.length === 0
      ? undefined
      : shiftedGeomean(
          ratios.map((entry) => entry.ratio),
          0,
        );
  return {
    queries: queries.length,
    ok: queries.filter((query) => query.status === 'ok').length,
    geomean_ms: shiftedGeomean(medians, GEOMEAN_SHIFT),
    total_ms: medians.reduce((sum, value) => sum + value, 0),
    geomean_ratio: mean,
    max_geomean_ratio: (mean ?? 0) > (maxGeomeanRatio ?? Number.POSITIVE_INFINITY) ? maxGeomeanRatio : undefined,
    losers: ratios.filter((entry) => entry.ratio > 1),
    missed:
      maxRatio === undefined
        ? []
        : ratios.filter((entry) => entry.ratio > maxRatio).map((entry) => ({ ...entry, max_ratio: maxRatio })),
  };
}
