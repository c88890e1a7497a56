import type { Difference } from './judge.ts';

/** A known difference from DuckDB in one type, value or error. docs/differences.md explains each under its name. */
export interface Deviation {
  readonly name: string;
  readonly applies: (difference: Difference) => boolean;
}

/** Bits that a quotient of two rounded numbers has right. */
const DOUBLE_BITS = 50;

const isLastDigit = (x: number, y: number): boolean =>
  Math.abs(x - y) <= 2 ** -DOUBLE_BITS * Math.max(Math.abs(x), Math.abs(y));

const NUMBER = /-?\d+(\.\d+)?(e[+-]?\d+)?/g;

/** Two texts that are equal but for numbers, each pair of which is `near`. */
function alike(a: string, b: string, near: (x: number, y: number) => boolean): boolean {
  if (a.replace(NUMBER, '#') !== b.replace(NUMBER, '#')) return false;
  const [left, right] = [a.match(NUMBER) ?? [], b.match(NUMBER) ?? []];
  return left.every((text, i) => text === right[i] || near(Number(text), Number(right[i])));
}

/** A difference of one value whose statement holds `marker`. */
const value = (d: Difference, marker: RegExp): boolean => d.kind === 'value' && marker.test(d.sql);

export const DEVIATIONS: readonly Deviation[] = [
  {
    // sums of integers: BIGINT up to 32 bits, DECIMAL(38,0) above; DuckDB: HUGEINT
    name: 'sum-of-integers',
    applies: (d) =>
      d.kind === 'type' &&
      /\b(list_)?sum\(|'sum'/.test(d.sql) &&
      d.reference.includes('HUGEINT') &&
      ['BIGINT', 'DECIMAL(38,0)'].some((type) => d.reference.replaceAll('HUGEINT', type) === d.actual),
  },
  {
    // lists of halves keep their type; DuckDB reads them as FLOAT
    name: 'float16',
    applies: (d) =>
      d.kind === 'type' && d.actual.includes('FLOAT16') && d.actual.replaceAll('FLOAT16', 'FLOAT') === d.reference,
  },
  {
    // quern divides the whole numbers and rounds once; DuckDB rounds both operands first
    name: 'decimal-division',
    applies: (d) =>
      value(d, / \/ /) && /DOUBLE|VARCHAR/.test(d.type ?? '') && alike(d.reference, d.actual, isLastDigit),
  },
  {
    // quern rounds a decimal of more than 15 digits once; DuckDB divides two rounded doubles. Elements of lists are
    // compared as text, so that the last digit shows
    name: 'decimal-to-double',
    applies: (d) => value(d, /\bm30\b/) && /DOUBLE\[/.test(d.type ?? '') && alike(d.reference, d.actual, isLastDigit),
  },
  {
    // signs of unsigned numbers, HUGEINT and booleans are written; DuckDB's formatter refuses them
    name: 'format-sign',
    applies: (d) =>
      d.kind === 'error' && /format\(/.test(d.sql) && d.reference.endsWith('format specifier requires signed argument'),
  },
  {
    // DuckDB cuts off twice: before the digit and behind it
    name: 'size-digit',
    applies: (d) =>
      value(d, /format_bytes|formatReadableDecimalSize/) &&
      /\d\.\d [kmgtpe]i?b/i.test(d.reference) &&
      alike(d.reference, d.actual, (x, y) => Math.abs(x - y) < 0.11),
  },
  {
    // least, greatest and values that are sorted as keys are 0.0 in DuckDB for -0.0
    name: 'sign-of-zero',
    applies: (d) =>
      value(d, /\b(least|greatest)\(|\b(first|last|list|array_agg)\(.* ORDER BY|\b(min|max)\(.*, \d\)/) &&
      d.reference.replaceAll('-0.0', '0.0') === d.actual.replaceAll('-0.0', '0.0'),
  },
  {
    // a cast that does not exist is an error of the statement; DuckDB raises it at the first row
    name: 'cast-of-no-rows',
    applies: (d) => d.kind === 'error' && d.reference === '0 rows' && /no cast from/.test(d.actual),
  },
  {
    // what ORDER BY … LIMIT does not need is computed for the rows that it keeps
    name: 'rows-behind-limit',
    applies: (d) => d.kind === 'error' && /\berror\(.* LIMIT /s.test(d.sql) && /^\d+ rows$/.test(d.actual),
  },
  {
    // DuckDB says by itself that it is wrong, with and without its optimizer
    name: 'internal-error',
    applies: (d) => d.kind === 'error' && d.reference.includes('INTERNAL Error'),
  },
  {
    // DuckDB has no outer join under a correlated subquery that refers to the row around it
    name: 'correlated-join',
    applies: (d) =>
      d.kind === 'error' &&
      d.reference === 'Not implemented Error: Unsupported join type for flattening correlated subquery' &&
      /^\d+ rows$/.test(d.actual),
  },
  {
    // the text of a NaN has no sign; DuckDB shows 0/0 as -nan, also in casts to VARCHAR
    name: 'sign-of-nan',
    applies: (d) =>
      d.kind === 'value' && d.reference.includes('-nan') && d.reference.replaceAll('-nan', 'nan') === d.actual,
  },
];

/** The rules that explain all differences of a statement; undefined when one has none. */
export function explainedBy(differences: readonly Difference[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const difference of differences) {
    const rule = DEVIATIONS.find((deviation) => deviation.applies(difference));
    if (rule === undefined) return undefined;
    names.add(rule.name);
  }
  return names;
}
