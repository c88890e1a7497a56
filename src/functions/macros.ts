import type { FunctionCategory } from './function_row.ts';

/** A function that stands for an expression of others. */
export interface MacroRow {
  /** the first is the one that documentation and messages use; all lower case */
  readonly names: readonly [string, ...string[]];
  readonly kind: 'scalar' | 'aggregate';
  readonly category: FunctionCategory;
  readonly doc: string;
  readonly example: string;
  /** parameters and SQL, one a number of arguments */
  readonly bodies: readonly MacroBody[];
}

export interface MacroBody {
  readonly parameters: readonly string[];
  readonly sql: string;
}

function macro(
  category: FunctionCategory,
  names: MacroRow['names'],
  parameters: string,
  sql: string,
  doc: string,
  example: string,
): MacroRow {
  const kind = category === 'aggregate' ? 'aggregate' : 'scalar';
  return { names, kind, category, doc, example, bodies: [{ parameters: parameters.split(' '), sql }] };
}

export const MACRO_ROWS: readonly MacroRow[] = [
  macro(
    'numeric',
    ['fdiv'],
    'x y',
    'floor(x / y)',
    'Quotient rounded down, as a floating-point number.',
    'fdiv(-7, 2)',
  ),
  macro(
    'numeric',
    ['round_even', 'roundbankers'],
    'x n',
    'CASE WHEN (abs(x) * power(10, n + 1)) % 10 = 5 THEN round(x / 2, n) * 2 ELSE round(x, n) END',
    'Rounds to n digits after the point, halves to the even digit.',
    'round_even(2.5, 0)',
  ),
  macro(
    'text',
    ['not_like_escape'],
    'x pattern escape',
    'NOT like_escape(x, pattern, escape)',
    'NOT LIKE with an escape character.',
    "not_like_escape('a%', 'a$%', '$')",
  ),
  macro(
    'text',
    ['not_ilike_escape'],
    'x pattern escape',
    'NOT ilike_escape(x, pattern, escape)',
    'NOT ILIKE with an escape character.',
    "not_ilike_escape('A%', 'a$%', '$')",
  ),
  macro(
    'text',
    ['pg_typeof'],
    'x',
    'lower(typeof(x))',
    'Name of the type of an expression in lower case.',
    'pg_typeof(1)',
  ),
  macro(
    'pattern',
    ['regexp_split_to_table'],
    'x pattern',
    'unnest(string_split_regex(x, pattern))',
    'One row for each part between matches of a regular expression; stands in the SELECT list.',
    "regexp_split_to_table('a b', ' ')",
  ),
  macro(
    'date and time',
    ['days_in_month'],
    'x',
    'day(last_day(x))',
    'Number of days of the month.',
    "days_in_month(DATE '2024-02-01')",
  ),
  macro(
    'date and time',
    ['ago'],
    'x',
    'current_timestamp - CAST(x AS INTERVAL)',
    'Instant an interval before the start of the statement.',
    'ago(INTERVAL 1 DAY)',
  ),
  macro(
    'date and time',
    ['timezone_hour'],
    'x',
    'CASE WHEN isfinite(x) THEN CAST(0 AS BIGINT) END',
    'Hours of the offset from UTC: 0, clocks are those of UTC.',
    "timezone_hour(TIMESTAMP '2024-02-29 13:45:00')",
  ),
  macro(
    'date and time',
    ['timezone_minute'],
    'x',
    'CASE WHEN isfinite(x) THEN CAST(0 AS BIGINT) END',
    'Minutes of the offset from UTC: 0, clocks are those of UTC.',
    "timezone_minute(TIMESTAMP '2024-02-29 13:45:00')",
  ),
  macro(
    'conditional',
    ['constant_or_null'],
    'x y',
    'CASE WHEN y IS NOT NULL THEN x END',
    'The first argument unless the second is NULL.',
    'constant_or_null(1, NULL)',
  ),
  {
    names: ['switch'],
    kind: 'scalar',
    category: 'conditional',
    doc: 'Value of a key of a map; where it is missing the third argument, or NULL.',
    example: "switch('a', MAP {'a': 1}, 0)",
    bodies: [
      { parameters: ['x', 'cases'], sql: 'map_extract_value(cases, x)' },
      {
        parameters: ['x', 'cases', 'otherwise'],
        sql: 'CASE WHEN map_contains(cases, x) THEN map_extract_value(cases, x) ELSE otherwise END',
      },
    ],
  },
  macro(
    'struct and map',
    ['map_contains_value'],
    'm x',
    'list_contains(map_values(m), x)',
    'True when a map holds a value.',
    'map_contains_value(MAP {1: 2}, 2)',
  ),
  macro(
    'struct and map',
    ['map_contains_entry'],
    'm k v',
    'list_contains(map_entries(m), struct_pack("key" := k, "value" := v))',
    'True when a map holds a key with this value.',
    'map_contains_entry(MAP {1: 2}, 1, 2)',
  ),
  macro(
    'aggregate',
    ['geomean', 'geometric_mean'],
    'x',
    'exp(avg(ln(x)))',
    'Geometric mean: the nth root of the product of n values.',
    'geomean(x)',
  ),
  macro(
    'aggregate',
    ['weighted_avg', 'wavg'],
    'x weight',
    'sum(x * weight) / sum(CASE WHEN x IS NOT NULL THEN weight ELSE 0 END)',
    'Mean of values with weights.',
    'weighted_avg(x, weight)',
  ),
];

const BY_NAME = new Map(MACRO_ROWS.flatMap((row) => row.names.map((name) => [name, row] as const)));

/** A macro by any of its names, in any case. */
export function findMacro(name: string): MacroRow | undefined {
  return BY_NAME.get(name.toLowerCase());
}
