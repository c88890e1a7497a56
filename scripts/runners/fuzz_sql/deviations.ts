import type { Difference } from './judge.ts';

/** A known difference from DuckDB. docs/differences.md explains each under its name. */
export interface Deviation {
  readonly name: string;
  readonly applies: (difference: Difference) => boolean;
}

/** Two numbers, or lists and rows of them, that differ only in the last digits of a FLOAT (24 bits). */
function nearFloats(a: string, b: string): boolean {
  const number = /-?\d+(\.\d+)?(e[+-]?\d+)?/g;
  if (a.replace(number, '#') !== b.replace(number, '#')) return false;
  const [left, right] = [a.match(number) ?? [], b.match(number) ?? []];
  return left.every((text, i) => {
    const [x, y] = [Number(text), Number(right[i])];
    return Math.abs(x - y) <= 2 ** -22 * Math.max(Math.abs(x), Math.abs(y));
  });
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    // sums of integers: BIGINT up to 32 bits, DECIMAL(38,0) above; DuckDB: HUGEINT
    name: 'sum-of-integers',
    applies: (d) => d.kind === 'type' && d.reference === 'HUGEINT' && /^(BIGINT|DECIMAL\(38,0\))$/.test(d.actual),
  },
  {
    // quern rounds once; DuckDB divides two rounded floats
    name: 'decimal-to-float',
    applies: (d) => d.kind === 'value' && d.sql.includes('::FLOAT') && nearFloats(d.reference, d.actual),
  },
  {
    // the text of a NaN has no sign; DuckDB shows 0/0 as -nan, also in casts to VARCHAR
    name: 'sign-of-nan',
    applies: (d) =>
      d.kind === 'value' && d.reference.includes('-nan') && d.reference.replaceAll('-nan', 'nan') === d.actual,
  },
  {
    // the SELECT list is computed before ORDER BY … LIMIT drops rows; DuckDB may do it afterwards
    name: 'error-before-limit',
    applies: (d) =>
      d.kind === 'error' &&
      /\bLIMIT\b/.test(d.sql) &&
      /^\d+ rows$/.test(d.reference) &&
      /^error\[runtime\]/.test(d.actual),
  },
];

/** The rule that explains a difference, if any. */
export function explainedBy(difference: Difference): string | undefined {
  return DEVIATIONS.find((deviation) => deviation.applies(difference))?.name;
}
