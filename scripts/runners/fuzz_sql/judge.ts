import { errorText, isInternal } from '../../../src/check/error_text.ts';
import { compareCells, sortedCells } from '../../../src/check/slt_compare.ts';
import type { TextEngine, TextResult } from '../../../src/reference/text_engine.ts';

/** How two engines disagree on one statement. */
export interface Difference {
  /** `internal` = a bug by quern's own word; `error` = only one of them fails */
  readonly kind: 'internal' | 'error' | 'type' | 'value';
  readonly sql: string;
  readonly reference: string;
  readonly actual: string;
}

export interface Verdict {
  readonly outcome: 'same-rows' | 'both-fail' | 'different';
  readonly difference: Difference | undefined;
}

/** Sums of doubles that are not exact (variances): relative. */
const TOLERANCE = { rtol: 1e-9, atol: 1e-9 };

export interface JudgeOptions {
  /** the order of the rows is part of the answer */
  readonly ordered: boolean;
  /** a group's or a distinct row's zero may have either sign (docs/differences.md, `sign-of-zero`) */
  readonly signlessZero: boolean;
}

/**
 * Runs a statement in both engines and compares types and values. Where they differ, DuckDB without its optimizer has
 * the last word: it folds operations over constants away, with their errors, and computes some items after LIMIT.
 */
export async function judge(
  quern: TextEngine,
  duckdb: TextEngine,
  sql: string,
  options: JudgeOptions,
): Promise<Verdict> {
  const actual = await attempt(quern, sql);
  const verdict = compare(actual, await attempt(duckdb, sql), sql, options);
  if (verdict.difference === undefined || verdict.difference.kind === 'internal') return verdict;
  await duckdb.run('PRAGMA disable_optimizer');
  const plain = await attempt(duckdb, sql);
  await duckdb.run('PRAGMA enable_optimizer');
  const second = compare(actual, plain, sql, options);
  return second.difference === undefined ? second : verdict;
}

function compare(actual: Attempt, reference: Attempt, sql: string, options: JudgeOptions): Verdict {
  const differ = (kind: Difference['kind'], want: string, have: string): Verdict => ({
    outcome: 'different',
    difference: { kind, sql, reference: want, actual: have },
  });
  if (actual.error !== undefined && isInternal(actual.error)) {
    return differ('internal', describe(reference), errorText(actual.error));
  }
  if (actual.error !== undefined || reference.error !== undefined) {
    if (actual.error !== undefined && reference.error !== undefined && !/unsupported/.test(errorText(actual.error))) {
      return { outcome: 'both-fail', difference: undefined };
    }
    return differ('error', describe(reference), describe(actual));
  }
  const [want, have] = [reference.result as TextResult, actual.result as TextResult];
  const values = compareValues(want, have, options);
  if (values !== undefined) return differ('value', values.expected, values.actual);
  const at = want.columns.findIndex((column, i) => column.type !== have.columns[i]?.type);
  if (at >= 0) return differ('type', want.columns[at]?.type ?? '', have.columns[at]?.type ?? '');
  return { outcome: 'same-rows', difference: undefined };
}

function compareValues(
  want: TextResult,
  have: TextResult,
  { ordered, signlessZero }: JudgeOptions,
): { expected: string; actual: string } | undefined {
  const sort = ordered ? 'nosort' : 'rowsort';
  const letters = want.columns.map((column) => (column.type === 'DOUBLE' ? 'R' : 'T')).join('');
  const rows = ({ rows }: TextResult): TextResult['rows'] =>
    signlessZero ? rows.map((row) => row.map((cell) => (cell === '-0.0' ? '0.0' : cell))) : rows;
  return compareCells(sortedCells(rows(want), sort), sortedCells(rows(have), sort), letters, TOLERANCE, 1)[0];
}

interface Attempt {
  readonly result?: TextResult | null;
  readonly error?: unknown;
}

async function attempt(engine: TextEngine, sql: string): Promise<Attempt> {
  try {
    return { result: await engine.run(sql) };
  } catch (error) {
    return { error };
  }
}

function describe(attempt: Attempt): string {
  if (attempt.error !== undefined) return errorText(attempt.error).split('\n')[0] as string;
  return `${attempt.result?.rows.length ?? 0} rows`;
}
