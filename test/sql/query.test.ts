import { describe, expect, test } from 'vitest';
import { parseStatements } from '../../src/sql/index.ts';
import { canonicalScript } from './tree.ts';

describe('select list', () => {
  test.each([
    ['select a as x, b y, c "Z z", d as \'total\', w: e', 'SELECT a AS x, b AS y, c AS "Z z", d AS total, e AS w'],
    ['select distinct a, b from t', 'SELECT DISTINCT a, b FROM t'],
    ['select all a from t', 'SELECT a FROM t'],
    ['select distinct on (a, b + 1) a, c from t', 'SELECT DISTINCT ON (a, (b + 1)) a, c FROM t'],
    ['select a + 1, * from t', 'SELECT (a + 1), * FROM t'],
    ['select t.*, s.u.* from t', 'SELECT t.*, s.u.* FROM t'],
    [
      'select * exclude (a, t.b) replace (c + 1 as c) rename (d as e) from t',
      'SELECT * EXCLUDE (a, t.b) REPLACE ((c + 1) AS c) RENAME (d AS e) FROM t',
    ],
    ['select * exclude a from t', 'SELECT * EXCLUDE (a) FROM t'],
    ['select * except (a, b) from t', 'SELECT * EXCLUDE (a, b) FROM t'],
    ['select * from t except (select * from u)', 'SELECT * FROM t EXCEPT SELECT * FROM u'],
    ['select * except (select 1)', 'SELECT * EXCEPT SELECT 1'],
    [
      "select columns(*) + 1, min(columns('^a')), columns(t.*) from t",
      "SELECT (COLUMNS(*) + 1), min(COLUMNS('^a')), COLUMNS(t.*) FROM t",
    ],
    [
      "select columns(c -> c like 'a%'), columns(* exclude (a)) from t",
      "SELECT COLUMNS((LAMBDA c: (c LIKE 'a%'))), COLUMNS(* EXCLUDE (a)) FROM t",
    ],
    ['select coalesce(*columns(*)) from t', 'SELECT "coalesce"(*COLUMNS(*)) FROM t'],
    ["select * like 'a%' from t", "SELECT COLUMNS((LAMBDA c: (c LIKE 'a%'))) FROM t"],
    ["select * not similar to 'a.*' from t", "SELECT COLUMNS((LAMBDA c: (c NOT SIMILAR TO 'a.*'))) FROM t"],
    ['select a, b, from t', 'SELECT a, b FROM t'],
    ['select a, a from t', 'SELECT a, a FROM t'],
  ])('%s', (text, expected) => {
    expect(canonicalScript(text)).toBe(expected);
  });
});

describe('FROM', () => {
  test.each([
    ['from t', 'SELECT * FROM t'],
    ['from t select a where b', 'SELECT a FROM t WHERE b'],
    ['table t', 'SELECT * FROM t'],
    [
      'select 1 from a, b c, d as e where a.x = c.y',
      'SELECT 1 FROM a CROSS JOIN b AS c CROSS JOIN d AS e WHERE (a.x = c.y)',
    ],
    ['select 1 from db.s.t', 'SELECT 1 FROM db.s.t'],
    ["select 1 from 'data/*.parquet' p", "SELECT 1 FROM 'data/*.parquet' AS p"],
    ['select 1 from "x.parquet"', 'SELECT 1 FROM "x.parquet"'],
    [
      "from read_parquet(['a', 'b'], hive_partitioning = true, filename := 'f', x => 1)",
      "SELECT * FROM read_parquet(['a', 'b'], hive_partitioning := TRUE, filename := 'f', x := 1)",
    ],
    ['from range(10) t(i)', 'SELECT * FROM "range"(10) AS t(i)'],
    [
      'from t, unnest(t.l) with ordinality as u(x, i)',
      'SELECT * FROM t CROSS JOIN unnest(t.l) WITH ORDINALITY AS u(x, i)',
    ],
    ['from t left join unnest(l) u(x) on true', 'SELECT * FROM t LEFT JOIN unnest(l) AS u(x) ON TRUE'],
    ['from t, lateral (select t.a + 1) u(b)', 'SELECT * FROM t CROSS JOIN LATERAL (SELECT (t.a + 1)) AS u(b)'],
    ['from (select 1 as a) t', 'SELECT * FROM (SELECT 1 AS a) AS t'],
    ['from (select 1)', 'SELECT * FROM (SELECT 1)'],
    ['from ((select 1) union all (select 2)) t', 'SELECT * FROM (SELECT 1 UNION ALL SELECT 2) AS t'],
    ['from $$x$$ t', "SELECT * FROM 'x' AS t"],
    ['from (values (1, 2), (3, 4)) t(a, b)', 'SELECT * FROM (VALUES (1, 2), (3, 4)) AS t(a, b)'],
    ['from values (1, 2), (3, 4) t(a, b)', 'SELECT * FROM (VALUES (1, 2), (3, 4)) AS t(a, b)'],
    ['from (describe t) d', 'SELECT * FROM (DESCRIBE t) AS d'],
    ['from (show tables)', 'SELECT * FROM (SHOW TABLES)'],
    ['from (summarize select 1)', 'SELECT * FROM (SUMMARIZE SELECT 1)'],
    ['from x: t', 'SELECT * FROM t AS x'],
    ['from t as "select", u \'x\'', undefined],
  ])('%s', (text, expected) => {
    if (expected === undefined) expect(() => parseStatements(text)).toThrow('syntax error at or near "\'x\'"');
    else expect(canonicalScript(text)).toBe(expected);
  });
});

describe('joins', () => {
  test.each([
    ['from a join b on a.x = b.x', 'SELECT * FROM a INNER JOIN b ON (a.x = b.x)'],
    ['from a inner join b using (x, y)', 'SELECT * FROM a INNER JOIN b USING (x, y)'],
    ['from a left outer join b on p and q', 'SELECT * FROM a LEFT JOIN b ON (p AND q)'],
    ['from a right join b on p full outer join c on q', 'SELECT * FROM a RIGHT JOIN b ON p FULL JOIN c ON q'],
    ['from a cross join b', 'SELECT * FROM a CROSS JOIN b'],
    ['from a natural join b', 'SELECT * FROM a NATURAL INNER JOIN b'],
    ['from a natural left join b', 'SELECT * FROM a NATURAL LEFT JOIN b'],
    ['from a semi join b using (x) anti join c on p', 'SELECT * FROM a SEMI JOIN b USING (x) ANTI JOIN c ON p'],
    ['from a, b join c on p, d', 'SELECT * FROM a CROSS JOIN (b INNER JOIN c ON p) CROSS JOIN d'],
    ['from a join (b join c on p) on q', 'SELECT * FROM a INNER JOIN (b INNER JOIN c ON p) ON q'],
    ['from a join b join c on p on q', 'SELECT * FROM a INNER JOIN (b INNER JOIN c ON p) ON q'],
    ['from a join b cross join c on p', 'SELECT * FROM a INNER JOIN (b CROSS JOIN c) ON p'],
    ['from ((select 1) a join b on p)', 'SELECT * FROM (SELECT 1) AS a INNER JOIN b ON p'],
    ['from (a)', 'SELECT * FROM a'],
  ])('%s', (text, expected) => {
    expect(canonicalScript(text)).toBe(expected);
  });

  test('the place of a join is that of its tables', () => {
    const text = 'select 1 from a, b x join c using (k) where d';
    expect(parseStatements(text)).toMatchObject([
      { query: { body: { from: { span: { start: 14, end: 37 }, right: { span: { start: 17, end: 37 } } } } } },
    ]);
  });
});

describe('WITH and set operations', () => {
  test.each([
    [
      'with a as (select 1), b(x, y) as (select 2, 3) select * from a, b',
      'WITH a AS (SELECT 1), b(x, y) AS (SELECT 2, 3) SELECT * FROM a CROSS JOIN b',
    ],
    [
      'with a as materialized (select 1), b as not materialized (select 2) from a',
      'WITH a AS MATERIALIZED (SELECT 1), b AS NOT MATERIALIZED (SELECT 2) SELECT * FROM a',
    ],
    [
      'with recursive r(n) as (select 1 union all select n + 1 from r where n < 3) from r',
      'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT (n + 1) FROM r WHERE (n < 3)) SELECT * FROM r',
    ],
    ['with recursive as (select 1) from recursive', 'WITH "recursive" AS (SELECT 1) SELECT * FROM "recursive"'],
    ['select 1 union select 2 union all select 3', 'SELECT 1 UNION SELECT 2 UNION ALL SELECT 3'],
    ['select 1 union distinct select 2', 'SELECT 1 UNION SELECT 2'],
    ['select 1 union all by name select 2', 'SELECT 1 UNION ALL BY NAME SELECT 2'],
    ['select 1 union select 2 intersect select 3', 'SELECT 1 UNION SELECT 2 INTERSECT SELECT 3'],
    ['(select 1 union select 2) intersect select 3', '(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3'],
    ['select 1 except (select 2 except select 3)', 'SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)'],
    ['(select 1) except (select 2) except (select 3)', 'SELECT 1 EXCEPT SELECT 2 EXCEPT SELECT 3'],
    ['select 1 union select 2 order by 1 limit 1', 'SELECT 1 UNION SELECT 2 ORDER BY 1 LIMIT 1'],
    ['select 1 union (select 2 order by 1 limit 1)', 'SELECT 1 UNION (SELECT 2 ORDER BY 1 LIMIT 1)'],
    ['(select 1 limit 1) limit 2', '(SELECT 1 LIMIT 1) LIMIT 2'],
    ['((select 1))', 'SELECT 1'],
    ["values (1, 'a'), (2, 'b')", "VALUES (1, 'a'), (2, 'b')"],
  ])('%s', (text, expected) => {
    expect(canonicalScript(text)).toBe(expected);
  });

  test('INTERSECT binds tighter than UNION and EXCEPT, which go from left to right', () => {
    const [statement] = parseStatements('select 1 union select 2 intersect all select 3 except select 4');
    expect(statement).toMatchObject({
      query: {
        body: {
          operator: 'except',
          all: false,
          left: { operator: 'union', right: { operator: 'intersect', all: true } },
          right: { kind: 'select' },
        },
      },
    });
  });

  test('ORDER BY and LIMIT belong to the whole', () => {
    const [statement] = parseStatements('select 1 union select 2 order by 1 limit 3');
    expect(statement).toMatchObject({
      query: { body: { kind: 'set_operation' }, orderBy: [{}], limit: { text: '3' } },
    });
  });
});

describe('clauses', () => {
  test.each([
    [
      'select a, count(*) from t where b group by a having count(*) > 1 order by 2 desc',
      'SELECT a, count(*) FROM t WHERE b GROUP BY a HAVING (count(*) > 1) ORDER BY 2 DESC',
    ],
    ['from t select 1 group by 1, a + 1, (b)', 'SELECT 1 FROM t GROUP BY 1, (a + 1), b'],
    ['select a from t group by all', 'SELECT a FROM t GROUP BY ALL'],
    ['select a from t group by (a, b), ()', 'SELECT a FROM t GROUP BY (a, b), ()'],
    ['select a from t group by rollup (a, (b, c))', 'SELECT a FROM t GROUP BY ROLLUP (a, (b, c))'],
    ['select a from t group by rollup(a,b), cube(c, d)', 'SELECT a FROM t GROUP BY ROLLUP (a, b), CUBE (c, d)'],
    [
      'select a from t group by grouping sets ((a, b), a, (), rollup (c))',
      'SELECT a FROM t GROUP BY GROUPING SETS ((a, b), a, (), ROLLUP (c))',
    ],
    ['select a from t group by rollup, grouping', 'SELECT a FROM t GROUP BY "rollup", "grouping"'],
    [
      'select a from t order by a asc nulls first, b desc nulls last, c nulls first',
      'SELECT a FROM t ORDER BY a ASC NULLS FIRST, b DESC NULLS LAST, c NULLS FIRST',
    ],
    ['select a from t order by all desc', 'SELECT a FROM t ORDER BY * DESC'],
    [
      'select a from t order by case when a = 0 then b end, sum(c) over (order by d)',
      'SELECT a FROM t ORDER BY CASE WHEN (a = 0) THEN b END, sum(c) OVER (ORDER BY d)',
    ],
    ['select a from t limit 10 offset 5', 'SELECT a FROM t LIMIT 10 OFFSET 5'],
    ['select a from t offset 5 rows limit 10', 'SELECT a FROM t LIMIT 10 OFFSET 5'],
    ['select a from t limit all', 'SELECT a FROM t'],
    ['select a from t limit 2 * 5', 'SELECT a FROM t LIMIT (2 * 5)'],
    ['select a from t limit 7 % 4', 'SELECT a FROM t LIMIT (7 % 4)'],
    ['select a from t fetch first 3 rows only', 'SELECT a FROM t LIMIT 3'],
    ['select a from t fetch next row only', 'SELECT a FROM t LIMIT 1'],
    [
      'select a from t window w as (partition by a), v as (w order by b) qualify row_number() over w = 1',
      'SELECT a FROM t WINDOW w AS (PARTITION BY a), v AS (w ORDER BY b) QUALIFY (row_number() OVER w = 1)',
    ],
    [
      'select a from t qualify row_number() over w = 1 window w as (order by a)',
      'SELECT a FROM t WINDOW w AS (ORDER BY a) QUALIFY (row_number() OVER w = 1)',
    ],
  ])('%s', (text, expected) => {
    expect(canonicalScript(text)).toBe(expected);
  });
});
