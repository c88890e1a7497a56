import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runBench } from '../../../src/bench/index.ts';
import { parseArguments } from '../arguments.ts';
import type { MemoryWorkerConfig } from './peak_memory.ts';
import { checkPeakMemory, runMemoryWorker } from './peak_memory.ts';
import type { PlanningWorkerConfig } from './planning.ts';
import { benchPlanning, runPlanningWorker } from './planning.ts';
import { prepareData } from './prepare.ts';
import { prepareTpcds } from './prepare_tpcds.ts';
import { benchSkew } from './skew.ts';
import { benchStartup } from './startup.ts';
import { benchThresholds } from './thresholds.ts';
import { benchWrite } from './write.ts';

const USAGE = `usage: bench SUITE… [--threads 1,2] [--scale N] [--runs N] [--warmup N] [--queries SEL] [--memory BYTES] [--peak-memory]
suites: scan, group_by, join, vector, list_reduction, queries, write, startup, planning, thresholds, skew, or a folder of .sql files`;
const MEMORY_LIMIT = 2 * 1024 * 1024 * 1024;
const BUILT_IN: readonly string[] = ['scan', 'group_by', 'join', 'vector', 'list_reduction'];
/** The second core must give this much. */
const SCALING_BAR = 1.7;

/** Makes the data of a suite that this repository holds. Returns its folder; a path stays what it is. */
async function prepareSuite(root: string, suite: string, scale: number): Promise<string> {
  if (suite === 'queries') {
    await prepareTpcds(join(root, 'data', 'tpcds'), scale);
    return join(root, 'queries');
  }
  if (!BUILT_IN.includes(suite)) return suite;
  await prepareData(join(root, 'data', 'bench'), scale);
  return join(root, 'bench', 'queries', suite);
}

/** Median times by query of one result file. */
function medians(path: string): Map<string, number> {
  const result = JSON.parse(readFileSync(path, 'utf8')) as { queries: { id: string; median_ms?: number }[] };
  return new Map(result.queries.flatMap((q) => (q.median_ms === undefined ? [] : [[q.id, q.median_ms]])));
}

function reportScaling(suite: string, one: string, two: string): void {
  const [single, double] = [medians(one), medians(two)];
  console.log(`${suite}: speed-up of the second thread (bar ${SCALING_BAR})`);
  for (const [id, ms] of single) {
    const faster = ms / (double.get(id) ?? Number.NaN);
    console.log(`${id.padEnd(36)}${faster.toFixed(2).padStart(8)}${faster < SCALING_BAR ? '  under the bar' : ''}`);
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const withValue = ['threads', 'scale', 'runs', 'warmup', 'queries', 'engine', 'vs', 'memory'];
  const { rest, flags, settings } = parseArguments(argv, withValue, ['peak-memory']);
  if (rest.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const root = resolve(import.meta.dirname, '..');
  const threadCounts = (flags.get('threads') ?? '1,2').split(',').map(Number);
  const memoryLimit = Number(flags.get('memory') ?? MEMORY_LIMIT);
  let code = 0;
  for (const suite of rest) {
    if (suite === 'startup') {
      if (!benchStartup(root)) code ||= 1;
      continue;
    }
    if (suite === 'planning') {
      const data = join(root, 'data', 'tpcds');
      await prepareTpcds(data, Number(flags.get('scale') ?? 1));
      if (!benchPlanning(root, data)) code ||= 1;
      continue;
    }
    if (suite === 'thresholds') {
      const threads = Math.max(...threadCounts);
      const output = join(root, 'bench', 'results', `thresholds-${threads}-threads.json`);
      const runs = Number(flags.get('runs') ?? 5);
      if (!(await benchThresholds({ threads, runs, queries: flags.get('queries'), output }))) code ||= 1;
      continue;
    }
    if (suite === 'skew') {
      const threads = Math.max(...threadCounts);
      if (!(await benchSkew({ threads, runs: Number(flags.get('runs') ?? 5) }))) code ||= 1;
      continue;
    }
    if (suite === 'write') {
      const data = join(root, 'data', 'bench');
      await prepareData(data, Number(flags.get('scale') ?? 1));
      const threads = Math.max(...threadCounts);
      const runs = Number(flags.get('runs') ?? 3);
      if (!(await benchWrite({ data, threads, memoryLimit, runs, queries: flags.get('queries') }))) code ||= 1;
      continue;
    }
    const path = await prepareSuite(root, suite, Number(flags.get('scale') ?? 1));
    const result = join(root, 'bench', 'results', suite.replace(/\W+/g, '_'));
    if (flags.has('peak-memory')) {
      const threads = Math.max(...threadCounts);
      const { holds, peaks } = await checkPeakMemory(path, threads, memoryLimit);
      const record = { threads, memory_limit: memoryLimit, queries: peaks };
      writeFileSync(`${result}-memory.json`, `${JSON.stringify(record, null, 2)}\n`);
      if (!holds) code ||= 1;
      continue;
    }
    const outputs: string[] = [];
    for (const threads of threadCounts) {
      const output = `${result}-${threads}-threads.json`;
      outputs.push(output);
      const end = await runBench({
        suite: path,
        threads,
        memoryLimit,
        settings,
        output,
        engine: flags.get('engine') === 'duckdb' ? 'duckdb' : 'quern',
        vs: flags.get('vs') === 'none' ? undefined : 'duckdb',
        runs: Number(flags.get('runs') ?? 5),
        warmup: Number(flags.get('warmup') ?? 1),
        queries: flags.get('queries'),
      });
      code ||= end;
    }
    const [one, two] = outputs;
    if (one !== undefined && two !== undefined) reportScaling(suite, one, two);
  }
  return code;
}

const [, , first, second] = process.argv;
if (first === '--memory-worker') await runMemoryWorker(JSON.parse(second as string) as MemoryWorkerConfig);
else if (first === '--planning-worker') await runPlanningWorker(JSON.parse(second as string) as PlanningWorkerConfig);
else process.exitCode = await main(process.argv.slice(2));
