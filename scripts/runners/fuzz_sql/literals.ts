import type { Random } from '../random.ts';
import type { Kind } from './expression.ts';

/** The SQL type a column or a typed NULL of each kind has. */
export const SQL_TYPES: Readonly<Record<Kind, string>> = {
  bool: 'BOOLEAN',
  int: 'INTEGER',
  bigint: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  decimal: 'DECIMAL(9,2)',
  string: 'VARCHAR',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  int_list: 'INTEGER[]',
  string_list: 'VARCHAR[]',
  float_list: 'FLOAT[]',
  nested_list: 'INTEGER[][]',
};

const STRINGS: readonly string[] = [
  '',
  'a',
  'ab',
  'abc',
  'B',
  'żółw',
  '日本',
  'a%b',
  'x_y',
  ' pad ',
  'NULL',
  '12',
  '-1.5',
  "it''s",
];
const INTS: readonly string[] = [
  '0',
  '1',
  '-1',
  '2',
  '3',
  '7',
  '10',
  '100',
  '127',
  '-128',
  '32767',
  '2147483647',
  '(-2147483647)',
];
const BIGINTS: readonly string[] = [
  '0',
  '1',
  '-1',
  '5',
  '4294967296',
  '9007199254740993',
  '9223372036854775807',
  '(-9223372036854775807)',
];
const DOUBLES: readonly string[] = [
  '0.0',
  '-0.0',
  '1.5',
  '-2.25',
  '0.1',
  '1e10',
  '1e300',
  '-1e-300',
  'nan',
  'inf',
  '-inf',
];
const DECIMALS: readonly string[] = ['0.00', '1.25', '-0.01', '0.5', '99.99', '-7.00', '1234567.89', '2.5'];
const DATES: readonly string[] = ['1970-01-01', '2000-02-29', '1999-12-31', '2024-03-10', '0001-01-01', '9999-12-31'];
const TIMES: readonly string[] = [
  '1970-01-01 00:00:00',
  '2000-02-29 23:59:59.999999',
  '1969-12-31 12:00:00',
  '2024-03-10 02:30:00.5',
];

/**
 * A constant of a kind; its text has the kind's SQL type on its own. Never NULL: DuckDB folds an operation over a
 * constant NULL away, with the type of NULL and without the errors of the other operand.
 */
export function literal(random: Random, kind: Kind): string {
  switch (kind) {
    case 'bool':
      return random.pick(['true', 'false']);
    case 'int':
      return random.chance(0.3) ? random.pick(INTS) : String(random.below(20) - 5);
    case 'bigint':
      return `${random.pick(BIGINTS)}::BIGINT`;
    case 'float':
      return `'${random.pick(DOUBLES.slice(0, 6))}'::FLOAT`;
    case 'double':
      return `'${random.pick(DOUBLES)}'::DOUBLE`;
    case 'decimal':
      return random.pick(DECIMALS);
    case 'string':
      return `'${random.pick(STRINGS)}'`;
    case 'date':
      return `DATE '${random.pick(DATES)}'`;
    case 'timestamp':
      return `TIMESTAMP '${random.pick(TIMES)}'`;
    case 'int_list':
      return listOf(random, 'int');
    case 'string_list':
      return listOf(random, 'string');
    case 'float_list':
      return listOf(random, 'float');
    case 'nested_list':
      return listOf(random, 'int_list');
  }
}

function listOf(random: Random, element: 'int' | 'string' | 'float' | 'int_list'): string {
  const type = `${SQL_TYPES[element]}[]`;
  const value = (): string => (random.chance(0.2) ? 'NULL' : literal(random, element));
  const values = Array.from({ length: random.below(4) }, value);
  // in brackets: a subscript behind the bare cast would belong to the type
  return `([${values.join(', ')}]::${type})`;
}

/** A LIKE pattern. */
export function pattern(random: Random): string {
  const parts = ['%', '_', 'a', 'b', 'ab', 'ż', ''];
  return `'${Array.from({ length: 1 + random.below(4) }, () => random.pick(parts)).join('')}'`;
}
