import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { EngineName, TextEngineOptions } from '../../../src/reference/text_engine.ts';
import { openTextEngine } from '../../../src/reference/text_engine.ts';
import { parseArguments } from '../arguments.ts';
import type { TaskEnd } from '../process_pool.ts';
import { runInProcesses, serveTasks } from '../process_pool.ts';
import type { CorpusTask, Fault } from './check_task.ts';
import { checkTask } from './check_task.ts';
import { readCorpus } from './corpus_files.ts';

const MIB = 1024 * 1024;
/** Memory a query may reserve, in bytes; a process may use 256 MiB more. */
const MEMORY_LIMIT = 1024 * MIB;
const RSS_SLACK = 256 * MIB;
/** Files of which the query time (ms) and the peak of the process (bytes) are promised. */
const PROMISES: readonly { ending: string; check: string; elapsedMs: number; rss: number }[] = [
  { ending: 'bomb/dict_run_1e9.parquet', check: 'sum(x)', elapsedMs: 1000, rss: 200 * MIB },
];

/** A bomb may take long under settings that make batches tiny. */
const BOMB_TIMEOUT_MS = 300_000;

interface WorkerConfig {
  readonly engine: EngineName;
  readonly options: TextEngineOptions;
}

interface Answer {
  readonly fault: Fault;
  /** of the task alone */
  readonly elapsedMs: number;
  /** peak of the process so far, bytes */
  readonly rss: number;
}

async function runWorker(config: WorkerConfig): Promise<void> {
  const engine = await openTextEngine(config.engine, config.options);
  serveTasks<CorpusTask, Answer>(
    async (task) => {
      const started = performance.now();
      const fault = await checkTask(engine, task);
      const elapsedMs = performance.now() - started;
      return { fault, elapsedMs, rss: process.resourceUsage().maxRSS * 1024 };
    },
    () => engine.close(),
  );
}

/** Counts by class, in order of first sight. */
class Tally {
  readonly failures: string[] = [];
  readonly slow: { name: string; ms: number }[] = [];
  private readonly counts = new Map<string, { passed: number; failed: number }>();

  add(name: string, label: string, fault: Fault, elapsedMs: number): void {
    const count = this.counts.get(name) ?? { passed: 0, failed: 0 };
    this.counts.set(name, count);
    if (fault === undefined) count.passed++;
    else {
      count.failed++;
      this.failures.push(`FAIL ${name} ${label}\n     ${fault}`);
    }
    this.slow.push({ name: label, ms: elapsedMs });
  }

  print(shown: number): void {
    for (const failure of this.failures.slice(0, shown)) console.log(failure);
    if (this.failures.length > shown) console.log(`… ${this.failures.length - shown} more (--failures N shows them)`);
    for (const [name, { passed, failed }] of this.counts) {
      console.log(`${name.padEnd(16)} ${passed} passed, ${failed} failed`);
    }
  }
}

/** `promised` = the time and memory of PROMISES are checked too: not with tiny batches, which cost time by design. */
function faultOf(task: CorpusTask, end: TaskEnd<Answer>, promised: boolean): Fault {
  if (end.kind === 'crash') return `crashed: ${end.reason}${end.stderr === '' ? '' : `\n${end.stderr}`}`;
  const { fault, elapsedMs, rss } = end.answer;
  if (fault !== undefined || task.kind !== 'bomb') return fault;
  const promise = !promised
    ? undefined
    : PROMISES.find((p) => task.entry.file.endsWith(p.ending) && task.check === p.check);
  const limit = promise?.rss ?? MEMORY_LIMIT + RSS_SLACK;
  if (rss > limit) return `peak memory ${mib(rss)} MiB, allowed ${mib(limit)} MiB`;
  if (promise !== undefined && elapsedMs > promise.elapsedMs) {
    return `${task.check} took ${elapsedMs.toFixed(0)} ms, allowed ${promise.elapsedMs} ms`;
  }
  return undefined;
}

const mib = (bytes: number): string => (bytes / MIB).toFixed(0);

function className(task: CorpusTask): string {
  return task.kind === 'file' ? task.entry.expect : task.kind;
}

function label(task: CorpusTask): string {
  const detail = task.kind === 'query' ? ` ${task.entry.sql}` : task.kind === 'bomb' ? ` ${task.check}` : '';
  return `${task.entry.file}${detail}`;
}

async function main(argv: readonly string[]): Promise<number> {
  const withValue = ['engine', 'filter', 'jobs', 'timeout', 'failures', 'threads'];
  const { rest, flags, settings } = parseArguments(argv, withValue, ['slowest']);
  const [folder] = rest;
  if (folder === undefined || rest.length > 1) {
    console.error(
      'usage: corpus DIR [--set NAME=VALUE] [--filter REGEX] [--jobs N] [--timeout SECONDS] [--failures N]',
    );
    return 2;
  }
  const corpus = readCorpus(resolve(folder));
  const filter = new RegExp(flags.get('filter') ?? '');
  const engine = (flags.get('engine') ?? 'quern') as EngineName;
  const threads = Number(flags.get('threads') ?? 2);
  const config: WorkerConfig = { engine, options: { threads, memoryLimit: MEMORY_LIMIT, settings } };
  const root = corpus.root;
  const tasks: CorpusTask[] = [
    ...corpus.files.filter((e) => e.expect !== 'bomb').map((entry): CorpusTask => ({ kind: 'file', root, entry })),
    ...corpus.queries.map((entry): CorpusTask => ({ kind: 'query', root, entry })),
  ].filter((task) => filter.test(label(task)));
  const bombs = corpus.files
    .filter((entry) => entry.expect === 'bomb')
    .flatMap((entry) =>
      Object.keys(entry.checks ?? {}).map((check): CorpusTask => ({ kind: 'bomb', root, entry, check })),
    )
    .filter((task) => filter.test(label(task)));

  const promised = settings['batch.rows'] === undefined;
  const tally = new Tally();
  const started = performance.now();
  const pool = {
    script: process.argv[1] as string,
    args: ['--worker', JSON.stringify(config)],
    timeoutMs: Number(flags.get('timeout') ?? 60) * 1000,
    onEnd: (task: CorpusTask, end: TaskEnd<Answer>, elapsedMs: number) =>
      tally.add(className(task), label(task), faultOf(task, end, promised), elapsedMs),
  };
  const size = Number(flags.get('jobs') ?? Math.max(1, availableParallelism()));
  await runInProcesses<CorpusTask, Answer>(tasks, { ...pool, size });
  // one at a time and each in a new process: time and peak of memory are checked
  await runInProcesses<CorpusTask, Answer>(bombs, {
    ...pool,
    size: 1,
    tasksPerProcess: 1,
    timeoutMs: BOMB_TIMEOUT_MS,
  });

  tally.print(Number(flags.get('failures') ?? 50));
  if (flags.has('slowest')) {
    for (const { name, ms } of tally.slow.sort((a, b) => b.ms - a.ms).slice(0, 20))
      console.log(`${ms.toFixed(0)} ms ${name}`);
  }
  const total = tasks.length + bombs.length;
  const failed = tally.failures.length;
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  console.log(`${total - failed} passed, ${failed} failed, 0 skipped`);
  if (total === 0) return 2;
  return failed > 0 ? 1 : 0;
}

const [, , first, second] = process.argv;
if (first === '--worker') await runWorker(JSON.parse(second as string) as WorkerConfig);
else process.exitCode = await main(process.argv.slice(2));
