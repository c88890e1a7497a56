import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText, isInternal } from '../../../src/check/error_text.ts';
import type { EngineName } from '../../../src/reference/text_engine.ts';
import { openTextEngine } from '../../../src/reference/text_engine.ts';
import { parseArguments } from '../arguments.ts';
import { runInProcesses, serveTasks } from '../process_pool.ts';
import { flipped, flipsOf } from './flip.ts';

const MIB = 1024 * 1024;
const MEMORY_LIMIT = 512 * MIB;
const RSS_LIMIT = MEMORY_LIMIT + 256 * MIB;
/** Only small files: a round costs a whole read. */
const MAX_FILE_BYTES = 64 * 1024;
const ROUNDS_PER_TASK = 200;
const DEFAULT_ROUNDS = 100_000;
const MAX_SHOWN = 50;
/** Whole reads stay in columns: text of a huge list is the memory of JavaScript, not of the engine. */
const QUERIES: readonly { readonly sql: string; readonly asText: boolean }[] = [
  { sql: 'SELECT * FROM read_parquet({FILE})', asText: false },
  { sql: 'SELECT * FROM read_parquet({FILE}) LIMIT 100', asText: true },
  { sql: 'SELECT count(*) FROM read_parquet({FILE})', asText: true },
  { sql: 'COPY (FROM read_parquet({FILE})) TO {COPY} (FORMAT parquet)', asText: true },
  { sql: 'SELECT * FROM read_parquet({FILE}) LIMIT 3 OFFSET 2', asText: true },
];
/** Files whose content is huge by design. */
const BOMBS = /\/bomb\//;

interface WorkerConfig {
  readonly engine: EngineName;
  readonly settings: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly folder: string;
  /** peak memory is not judged under a sanitizer, which takes much of its own */
  readonly checkMemory: boolean;
}

/** Rounds `from` ≤ r < `to` over one file. */
interface FuzzTask {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

interface Answer {
  readonly faults: readonly { readonly round: number; readonly what: string }[];
  readonly rows: number;
  readonly errors: number;
}

async function runWorker(config: WorkerConfig): Promise<void> {
  const engine = await openTextEngine(config.engine, {
    threads: 2,
    memoryLimit: MEMORY_LIMIT,
    settings: config.settings,
  });
  const path = join(config.folder, `${process.pid}.parquet`);
  const progress = openSync(progressPath(config.folder, process.pid), 'w');
  const run = async (bytes: Uint8Array, round: number): Promise<{ rows: boolean; fault: string | undefined }> => {
    // a crash leaves no time to tell: the round is on disk before it starts
    writeSync(progress, `${round}\n`.padStart(16), 0);
    writeFileSync(path, flipped(bytes, flipsOf(bytes, config.seed, round)));
    const query = QUERIES[round % QUERIES.length] as (typeof QUERIES)[number];
    const sql = query.sql.replace('{FILE}', `'${path}'`).replace('{COPY}', `'${path}.copy'`);
    try {
      await (query.asText ? engine.run(sql) : engine.drain(sql));
      return { rows: true, fault: undefined };
    } catch (error) {
      return { rows: false, fault: isInternal(error) ? errorText(error) : undefined };
    }
  };
  serveTasks<FuzzTask, Answer>(
    async (task) => {
      const bytes = readFileSync(task.file);
      const faults: { round: number; what: string }[] = [];
      let [rows, errors] = [0, 0];
      for (let round = task.from; round < task.to; round++) {
        const end = await run(bytes, round);
        if (end.rows) rows++;
        else errors++;
        if (end.fault !== undefined) faults.push({ round, what: end.fault });
        const rss = process.resourceUsage().maxRSS * 1024;
        if (config.checkMemory && rss > RSS_LIMIT) {
          console.error(`peak memory ${(rss / MIB).toFixed(0)} MiB, allowed ${RSS_LIMIT / MIB} MiB`);
          process.exit(1);
        }
      }
      return { faults, rows, errors };
    },
    () => engine.close(),
  );
}

const progressPath = (folder: string, pid: number): string => join(folder, `${pid}.round`);

function findSmallFiles(folders: readonly string[]): string[] {
  const files = folders.flatMap((folder) =>
    statSync(folder).isFile()
      ? [folder]
      : (readdirSync(folder, { recursive: true }) as string[]).map((name) => join(folder, name)),
  );
  return files
    .filter((file) => /\.(parquet|parq)$/.test(file) && !BOMBS.test(file))
    .filter((file) => {
      const info = statSync(file);
      const { size } = info;
      return info.isFile() && size > 12 && size <= MAX_FILE_BYTES;
    })
    .sort();
}

/** Tasks in rounds over the files, so that a short run meets every file. */
function planTasks(files: readonly string[], rounds: number): FuzzTask[] {
  const perFile = Math.ceil(rounds / files.length);
  const tasks: FuzzTask[] = [];
  for (let from = 0; from < perFile; from += ROUNDS_PER_TASK) {
    for (const file of files) tasks.push({ file, from, to: Math.min(perFile, from + ROUNDS_PER_TASK) });
  }
  return tasks;
}

/** Environment of the workers that load the build with AddressSanitizer and UndefinedBehaviorSanitizer. */
function sanitizerEnvironment(addon: string): Record<string, string> {
  const library = (name: string): string =>
    execFileSync('g++', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
  return {
    QUERN_ADDON: addon,
    LD_PRELOAD: `${library('libasan.so')}:${library('libubsan.so')}`,
    ASAN_OPTIONS: 'detect_leaks=0:abort_on_error=1:allocator_may_return_null=1',
    UBSAN_OPTIONS: 'halt_on_error=1:print_stacktrace=1',
  };
}

async function main(argv: readonly string[]): Promise<number> {
  const withValue = ['rounds', 'seed', 'jobs', 'engine', 'timeout', 'sanitizer', 'only-round'];
  const { rest, flags, settings } = parseArguments(argv, withValue, []);
  const files = findSmallFiles(rest.length > 0 ? rest : ['test/fixtures']);
  if (files.length === 0) {
    console.error('usage: fuzz-parquet [FILE|DIR…] [--rounds N] [--seed N] [--only-round N] [--sanitizer ADDON]');
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'quern-fuzz-'));
  const seed = Number(flags.get('seed') ?? 1);
  const only = flags.get('only-round');
  const rounds = Number(flags.get('rounds') ?? DEFAULT_ROUNDS);
  const sanitizer = flags.get('sanitizer');
  const queue: FuzzTask[] =
    only === undefined
      ? planTasks(files, rounds)
      : files.map((file) => ({ file, from: Number(only), to: Number(only) + 1 }));
  const config: WorkerConfig = {
    engine: (flags.get('engine') ?? 'quern') as EngineName,
    settings,
    seed,
    folder,
    checkMemory: sanitizer === undefined,
  };
  let [done, rows, errors] = [0, 0, 0];
  const faults: string[] = [];
  const report = (task: FuzzTask, round: number, what: string): void => {
    const flips = flipsOf(readFileSync(task.file), seed, round).map((f) => `${f.offset}=0x${f.value.toString(16)}`);
    faults.push(`${task.file} round ${round} (${flips.join(' ')}): ${what}`);
    if (faults.length <= MAX_SHOWN) console.log(`FAIL ${faults.at(-1)}`);
  };
  try {
    await runInProcesses<FuzzTask, Answer>(drain(queue), {
      size: Number(flags.get('jobs') ?? availableParallelism()),
      script: process.argv[1] as string,
      args: ['--worker', JSON.stringify(config)],
      env: sanitizer === undefined ? undefined : sanitizerEnvironment(sanitizer),
      timeoutMs: Number(flags.get('timeout') ?? 120) * 1000,
      onEnd: (task, end) => {
        if (end.kind === 'answer') {
          rows += end.answer.rows;
          errors += end.answer.errors;
          done += task.to - task.from;
          for (const fault of end.answer.faults) report(task, fault.round, fault.what);
          return;
        }
        const round = Number(readFileSync(progressPath(folder, end.pid), 'utf8').trim() || task.from);
        report(task, round, `${end.reason} ${end.stderr}`.trim());
        done += round + 1 - task.from;
        if (round + 1 < task.to) queue.push({ ...task, from: round + 1 });
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${files.length} files, ${done} rounds: ${rows} gave rows, ${errors} a clear error, seed ${seed}`);
  console.log(`${done - faults.length} passed, ${faults.length} failed, 0 skipped`);
  return faults.length > 0 ? 1 : 0;
}

/** Yields what is in the queue, also what is added meanwhile. */
function* drain<Task>(queue: Task[]): Generator<Task> {
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) yield task;
}

const [, , first, second] = process.argv;
if (first === '--worker') await runWorker(JSON.parse(second as string) as WorkerConfig);
else process.exitCode = await main(process.argv.slice(2));
