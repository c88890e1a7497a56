import { prepareEngine, readSuite, type SuiteQuery } from '../../../src/bench/suite.ts';
import { findTables } from '../../../src/bench/tables.ts';
import type { EngineName } from '../../../src/reference/text_engine.ts';
import { openTextEngine } from '../../../src/reference/text_engine.ts';
import { runInProcesses, serveTasks } from '../process_pool.ts';

const MIB = 1024 * 1024;
/** What a process may use beyond the budget of the engine. */
const SLACK = 256 * MIB;

export interface MemoryWorkerConfig {
  readonly engine: EngineName;
  readonly suite: string;
  readonly threads: number;
  readonly memoryLimit: number;
}

interface Answer {
  readonly rss: number;
  readonly error: string | undefined;
}

/** Greatest resident memory of a process that ran one query; why it failed, or nothing. */
interface Peak {
  readonly bytes: number;
  readonly fault: string;
}

/** One query: the peak of each engine. */
export interface QueryPeak {
  readonly id: string;
  readonly peak_bytes: number;
  readonly vs_peak_bytes: number | null;
  readonly ratio: number | null;
  readonly fault: string;
}

export async function runMemoryWorker(config: MemoryWorkerConfig): Promise<void> {
  const suite = await readSuite(config.suite);
  const engine = await openTextEngine(config.engine, config);
  await prepareEngine(engine, suite, suite.data === undefined ? [] : await findTables(suite.data, suite.tables));
  serveTasks<SuiteQuery, Answer>(
    async (query) => {
      let error: string | undefined;
      try {
        await engine.drain(query.sql);
      } catch (cause) {
        error = cause instanceof Error ? cause.message : String(cause);
      }
      return { rss: process.resourceUsage().maxRSS * 1024, error };
    },
    () => engine.close(),
  );
}

/** Runs each query once in a process of its own. */
async function peaksOf(queries: readonly SuiteQuery[], config: MemoryWorkerConfig): Promise<Map<string, Peak>> {
  const peaks = new Map<string, Peak>();
  await runInProcesses<SuiteQuery, Answer>(queries, {
    size: 1,
    tasksPerProcess: 1,
    script: process.argv[1] as string,
    args: ['--memory-worker', JSON.stringify(config)],
    timeoutMs: 120_000,
    onEnd: (query, end) => {
      const peak =
        end.kind === 'crash'
          ? { bytes: 0, fault: end.reason }
          : { bytes: end.answer.rss, fault: end.answer.error ?? '' };
      peaks.set(query.id, peak);
    },
  });
  return peaks;
}

/**
 * Measures the peak of memory of each query, of DuckDB as well where the suite bounds the ratio, and prints it.
 * `holds`: no query failed or went beyond the budget or that ratio.
 */
export async function checkPeakMemory(
  suitePath: string,
  threads: number,
  memoryLimit: number,
): Promise<{ holds: boolean; peaks: QueryPeak[] }> {
  const suite = await readSuite(suitePath);
  const config = { suite: suitePath, threads, memoryLimit };
  const own = await peaksOf(suite.queries, { ...config, engine: 'quern' });
  const { maxMemoryRatio } = suite;
  const other =
    maxMemoryRatio === undefined ? new Map() : await peaksOf(suite.queries, { ...config, engine: 'duckdb' });
  const peaks: QueryPeak[] = [];
  for (const { id } of suite.queries) {
    const { bytes, fault } = own.get(id) as Peak;
    const theirs = other.get(id)?.bytes as number | undefined;
    const ratio = theirs === undefined || theirs === 0 ? null : bytes / theirs;
    const excess =
      bytes > memoryLimit + SLACK
        ? `beyond ${memoryLimit / MIB} MiB`
        : maxMemoryRatio !== undefined && ratio !== null && ratio > maxMemoryRatio
          ? `over the bar of ${maxMemoryRatio}×`
          : '';
    peaks.push({ id, peak_bytes: bytes, vs_peak_bytes: theirs ?? null, ratio, fault: fault || excess });
  }
  for (const peak of peaks) console.log(peakLine(peak));
  return { holds: peaks.every((peak) => peak.fault === ''), peaks };
}

function peakLine({ id, peak_bytes: own, vs_peak_bytes: other, ratio, fault }: QueryPeak): string {
  const mib = (bytes: number): string => `${(bytes / MIB).toFixed(0).padStart(8)} MiB`;
  const against = other === null ? '' : `${mib(other)} DuckDB${(ratio?.toFixed(2) ?? '').padStart(8)}`;
  return `${id.padEnd(36)}${mib(own)}${against}${fault === '' ? '' : `  FAIL ${fault}`}`;
}
