import type { BinaryOperator } from './ast.ts';

/**
 * Binding strength of operators, weakest first, as in DuckDB's grammar. All are left-associative but lambda arrows, and
 * comparisons, LIKE and BETWEEN, which do not chain (`a < b < c` is an error).
 */
export const Level = {
  LOWEST: 0,
  ARROW: 1,
  OR: 2,
  AND: 3,
  NOT: 4,
  IS: 5,
  COMPARE: 6,
  /** BETWEEN IN LIKE ILIKE GLOB SIMILAR */
  MATCH: 7,
  /** all other operators: || & | << <-> ~ … */
  OTHER: 8,
  SUM: 9,
  PRODUCT: 10,
  POWER: 11,
  AT_TIME_ZONE: 12,
  COLLATE: 13,
  SIGN: 14,
} as const;

export const BINARY_LEVELS: Readonly<Record<BinaryOperator, number>> = {
  '->': Level.ARROW,
  // On its right side it binds as the other operators do: see RIGHT_LEVELS.
  '->>': Level.ARROW,
  '=': Level.COMPARE,
  '<>': Level.COMPARE,
  '<': Level.COMPARE,
  '<=': Level.COMPARE,
  '>': Level.COMPARE,
  '>=': Level.COMPARE,
  is_distinct_from: Level.IS,
  is_not_distinct_from: Level.IS,
  '||': Level.OTHER,
  '&': Level.OTHER,
  '|': Level.OTHER,
  '<<': Level.OTHER,
  '>>': Level.OTHER,
  '<->': Level.OTHER,
  '<=>': Level.OTHER,
  '<#>': Level.OTHER,
  '<+>': Level.OTHER,
  '~': Level.OTHER,
  '!~': Level.OTHER,
  '~*': Level.OTHER,
  '!~*': Level.OTHER,
  '^@': Level.OTHER,
  '@>': Level.OTHER,
  '<@': Level.OTHER,
  '&&': Level.OTHER,
  '+': Level.SUM,
  '-': Level.SUM,
  '*': Level.PRODUCT,
  '/': Level.PRODUCT,
  '//': Level.PRODUCT,
  '%': Level.PRODUCT,
  '^': Level.POWER,
  '**': Level.POWER,
};

/** Where the right operand is bound more strongly than the left one: `a OR j ->> 'k' IS NULL` is `((a OR j) ->> 'k') IS NULL`. */
export const RIGHT_LEVELS: Readonly<Partial<Record<BinaryOperator, number>>> = { '->>': Level.OTHER };

const SPELLINGS: Readonly<Record<string, BinaryOperator>> = { '==': '=', '!=': '<>' };

/** The binary operator that a token text stands for; undefined for `~~` and the like, and for what is no operator. */
export function binaryOperator(image: string): BinaryOperator | undefined {
  const spelling = SPELLINGS[image] ?? image;
  return Object.hasOwn(BINARY_LEVELS, spelling) ? (spelling as BinaryOperator) : undefined;
}
