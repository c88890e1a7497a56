import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName, TextEngine } from '../../../src/reference/text_engine.ts';
import { openTextEngine } from '../../../src/reference/text_engine.ts';
import { parseArguments } from '../arguments.ts';
import { runInProcesses, serveTasks } from '../process_pool.ts';
import { Random } from '../random.ts';
import { explainedBy } from './deviations.ts';
import { generateStatement } from './generate_statement.ts';
import type { Difference } from './judge.ts';
import { judge } from './judge.ts';
import { shrink } from './shrink.ts';
import type { Statement } from './statement.ts';
import { isOrdered, renderStatement } from './statement.ts';
import { tableStatements } from './table.ts';

const STATEMENTS_PER_TABLE = 50;
const DEFAULT_STATEMENTS = 5000;
const PROGRESS_BYTES = 16_384;
/** Beyond this many a table's differences are counted but not made small. */
const SHRUNK_PER_TABLE = 3;

interface WorkerConfig {
  readonly engine: EngineName;
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** All statements over one random table; a statement's number is its place in the table's sequence. */
interface FuzzTask {
  readonly seed: number;
  readonly count: number;
}

interface Failure {
  readonly seed: number;
  readonly original: string;
  readonly difference: Difference;
}

interface Answer {
  readonly sameRows: number;
  readonly bothFail: number;
  readonly explained: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
}

async function runWorker(config: WorkerConfig): Promise<void> {
  const quern = await openTextEngine(config.engine, { threads: 2, settings: config.settings });
  const duckdb = await openTextEngine('duckdb', { threads: 1 });
  const path = join(config.folder, `${process.pid}.parquet`);
  const progress = openSync(progressPath(config.folder, process.pid), 'w');
  const note = (sql: string): void => {
    writeSync(progress, sql.slice(0, PROGRESS_BYTES).padEnd(PROGRESS_BYTES), 0);
  };
  serveTasks<FuzzTask, Answer>(
    (task) => runTable(quern, duckdb, task, path, note),
    async () => {
      await quern.close();
      await duckdb.close();
    },
  );
}

const progressPath = (folder: string, pid: number): string => join(folder, `${pid}.sql`);

async function runTable(
  quern: TextEngine,
  duckdb: TextEngine,
  task: FuzzTask,
  path: string,
  note: (sql: string) => void,
): Promise<Answer> {
  const random = new Random(task.seed);
  for (const sql of tableStatements(random, path)) await duckdb.run(sql);
  const from = `'${path}'`;
  let [sameRows, bothFail] = [0, 0];
  const explained: Record<string, number> = {};
  const failures: Failure[] = [];
  const compare = async (statement: Statement): Promise<Difference | undefined> => {
    const sql = renderStatement(statement, from);
    note(sql);
    const verdict = await judge(quern, duckdb, sql, {
      ordered: isOrdered(statement),
      signlessZero: statement.distinct || statement.keys.length > 0,
    });
    if (verdict.outcome === 'same-rows') sameRows++;
    if (verdict.outcome === 'both-fail') bothFail++;
    return verdict.difference;
  };
  for (let i = 0; i < task.count; i++) {
    const statement = generateStatement(random);
    const difference = await compare(statement);
    if (difference === undefined) continue;
    const rule = explainedBy(difference);
    if (rule !== undefined) {
      explained[rule] = (explained[rule] ?? 0) + 1;
      continue;
    }
    let smallest = difference;
    const counts = [sameRows, bothFail] as const;
    if (failures.length < SHRUNK_PER_TABLE) {
      await shrink(statement, async (candidate) => {
        const again = await compare(candidate);
        const still = again !== undefined && again.kind === difference.kind && explainedBy(again) === undefined;
        if (still) smallest = again;
        return still;
      });
    }
    [sameRows, bothFail] = counts;
    failures.push({ seed: task.seed, original: difference.sql, difference: smallest });
  }
  return { sameRows, bothFail, explained, failures };
}

function failureText(failure: Failure): string {
  const { kind, sql, reference, actual } = failure.difference;
  return `FAIL ${kind} (seed ${failure.seed})\n  ${sql}\n  duckdb: ${reference}\n  quern:  ${actual}`;
}

/** Failures of one cause look alike once numbers and names are gone. */
function causeOf(failure: Failure): string {
  const { kind, actual, sql } = failure.difference;
  const text = kind === 'error' || kind === 'internal' ? actual : sql.replace(/FROM '.*?'/, '');
  return `${kind} ${text.replace(/\d+/g, '0').slice(0, 160)}`;
}

async function main(argv: readonly string[]): Promise<number> {
  const withValue = ['statements', 'seed', 'jobs', 'engine', 'timeout', 'failures'];
  const { rest, flags, settings } = parseArguments(argv, withValue, ['keep']);
  if (rest.length > 0) {
    console.error('usage: fuzz-sql [--statements N] [--seed N] [--jobs N] [--set NAME=VALUE] [--failures N] [--keep]');
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'quern-fuzz-sql-'));
  const total = Number(flags.get('statements') ?? DEFAULT_STATEMENTS);
  const firstSeed = Number(flags.get('seed') ?? 1);
  const tasks: FuzzTask[] = Array.from({ length: Math.ceil(total / STATEMENTS_PER_TABLE) }, (_, i) => ({
    seed: firstSeed + i,
    count: Math.min(STATEMENTS_PER_TABLE, total - i * STATEMENTS_PER_TABLE),
  }));
  const config: WorkerConfig = { engine: (flags.get('engine') ?? 'quern') as EngineName, settings, folder };
  let [sameRows, bothFail, explainedCount, failed] = [0, 0, 0, 0];
  const explained: Record<string, number> = {};
  const causes = new Map<string, { text: string; count: number }>();
  const add = (cause: string, text: string): void => {
    const known = causes.get(cause);
    failed++;
    if (known === undefined) causes.set(cause, { text, count: 1 });
    else known.count++;
  };
  try {
    await runInProcesses<FuzzTask, Answer>(tasks, {
      size: Number(flags.get('jobs') ?? availableParallelism()),
      script: process.argv[1] as string,
      args: ['--worker', JSON.stringify(config)],
      timeoutMs: Number(flags.get('timeout') ?? 120) * 1000,
      onEnd: (task, end) => {
        if (end.kind === 'crash') {
          const sql = readFileSync(progressPath(folder, end.pid), 'utf8').trim();
          add(`crash ${end.reason}`, `CRASH ${end.reason} (seed ${task.seed})\n  ${sql}\n  ${end.stderr}`);
          return;
        }
        sameRows += end.answer.sameRows;
        bothFail += end.answer.bothFail;
        for (const [rule, count] of Object.entries(end.answer.explained)) {
          explained[rule] = (explained[rule] ?? 0) + count;
          explainedCount += count;
        }
        for (const failure of end.answer.failures) add(causeOf(failure), failureText(failure));
      },
    });
  } finally {
    if (flags.has('keep')) console.log(`files kept in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
  const shown = [...causes.values()].sort((a, b) => b.count - a.count).slice(0, Number(flags.get('failures') ?? 30));
  for (const { text, count } of shown) console.log(`${text}\n  (${count} like this)`);
  if (causes.size > shown.length) console.log(`… ${causes.size - shown.length} more causes`);
  console.log(`${sameRows} with the same rows, ${bothFail} fail in both, ${explainedCount} known deviations`);
  for (const [rule, count] of Object.entries(explained)) console.log(`  ${rule}: ${count}`);
  console.log(`${sameRows + bothFail + explainedCount} passed, ${failed} failed, 0 skipped`);
  return failed > 0 ? 1 : 0;
}

const [, , first, second] = process.argv;
if (first === '--worker') await runWorker(JSON.parse(second as string) as WorkerConfig);
else process.exitCode = await main(process.argv.slice(2));
