import type { Difference } from './judge.ts';

/** A known difference from DuckDB. docs/differences.md explains each under its name. */
export interface Deviation {
  readonly name: string;
  readonly applies: (difference: Difference) => boolean;
}

/** Bits that the last digits of a FLOAT and of a DOUBLE leave. */
const FLOAT_BITS = 22;
const DOUBLE_BITS = 50;
/** A size of 1.0 and more may differ by 0.1. */
const SIZE_BITS = 3;

/** Two numbers, or lists of them, that differ only after that many bits. */
function nearNumbers(a: string, b: string, bits: number): boolean {
  const number = /-?\d+(\.\d+)?(e[+-]?\d+)?/g;
  if (a.replace(number, '#') !== b.replace(number, '#')) return false;
  const [left, right] = [a.match(number) ?? [], b.match(number) ?? []];
  return left.every((text, i) => {
    const [x, y] = [Number(text), Number(right[i])];
    return Math.abs(x - y) <= 2 ** -bits * Math.max(Math.abs(x), Math.abs(y));
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
    applies: (d) => d.kind === 'value' && d.sql.includes('::FLOAT') && nearNumbers(d.reference, d.actual, FLOAT_BITS),
  },
  {
    // quern divides the whole numbers and rounds once; DuckDB rounds both operands first
    name: 'decimal-division',
    applies: (d) => d.kind === 'value' && d.sql.includes(' / ') && nearNumbers(d.reference, d.actual, DOUBLE_BITS),
  },
  {
    // DuckDB gives an operation over a constant that turns out NULL the type of NULL, shown as INTEGER
    name: 'type-of-null',
    applies: (d) => d.kind === 'type' && d.reference === 'INTEGER' && /CASE WHEN false|\(\[[^\]]*\]::/.test(d.sql),
  },
  {
    // the least integer has no remainder by -1 in DuckDB
    name: 'remainder-of-least',
    applies: (d) => d.kind === 'error' && /Overflow in division of -\d+ \/ -1/.test(d.reference) && d.sql.includes('%'),
  },
  {
    // DuckDB cuts off twice: before the digit and behind it
    name: 'size-digit',
    applies: (d) =>
      d.kind === 'value' &&
      /format_bytes|formatReadableDecimalSize/.test(d.sql) &&
      nearNumbers(d.reference, d.actual, SIZE_BITS),
  },
  {
    // least and greatest of DuckDB give 0.0 for -0.0
    name: 'sign-of-zero',
    applies: (d) =>
      d.kind === 'value' &&
      /\b(least|greatest)\(/.test(d.sql) &&
      d.reference.replaceAll('-0.0', '0.0') === d.actual.replaceAll('-0.0', '0.0'),
  },
  {
    // DuckDB folds an operation over a constant that turns out NULL away, with the errors of the other operand
    name: 'folded-errors',
    applies: (d) =>
      d.kind === 'error' &&
      /^\d+ rows$/.test(d.reference) &&
      d.actual.startsWith('error[runtime]') &&
      /\(\[[^\]]*\]::/.test(d.sql),
  },
  {
    // DuckDB says by itself that it is wrong
    name: 'internal-error',
    applies: (d) => d.kind === 'error' && d.reference.includes('INTERNAL Error'),
  },
  {
    // the text of a NaN has no sign; DuckDB shows 0/0 as -nan, also in casts to VARCHAR
    name: 'sign-of-nan',
    applies: (d) =>
      d.kind === 'value' && d.reference.includes('-nan') && d.reference.replaceAll('-nan', 'nan') === d.actual,
  },
];

/** The rule that explains a difference, if any. */
export function explainedBy(difference: Difference): string | undefined {
  return DEVIATIONS.find((deviation) => deviation.applies(difference))?.name;
}
