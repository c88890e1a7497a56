import { errorText, isInternal } from '../../../src/check/error_text.ts';
import { cellText, sameCell } from '../../../src/check/slt_compare.ts';
import type { TextEngine, TextResult } from '../../../src/reference/text_engine.ts';

/** One point in which two engines disagree on a statement: its error, the type of a column, or one value. */
export interface Difference {
  /** `internal` = a bug by quern's own word; `error` = only one of them fails; `rows` = not as many rows */
  readonly kind: 'internal' | 'error' | 'rows' | 'type' | 'value';
  readonly sql: string;
  readonly reference: string;
  readonly actual: string;
  /** of the column in DuckDB, where a value differs */
  readonly type?: string;
}

export interface Verdict {
  /** `unsupported`: quern says that it has not got something, whatever DuckDB answers */
  readonly outcome: 'same-rows' | 'both-fail' | 'unsupported' | 'different';
  readonly differences: readonly Difference[];
  /** what is not supported */
  readonly missing?: string | undefined;
}

/** Sums of doubles that are not exact (variances): relative. */
const TOLERANCE = { rtol: 1e-9, atol: 1e-9 };

/** A statement as each engine gets it: they differ where docs/differences.md says what DuckDB's would be. */
export interface Question {
  readonly quern: string;
  readonly duckdb: string;
}

export interface JudgeOptions {
  /** the order of the rows is part of the answer */
  readonly ordered: boolean;
  /** so many columns from the left whose zeros may have either sign: keys (docs/differences.md, `sign-of-zero`) */
  readonly signlessColumns: number;
}

/**
 * Runs a statement in both engines and compares types and values. Where they differ, DuckDB without its optimizer has
 * the last word: it folds operations over constants away, with their errors, and computes some items after LIMIT.
 */
export async function judge(
  quern: TextEngine,
  duckdb: TextEngine,
  question: Question,
  options: JudgeOptions,
): Promise<Verdict> {
  const actual = await attempt(quern, question.quern);
  const reference = await attempt(duckdb, question.duckdb);
  const verdict = compare(actual, reference, question.quern, options);
  if (verdict.outcome !== 'different' || verdict.differences[0]?.kind === 'internal') return verdict;
  await duckdb.run('PRAGMA disable_optimizer');
  const plain = await attempt(duckdb, question.duckdb);
  await duckdb.run('PRAGMA enable_optimizer');
  const second = compare(actual, plain, question.quern, options);
  return second.outcome !== 'different' || isInternalOfDuckDb(reference) ? second : verdict;
}

const isInternalOfDuckDb = (attempt: Attempt): boolean =>
  attempt.error !== undefined && errorText(attempt.error).includes('INTERNAL Error');

/** When a statement fails: before it runs, or on a value. */
function phaseOf({ error }: Attempt): 'none' | 'binding' | 'running' {
  if (error === undefined) return 'none';
  return /^(error\[(parse|binder|type|catalog)\]|(Parser|Binder|Catalog) Error)/.test(errorText(error))
    ? 'binding'
    : 'running';
}

function compare(actual: Attempt, reference: Attempt, sql: string, options: JudgeOptions): Verdict {
  const differ = (kind: Difference['kind']): Verdict => ({
    outcome: 'different',
    differences: [{ kind, sql, reference: describe(reference), actual: describe(actual) }],
  });
  if (actual.error !== undefined && isInternal(actual.error)) return differ('internal');
  if (actual.error !== undefined || reference.error !== undefined) {
    const missing = /^error\[unsupported\]: unsupported: (.*)/.exec(describe(actual))?.[1];
    if (missing !== undefined) return { outcome: 'unsupported', differences: [], missing };
    return !isInternalOfDuckDb(reference) && phaseOf(actual) === phaseOf(reference)
      ? { outcome: 'both-fail', differences: [] }
      : differ('error');
  }
  const [want, have] = [reference.result as TextResult, actual.result as TextResult];
  if (want.rows.length !== have.rows.length || want.columns.length !== have.columns.length) return differ('rows');
  const differences = [...compareTypes(want, have, sql), ...compareValues(want, have, sql, options)];
  return { outcome: differences.length === 0 ? 'same-rows' : 'different', differences };
}

function compareTypes(want: TextResult, have: TextResult, sql: string): Difference[] {
  return want.columns.flatMap(({ type }, i) => {
    const actual = have.columns[i]?.type ?? '';
    return type === actual ? [] : [{ kind: 'type' as const, sql, reference: type, actual }];
  });
}

const MINUS_ZERO = /(?<![\w.])-0\.0(?!\d)/g;

function compareValues(
  want: TextResult,
  have: TextResult,
  sql: string,
  { ordered, signlessColumns }: JudgeOptions,
): Difference[] {
  const cells = ({ rows }: TextResult): string[][] => {
    const texts = rows.map((row) =>
      row.map((cell, i) => (i < signlessColumns ? cellText(cell).replace(MINUS_ZERO, '0.0') : cellText(cell))),
    );
    return ordered ? texts : sortedRows(texts);
  };
  const actual = cells(have);
  return cells(want).flatMap((row, at) =>
    row.flatMap((reference, i) => {
      const type = want.columns[i]?.type ?? '';
      const other = actual[at]?.[i] as string;
      if (sameCell(reference, other, type === 'DOUBLE', TOLERANCE)) return [];
      return [{ kind: 'value' as const, sql, reference, actual: other, type }];
    }),
  );
}

const NUMBER = /-?\d+\.\d+(e[+-]?\d+)?|-nan/g;

/** Sorted so that rows whose numbers differ in the last digits or in the sign of a zero or a NaN stand side by side. */
function sortedRows(rows: readonly string[][]): string[][] {
  const rounded = (text: string): string =>
    text.replace(NUMBER, (n) => (n === '-nan' ? 'nan' : String(Number(Number(n).toPrecision(5)) + 0)));
  const keyed = rows.map((row) => {
    const text = row.join('\t');
    return { row, key: `${rounded(text)}\n${text}` };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row);
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
