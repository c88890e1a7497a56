import { describe, test } from 'vitest';
import { QuernError } from '../../src/common/error.ts';
import { expectGolden } from './golden.ts';
import { planText } from './sample_table.ts';

/** One file of test/errors each. */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  names: [
    'SELECT foo FROM t',
    'SELECT dtt FROM t',
    'SELECT t.foo FROM t',
    'SELECT z.i FROM t',
    'SELECT i',
    'SELECT st.c FROM t',
    'SELECT i.a FROM t',
    'SELECT bad FROM t',
    'SELECT * FROM nowhere',
    'SELECT * EXCLUDE (foo) FROM t',
    "SELECT COLUMNS('zzz') FROM t",
    'SELECT #40 FROM t',
    'SELECT $missing',
    'SELECT i FROM t, unnest(li) AS u(i)',
  ],
  functions: [
    'SELECT uper(s) FROM t',
    'SELECT upper(s, 1) FROM t',
    'SELECT ts + 1 FROM t',
    "SELECT '5' + 1",
    'SELECT sum(s) FROM t',
    "SELECT date_part('yaer', dt) FROM t",
    'SELECT coalesce()',
    'SELECT pi(1)',
    'SELECT upper(DISTINCT s) FROM t',
    'SELECT round(dc, i) FROM t',
    'SELECT list_transform(li, 3) FROM t',
  ],
  types: [
    'SELECT s > 5 FROM t',
    'SELECT coalesce(i, dt) FROM t',
    'SELECT CASE WHEN b THEN i ELSE s END FROM t',
    'SELECT [i, s] FROM t',
    'SELECT li::INTEGER FROM t',
    'SELECT i::DECIMAL(40, 2) FROM t',
    'SELECT i::WHATEVER FROM t',
    'SELECT i FROM t WHERE li',
    'SELECT i FROM t UNION SELECT dt FROM t',
    'SELECT i FROM t UNION SELECT i, s FROM t',
    'VALUES (1), (2, 3)',
    'SELECT unnest(i) FROM t',
    "SELECT {'a': 1, 'A': 2}",
  ],
  grouping: [
    'SELECT i, count(*) FROM t',
    'SELECT s FROM t GROUP BY i',
    'SELECT i FROM t WHERE count(*) > 1',
    'SELECT sum(count(*)) FROM t',
    'SELECT i FROM t GROUP BY sum(i)',
    'SELECT i FROM t HAVING i > 0',
    'SELECT i FROM t GROUP BY 3',
    'SELECT i FROM t ORDER BY 2',
    "SELECT i FROM t ORDER BY 'i'",
    'SELECT DISTINCT i FROM t ORDER BY s',
    'SELECT sum(*) FROM t',
    'SELECT i FROM t WHERE unnest(li) = 1',
    'SELECT i FROM t LIMIT -1',
    'SELECT * FROM t RIGHT JOIN LATERAL (SELECT t.i + 1 AS j) ON true',
  ],
  unsupported: [
    "SELECT * FROM 's3://bucket/x.parquet'",
    "SELECT * FROM read_csv('x.csv')",
    "SELECT * FROM 'x.json'",
    'SELECT i FROM t LEFT JOIN bounded ON i IN (SELECT k + i FROM bounded b WHERE b.k = bounded.k)',
    'SELECT sum(i) OVER () FROM t',
    'SELECT i FROM t QUALIFY row_number() OVER () = 1',
    'WITH RECURSIVE c AS (SELECT 1 UNION ALL SELECT * FROM c) SELECT * FROM c',
    'SELECT i::JSON FROM t',
    'SELECT s COLLATE nocase FROM t',
    'SELECT * FROM read_parquet(nofile)',
    "SELECT * FROM read_parquet('x.parquet', hive = true)",
  ],
};

async function errorText(sql: string): Promise<string> {
  try {
    const plan = await planText(sql);
    return `no error:\n${plan}`;
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const { span } = error;
    const caret =
      span === undefined ? [] : [`  ${' '.repeat(span.start)}${'^'.repeat(Math.max(1, span.end - span.start))}`];
    return [...caret, `error[${error.code}]: ${error.message}`, ...(error.hint ? [`hint: ${error.hint}`] : [])].join(
      '\n',
    );
  }
}

describe('errors', () => {
  for (const [name, statements] of Object.entries(ERRORS)) {
    test(name, () => expectGolden(`../errors/${name}.txt`, statements, errorText));
  }
});
