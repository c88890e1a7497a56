import type { SuiteQuery } from '../../../src/bench/suite.ts';
import { readSuite } from '../../../src/bench/suite.ts';
import { findTables, registerTables } from '../../../src/bench/tables.ts';
import { openTextEngine } from '../../../src/reference/text_engine.ts';
import { runInProcesses, serveTasks } from '../process_pool.ts';

const MIB = 1024 * 1024;
/** What a process may use beyond the budget of the engine. */
const SLACK = 256 * MIB;

export interface MemoryWorkerConfig {
  readonly data: string;
  readonly tables: Readonly<Record<string, string>>;
  readonly threads: number;
  readonly memoryLimit: number;
}

interface Answer {
  readonly rss: number;
  readonly error: string | undefined;
}

export async function runMemoryWorker(config: MemoryWorkerConfig): Promise<void> {
  const engine = await openTextEngine('quern', config);
  await registerTables(engine, await findTables(config.data, config.tables));
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

/** Runs each query of a suite once in a process of its own and checks its peak of memory. Returns whether all hold. */
export async function checkPeakMemory(suitePath: string, threads: number, memoryLimit: number): Promise<boolean> {
  const suite = await readSuite(suitePath);
  const config: MemoryWorkerConfig = { data: suite.data ?? '.', tables: suite.tables, threads, memoryLimit };
  let holds = true;
  await runInProcesses<SuiteQuery, Answer>(suite.queries, {
    size: 1,
    tasksPerProcess: 1,
    script: process.argv[1] as string,
    args: ['--memory-worker', JSON.stringify(config)],
    timeoutMs: 120_000,
    onEnd: (query, end) => {
      const peak = end.kind === 'answer' ? end.answer.rss : 0;
      const fault = end.kind === 'crash' ? end.reason : (end.answer.error ?? '');
      const good = fault === '' && peak <= memoryLimit + SLACK;
      if (!good) holds = false;
      console.log(`${query.id.padEnd(36)}${(peak / MIB).toFixed(0).padStart(8)} MiB ${good ? '' : `FAIL ${fault}`}`);
    },
  });
  return holds;
}
