import type { TextEngine } from '../../../src/reference/text_engine.ts';
import { Random } from '../random.ts';
import { explainedBy } from './deviations.ts';
import type { Form } from './form.ts';
import type { Difference, Question, Verdict } from './judge.ts';
import { judge } from './judge.ts';
import { shrink } from './shrink.ts';

/** Beyond this many a seed's differences are counted but not made small. */
const SHRUNK_PER_SEED = 3;

/** All statements over the random tables of one seed. */
export interface FuzzTask {
  readonly seed: number;
  readonly count: number;
}

export interface Failure {
  readonly seed: number;
  readonly original: string;
  readonly difference: Difference;
}

export interface Answer {
  readonly sameRows: number;
  readonly bothFail: number;
  readonly unsupported: Readonly<Record<string, number>>;
  readonly explained: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
}

export interface Engines {
  readonly quern: TextEngine;
  readonly duckdb: TextEngine;
  /** where the tables are written */
  readonly folder: string;
  /** told each statement before it runs */
  readonly note: (sql: string) => void;
}

interface Judged {
  readonly verdict: Verdict;
  /** the rules that explain the differences; undefined where one is not explained */
  readonly rules: ReadonlySet<string> | undefined;
}

/** Makes the tables of a seed and compares its statements. */
export async function runTables<S>(form: Form<S>, task: FuzzTask, engines: Engines): Promise<Answer> {
  const random = new Random(task.seed);
  for (const step of form.tables(random, engines.folder)) await engines[step.engine].run(step.sql);
  const counts = { 'same-rows': 0, 'both-fail': 0, unsupported: 0, different: 0 };
  const unsupported: Record<string, number> = {};
  const explained: Record<string, number> = {};
  const failures: Failure[] = [];
  for (let i = 0; i < task.count; i++) {
    const statement = form.generate(random);
    const { verdict, rules } = await compare(form, statement, engines);
    counts[verdict.outcome]++;
    if (verdict.missing !== undefined) count(unsupported, verdict.missing);
    if (rules === undefined)
      failures.push(await smallest(form, statement, verdict, task.seed, engines, failures.length));
    else if (rules.size > 0) {
      const name = [...rules].sort().join(' + ');
      count(explained, name);
    }
  }
  return { sameRows: counts['same-rows'], bothFail: counts['both-fail'], unsupported, explained, failures };
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

async function compare<S>(form: Form<S>, statement: S, engines: Engines): Promise<Judged> {
  const { quern, duckdb, folder } = engines;
  const sql = form.render(statement, folder);
  engines.note(sql);
  const ask = (question: Question): Promise<Verdict> => judge(quern, duckdb, question, form.options(statement));
  const verdict = await ask({ quern: sql, duckdb: sql });
  const rules = explainedBy(verdict.differences);
  if (rules !== undefined) return { verdict, rules };
  const rewritten = await form.rewrite(statement, isConstantNull(duckdb));
  if (rewritten.rules.size === 0) return { verdict, rules };
  const second = await ask({ quern: sql, duckdb: form.render(rewritten.statement, folder) });
  const left = explainedBy(second.differences);
  return { verdict, rules: left && new Set([...rewritten.rules, ...left]) };
}

function isConstantNull(duckdb: TextEngine): (sql: string) => Promise<boolean> {
  return async (sql) => {
    try {
      return (await duckdb.run(`SELECT (${sql}) IS NULL`))?.rows[0]?.[0] === 'true';
    } catch {
      // it reads a column, or raises
      return false;
    }
  };
}

async function smallest<S>(
  form: Form<S>,
  statement: S,
  verdict: Verdict,
  seed: number,
  engines: Engines,
  before: number,
): Promise<Failure> {
  const first = unexplained(verdict);
  let difference = first;
  if (before < SHRUNK_PER_SEED) {
    await shrink(statement, form.smaller, async (candidate) => {
      const again = await compare(form, candidate, engines);
      if (again.rules !== undefined) return false;
      const smaller = unexplained(again.verdict);
      if (!isSameKind(smaller, first)) return false;
      difference = smaller;
      return true;
    });
  }
  return { seed, original: first.sql, difference };
}

/** A smaller statement must not fail for another reason: its parts may not fit together. */
function isSameKind(a: Difference, b: Difference): boolean {
  const shape = (text: string): string => text.replace(/\d+|'.*'|".*"/g, '#');
  if (a.kind !== b.kind) return false;
  return a.kind !== 'error' || (shape(a.reference) === shape(b.reference) && shape(a.actual) === shape(b.actual));
}

/** The first difference of a verdict that no rule explains. */
function unexplained(verdict: Verdict): Difference {
  return (verdict.differences.find((d) => explainedBy([d]) === undefined) ?? verdict.differences[0]) as Difference;
}
