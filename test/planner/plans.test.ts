import { describe, test } from 'vitest';
import { expectGolden } from './golden.ts';
import { planText } from './sample_table.ts';

/** One file of test/plans each. */
const PLANS: Readonly<Record<string, readonly string[]>> = {
  scan: [
    'SELECT i, s FROM t',
    'SELECT * EXCLUDE (bad) FROM t LIMIT 3',
    'SELECT 1 FROM t',
    'SELECT i FROM t LIMIT 3 OFFSET 2',
    "SELECT i AS a, s AS b FROM read_parquet('x.parquet') WHERE i > 3",
    "SELECT i FROM 'dir/*.arrow'",
  ],
  filter: [
    "SELECT i FROM t WHERE bi > 5 AND s = 'x' AND i = 3::BIGINT",
    "SELECT i FROM t WHERE dt >= '2020-01-01' AND dt < DATE '2020-01-01' + INTERVAL 3 MONTH",
    'SELECT i FROM t WHERE i IN (1, 2, 1999 + 1)',
    "SELECT i FROM t WHERE (i = 1 AND s = 'a') OR (i = 1 AND s = 'b')",
    'SELECT i FROM t WHERE false',
    'SELECT i FROM t WHERE true AND i > 0',
    'SELECT i FROM t WHERE NOT (i < 3) AND NOT (s IS NULL)',
    'SELECT * FROM (SELECT i AS a, i + 1 AS c, s FROM t) WHERE a = 1 AND c > 2',
    'SELECT * FROM (SELECT i, count(*) AS n FROM t GROUP BY i) WHERE i = 1 AND n > 2',
    'SELECT * FROM (SELECT i, s FROM t UNION ALL SELECT si, s FROM t) WHERE i > 3',
    'SELECT i, u FROM t, unnest(li) AS e(u) WHERE i > 3 AND u > 4',
    'SELECT * FROM (SELECT i FROM t LIMIT 10) WHERE i > 3',
    'SELECT i FROM t WHERE h > 1 AND bf = 2',
  ],
  group_by: [
    'SELECT i, s, count(*), sum(i), grouping(i, s) FROM t GROUP BY ROLLUP (i, s)',
    'SELECT s, sum(dc), avg(f), count(DISTINCT i) FROM t GROUP BY s',
    'SELECT s, count(*) FROM t GROUP BY s HAVING count(*) > 1 ORDER BY 2 DESC LIMIT 10',
    'SELECT i % 2 AS k, max(i) FILTER (WHERE i > 0) FROM t GROUP BY k',
    'SELECT sum(i) FROM t',
    'SELECT DISTINCT s, i FROM t',
    'SELECT DISTINCT ON (s) s, i FROM t ORDER BY s, i DESC',
    "SELECT string_agg(s, ';' ORDER BY i), list(i ORDER BY i DESC) FROM t",
    'SELECT count(*) FROM (SELECT i FROM t ORDER BY s)',
    'SELECT s, count_if(i > 3) FROM t GROUP BY ALL',
  ],
  footers: [
    'SELECT count(*) FROM bounded',
    'SELECT min(k), max(k), count(k), count(1) FROM bounded',
    'SELECT min(loose) FROM bounded',
    'SELECT max(x) FROM bounded',
    'SELECT min(n), count(n) FROM bounded',
    'SELECT count(*) FROM bounded WHERE k > 3',
    'SELECT count(plain) FROM bounded',
    'SELECT min(k), count(DISTINCT k) FROM bounded',
  ],
  join: [
    'SELECT a.i, b.s FROM t a JOIN bounded ON a.i = k JOIN t b ON a.bi = b.bi AND a.i < b.i',
    "SELECT a.i, b.s FROM t a, t b, bounded WHERE a.i = k AND b.i = k AND a.s = 'x' AND b.s LIKE 'y%'",
    "SELECT a.i, b.s FROM t a LEFT JOIN t b ON a.i = b.i AND b.s = 'x' AND a.s = 'y' WHERE a.bi > 3",
    "SELECT a.i, b.s FROM t a LEFT JOIN t b ON a.i = b.i WHERE b.s = 'x'",
    'SELECT a.i, b.s FROM bounded LEFT JOIN t a ON a.i = k RIGHT JOIN t b ON b.i = k',
    'SELECT i, a.s, b.s FROM t a FULL JOIN t b USING (i) WHERE i > 3',
    'SELECT a.i FROM t a SEMI JOIN t b ON a.i IS NOT DISTINCT FROM b.i WHERE a.s IS NULL',
    'SELECT a.i FROM t a ANTI JOIN t b ON a.i < b.i',
    'SELECT count(*) FROM t a, t b',
    'SELECT a.i FROM t a JOIN t b ON a.i = b.i + 1 AND a.s = b.s WHERE a.i + 1 > 5',
  ],
  subquery: [
    'SELECT i FROM t WHERE i IN (SELECT k FROM bounded) AND s IS NOT NULL',
    'SELECT i FROM t WHERE i NOT IN (SELECT k FROM bounded)',
    'SELECT i FROM t WHERE EXISTS (SELECT 1 FROM bounded WHERE k = i AND x < d)',
    'SELECT i FROM t WHERE NOT EXISTS (SELECT 1 FROM bounded WHERE k = i)',
    'SELECT i FROM t WHERE d > (SELECT avg(x) FROM bounded WHERE k = i)',
    'SELECT i, (SELECT count(*) FROM bounded WHERE k = i) FROM t',
    'SELECT s, sum(i) FROM t GROUP BY s HAVING sum(i) > (SELECT max(k) FROM bounded)',
    'SELECT i, (SELECT k FROM bounded WHERE k < i ORDER BY k DESC LIMIT 1) FROM t WHERE s IS NOT NULL',
    'SELECT i, n FROM t, LATERAL (SELECT count(*) AS n FROM bounded WHERE k < i)',
    'SELECT i, j FROM t, generate_series(1, i) AS g(j)',
    "SELECT i FROM t LEFT JOIN bounded ON i = k AND i IN (SELECT bi FROM t) AND s = 'x'",
    'SELECT i > ALL (SELECT k FROM bounded) FROM t',
    'SELECT i IN (SELECT k FROM bounded WHERE x = d) FROM t',
  ],
  sort: [
    'SELECT i FROM t ORDER BY i DESC NULLS FIRST, s',
    'SELECT i + 1 AS j FROM t ORDER BY s LIMIT 5 OFFSET 2',
    'SELECT upper(s) FROM t ORDER BY i LIMIT 5',
    'SELECT i FROM t ORDER BY i LIMIT 5000000',
    'SELECT i FROM t UNION SELECT bi FROM t ORDER BY 1 LIMIT 3',
    'SELECT i, list_extract(lf, 1) FROM t ORDER BY ALL',
  ],
  rows: [
    'SELECT 1, NULL',
    "VALUES (1, 'a'), (2.5, NULL)",
    'SELECT * FROM range(10) WHERE range % 2 = 0',
    'SELECT * FROM generate_series(5, 1, -2) LIMIT 2',
    'SELECT i, unnest(li) FROM t',
    'SELECT i, u, o FROM t, unnest(li) WITH ORDINALITY AS e(u, o)',
    'SELECT i, u FROM t LEFT JOIN unnest(li) AS e(u) ON true',
    'WITH c AS (SELECT i AS k FROM t) SELECT k FROM c UNION ALL SELECT k + 1 FROM c',
    'SELECT i FROM t EXCEPT SELECT si FROM t WHERE s IS NULL',
    'DESCRIBE SELECT i, s FROM t',
    'SUMMARIZE SELECT i, s FROM t',
  ],
};

describe('plans', () => {
  for (const [name, statements] of Object.entries(PLANS)) {
    test(name, () => expectGolden(`../plans/${name}.txt`, statements, planText));
  }
});
