import type { FunctionCategory, FunctionRow, MacroRow } from '../../../src/functions/index.ts';
import { FUNCTION_ROWS, MACRO_ROWS } from '../../../src/functions/index.ts';
import { LAMBDA_FUNCTIONS } from '../../../src/planner/bind/lambda_names.ts';
import { DEFAULT_SETTINGS, settingList } from '../../../src/session/settings.ts';

/** Headings in the order of the page. */
const CATEGORIES: readonly (readonly [FunctionCategory, string])[] = [
  ['operator', 'Operators'],
  ['comparison', 'Comparison and logic'],
  ['conditional', 'Conditional functions'],
  ['numeric', 'Numbers'],
  ['text', 'Text'],
  ['pattern', 'Patterns'],
  ['date and time', 'Dates and times'],
  ['list', 'Lists'],
  ['struct and map', 'Structs and maps'],
  ['aggregate', 'Aggregates'],
];

/** Forms with a syntax or a typing of their own, which no row of the function table describes. */
const FORMS: readonly (readonly [names: string, doc: string, example: string])[] = [
  ['coalesce, ifnull, nvl', 'First value that is not NULL.', 'coalesce(NULL, 1)'],
  ['CASE, if, iff', 'A value by conditions; only the branch that is taken is computed.', 'if(1 > 0, 2, 3)'],
  ['x BETWEEN a AND b, x IN (…)', 'Within bounds, or equal to one of several values.', '2 IN (1, 2)'],
  ['CAST, TRY_CAST, ::', 'Another type; TRY_CAST gives NULL where CAST is an error.', "TRY_CAST('x' AS INTEGER)"],
  ['typeof', 'Name of the type of an expression.', 'typeof(1.5)'],
  ['struct_pack, row, {…}', 'Struct of values.', "{'a': 1}"],
  [
    'struct_insert, struct_keys, struct_values',
    'A struct with more fields; the names of its fields; its values without names.',
    "struct_insert({'a': 1}, b := 2)",
  ],
  [
    'struct_position, struct_indexof, struct_contains, struct_has',
    'Last position of a value in a struct without names, and whether it is there.',
    'struct_position((1, 2), 2)',
  ],
  ['map, MAP {…}', 'Map of keys and values.', "map([1, 2], ['a', 'b'])"],
  [
    'make_timestamptz',
    'Instant of year, month, day, hour, minute, seconds and a zone (UTC unless said).',
    "make_timestamptz(2024, 7, 1, 12, 0, 0, 'Europe/Berlin')",
  ],
  [
    'range, generate_series',
    'List of whole numbers, or of timestamps a constant interval apart; also in FROM.',
    'range(3)',
  ],
  [
    'current_date, today, now, current_timestamp, current_localtimestamp, current_localtime',
    'Start of the statement, by UTC.',
    'current_date',
  ],
  [
    'date_add, add, subtract, multiply',
    'The operators +, -, * as functions.',
    "date_add(DATE '2024-01-31', INTERVAL 1 MONTH)",
  ],
  [
    'unnest, explode',
    'One row an element: in FROM (with WITH ORDINALITY) or in the SELECT list, there also one column a field of a struct.',
    'unnest([1, 2])',
  ],
  ['count_if', 'Number of rows for which a condition is true.', 'count_if(x > 0)'],
];

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

function functionTable(rows: readonly (FunctionRow | MacroRow)[]): string[] {
  return [
    '| names | what it gives | example |',
    '| --- | --- | --- |',
    ...rows.map((row) => `| ${cell(row.names.map(code).join(' '))} | ${cell(row.doc)} | ${cell(code(row.example))} |`),
  ];
}

/** The page docs/sql.md. */
export function sqlReference(): string {
  const sections = CATEGORIES.flatMap(([category, heading]) => {
    const rows = [...FUNCTION_ROWS, ...MACRO_ROWS].filter((row) => row.category === category);
    return rows.length === 0 ? [] : [`### ${heading}`, '', ...functionTable(rows), ''];
  });
  return [
    '# SQL reference',
    '',
    'Written by `npm run docs` from the function rows in `src/functions`. Where this page is silent, DuckDB is followed;',
    'see [differences](differences.md).',
    '',
    '## Statements',
    '',
    '- `SELECT … FROM … WHERE … GROUP BY … HAVING … ORDER BY … LIMIT … OFFSET …`, `FROM t`, `VALUES (…), (…)`,',
    '  `UNION [ALL] [BY NAME]`, `INTERSECT`, `EXCEPT`, `WITH name AS (…)`. Names of the SELECT list may be used in WHERE, GROUP BY, HAVING and ORDER BY.',
    '  `*` takes EXCLUDE, REPLACE and RENAME; COLUMNS(…) chooses columns by regular expression, list of names or lambda.',
    '- `DESCRIBE query`, `SUMMARIZE query`, `EXPLAIN [ANALYZE] query`, `EXPLAIN (ANALYZE, FORMAT text | tree | json | mermaid | dot | html, LOGICAL | OPTIMIZED) query`.',
    "- `COPY (query) TO 'x.parquet' (COMPRESSION zstd, …)`, `COPY t TO …`: [writing](writing.md).",
    '- `CREATE [OR REPLACE] VIEW v AS query`, `DROP VIEW v`, `SHOW TABLES`, `SHOW FUNCTIONS`, `SHOW SETTINGS`.',
    '- `SET name = value`, `RESET name`:',
    '',
    '| setting | default | meaning |',
    '| --- | --- | --- |',
    ...settingList(DEFAULT_SETTINGS).map(({ name, value, doc }) => `| \`${name}\` | ${value} | ${doc} |`),
    '',
    'Not yet, each with an error that names it: window functions and QUALIFY, recursive WITH, PIVOT, ASOF and POSITIONAL JOIN,',
    'TABLESAMPLE, COLLATE, LIMIT of a share or a subquery, CREATE TABLE and MACRO, COPY FROM.',
    '',
    '## Tables',
    '',
    "- `'file.parquet'`, `'dir/*.parquet'`, `'dir'` (all files below it), `'file.arrow'`, `'-'` (an Arrow stream on standard input).",
    '- `read_parquet(path | [path, …], option = value, …)`, and `read_arrow` with the same options:',
    '',
    '| option | meaning |',
    '| --- | --- |',
    '| `hive_partitioning` | take `key=value` folders as columns (default: where all paths have the same keys) |',
    '| `union_by_name` | all columns of all files; NULL where a file lacks one |',
    '| `filename` | a column with the path of each row; text gives its name |',
    '| `file_row_number` | a column with the position of each row in its file |',
    '| `binary_as_string` | binary columns without annotation are text |',
    "| `bfloat16` | 16-bit columns that hold BFLOAT16: `['x']` |",
    "| `schema` | columns by name, in order, cast: `MAP {'field': {name: 'x', type: 'BIGINT', default_value: NULL}}`, or `{'field': 'BIGINT'}` |",
    '',
    '- `range(stop)`, `range(start, stop[, step])`, `generate_series(…)`: whole numbers, or timestamps a constant interval apart:',
    "  `range(DATE '2024-01-01', DATE '2025-01-01', INTERVAL 1 MONTH)`. `unnest(list) [WITH ORDINALITY]`: one row",
    "  an element, also beside the table that has the list: `FROM t, unnest(t.l) AS u(x)`. `tpcds('item', scale := 0.01)`: made rows.",
    '- In the SELECT list `unnest(s)` of a struct is a column a field, as `s.*` is; `unnest(x, recursive := true)` takes all levels',
    '  of lists and structs apart, `max_depth := n` so many.',
    '',
    '## Joins and subqueries',
    '',
    '- `,` `CROSS JOIN` `[INNER] JOIN` `LEFT` `RIGHT` `FULL` `SEMI` `ANTI JOIN` with `ON`, `USING (…)` or `NATURAL`. NULL keys match',
    '  nothing; `IS NOT DISTINCT FROM` is a key that they match. The columns of USING stand once in `*`.',
    '- Equalities between the sides are keys of a hash join, whose second input in EXPLAIN is the table; everything else in the',
    '  condition (`filter=[…]`) is tested on pairs before they are made. Without an equality all pairs are tested',
    '  (conditional_join). EXPLAIN ANALYZE says how many pairs were tested and written.',
    '- `x [NOT] IN (query)`, `< ANY (query)`, `>= ALL (query)`, `[NOT] EXISTS (query)`, `ARRAY(query)` and `(query)` as a value, in',
    '  WHERE, ON, HAVING, GROUP BY, ORDER BY and the SELECT list. NOT IN follows NULL as SQL says. A query in FROM may name',
    '  columns of tables on its left, with or without LATERAL: `FROM t, (SELECT … WHERE x < t.y ORDER BY x LIMIT 3)`.',
    '- A query may name the row around it anywhere. It is made once for all rows: an equality in its WHERE becomes a key of a',
    '  join; otherwise it is made for each distinct combination of the values that it reads.',
    '',
    '## Types',
    '',
    'BOOLEAN, TINYINT to BIGINT, UTINYINT to UBIGINT, FLOAT16, BFLOAT16, FLOAT, DOUBLE, DECIMAL(p,s) with p up to 38, DATE, TIME,',
    'TIMESTAMP (also _S, _MS, _NS), TIME and TIMESTAMP WITH TIME ZONE, INTERVAL, VARCHAR, BLOB, UUID, T[], STRUCT(…), MAP(K, V). HUGEINT',
    'is DECIMAL(38,0). FLOAT16 and BFLOAT16 are computed in FLOAT. JSON, GEOMETRY and VARIANT are the types of columns of files: all three',
    "cast to VARCHAR, nothing casts to them. A VARIANT is grouped by kind and value, but not compared or sorted; `v.a`, `v['a']` and",
    '`v[1]` are its parts, NULL where it has none.',
    '',
    '## Functions',
    '',
    '### Forms',
    '',
    '| names | what it gives | example |',
    '| --- | --- | --- |',
    ...FORMS.map(([names, doc, example]) => `| ${cell(names)} | ${cell(doc)} | ${cell(code(example))} |`),
    '',
    `Lambdas are written \`x -> x + 1\` or \`lambda x: x + 1\`; they are taken by ${LAMBDA_FUNCTIONS.filter((n) => n.startsWith('list_')).join(', ')}.`,
    '',
    ...sections,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
