import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName } from '../../../src/reference/text_engine.ts';
import { openTextEngine } from '../../../src/reference/text_engine.ts';
import { parseArguments } from '../arguments.ts';
import { runInProcesses, serveTasks } from '../process_pool.ts';
import { RELATION_FORM } from './relation_form.ts';
import type { Answer, Failure, FuzzTask } from './run_tables.ts';
import { runTables } from './run_tables.ts';
import { TABLE_FORM } from './table_form.ts';

const STATEMENTS_PER_SEED = 50;
const DEFAULT_STATEMENTS = 5000;
const PROGRESS_BYTES = 16_384;

/** `table`: one table of many types; `relation`: joins, subqueries and set operations over several; `all`: in turns. */
type FormName = 'table' | 'relation' | 'all';

const formOf = (config: WorkerConfig, task: FuzzTask): FormName =>
  config.form === 'all' ? (task.seed % 2 === 0 ? 'table' : 'relation') : config.form;

interface WorkerConfig {
  readonly engine: EngineName;
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly form: FormName;
}

async function runWorker(config: WorkerConfig): Promise<void> {
  const quern = await openTextEngine(config.engine, { threads: 2, settings: config.settings });
  const duckdb = await openTextEngine('duckdb', { threads: 1 });
  const folder = join(config.folder, String(process.pid));
  mkdirSync(folder);
  const progress = openSync(progressPath(config.folder, process.pid), 'w');
  const note = (sql: string): void => {
    writeSync(progress, sql.slice(0, PROGRESS_BYTES).padEnd(PROGRESS_BYTES), 0);
  };
  serveTasks<FuzzTask, Answer>(
    (task) => {
      const engines = { quern, duckdb, folder, note };
      return formOf(config, task) === 'table'
        ? runTables(TABLE_FORM, task, engines)
        : runTables(RELATION_FORM, task, engines);
    },
    async () => {
      await quern.close();
      await duckdb.close();
    },
  );
}

const progressPath = (folder: string, pid: number): string => join(folder, `${pid}.sql`);

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

/** How often each name came up. */
class Counts {
  total = 0;
  private readonly byName = new Map<string, number>();

  add(counts: Readonly<Record<string, number>>): void {
    for (const [name, count] of Object.entries(counts)) {
      this.byName.set(name, (this.byName.get(name) ?? 0) + count);
      this.total += count;
    }
  }

  lines(): string[] {
    return [...this.byName].sort((a, b) => b[1] - a[1]).map(([name, count]) => `  ${name}: ${count}`);
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const withValue = ['statements', 'seed', 'form', 'jobs', 'engine', 'timeout', 'failures'];
  const { rest, flags, settings } = parseArguments(argv, withValue, ['keep']);
  if (rest.length > 0 || !['table', 'relation', 'all'].includes(flags.get('form') ?? 'all')) {
    console.error(
      'usage: fuzz-sql [--statements N] [--seed N] [--form table|relation|all] [--jobs N] [--set NAME=VALUE] [--failures N] [--keep]',
    );
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'quern-fuzz-sql-'));
  const total = Number(flags.get('statements') ?? DEFAULT_STATEMENTS);
  const firstSeed = Number(flags.get('seed') ?? 1);
  const tasks: FuzzTask[] = Array.from({ length: Math.ceil(total / STATEMENTS_PER_SEED) }, (_, i) => ({
    seed: firstSeed + i,
    count: Math.min(STATEMENTS_PER_SEED, total - i * STATEMENTS_PER_SEED),
  }));
  const form = (flags.get('form') ?? 'all') as FormName;
  const config: WorkerConfig = { engine: (flags.get('engine') ?? 'quern') as EngineName, settings, folder, form };
  let [sameRows, bothFail, failed] = [0, 0, 0];
  const explained = new Counts();
  const unsupported = new Counts();
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
        explained.add(end.answer.explained);
        unsupported.add(end.answer.unsupported);
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
  console.log(`${sameRows} with the same rows, ${bothFail} fail in both, ${explained.total} known deviations`);
  for (const line of explained.lines()) console.log(line);
  if (unsupported.total > 0) console.log(`${unsupported.total} unsupported`);
  for (const line of unsupported.lines()) console.log(line);
  const passed = sameRows + bothFail + explained.total;
  console.log(`${passed} passed, ${failed} failed, ${unsupported.total} skipped`);
  return failed > 0 ? 1 : 0;
}

const [, , first, second] = process.argv;
if (first === '--worker') await runWorker(JSON.parse(second as string) as WorkerConfig);
else process.exitCode = await main(process.argv.slice(2));
