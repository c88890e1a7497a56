import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../src/sql/index.ts';
import { canonical, withoutSpans } from './tree.ts';

describe('precedence', () => {
  test.each([
    ['a or b and c', '(a OR (b AND c))'],
    ['a and b and c or d', '((a AND b AND c) OR d)'],
    ['(a and b) and (c and d)', '(a AND b AND c AND d)'],
    ['not a = b and c', '((NOT (a = b)) AND c)'],
    ['not not a', '(NOT (NOT a))'],
    ['a = not b', '(a = (NOT b))'],
    ['a + b * c - d', '((a + (b * c)) - d)'],
    ['a - b - c', '((a - b) - c)'],
    ['a * b ^ c ** d', '(a * ((b ^ c) ** d))'],
    ['- a ^ 2', '((- a) ^ 2)'],
    ['-1::int', '(- CAST(1 AS INT))'],
    ['- - 1', '(- (- 1))'],
    ['1 - -1', '(1 - (- 1))'],
    ['a-1', '(a - 1)'],
    ['~a + b', '(~ (a + b))'],
    ['a + b || c', '((a + b) || c)'],
    ['a | b & c', '((a | b) & c)'],
    ['a << 1 + 2', '(a << (1 + 2))'],
    ['a // b % c / d', '(((a // b) % c) / d)'],
    ['a <-> b < c <=> d', '((a <-> b) < (c <=> d))'],
    ['a <#> b + c <+> d', '((a <#> (b + c)) <+> d)'],
    ['a < -1', '(a < (- 1))'],
    ['a<-1', '(a < (- 1))'],
    ['a == b', '(a = b)'],
    ['a != b', '(a <> b)'],
    ['a = 1 is null', '((a = 1) IS NULL)'],
    ['a is null is null', '((a IS NULL) IS NULL)'],
    ['a + 1 is not null', '((a + 1) IS NOT NULL)'],
    ['a isnull or b notnull', '((a IS NULL) OR (b IS NOT NULL))'],
    ['a is true and b is not false', '((a IS TRUE) AND (b IS NOT FALSE))'],
    ['a is unknown', '(a IS NULL)'],
    ['a is distinct from b + 1', '(a IS DISTINCT FROM (b + 1))'],
    ['a is not distinct from null', '(a IS NOT DISTINCT FROM NULL)'],
    ['a between 1 and 2 and b', '((a BETWEEN 1 AND 2) AND b)'],
    ['a not between b + 1 and c - 1', '(a NOT BETWEEN (b + 1) AND (c - 1))'],
    ['a + 1 in (1, 2)', '((a + 1) IN (1, 2))'],
    ['not a in (1)', '(NOT (a IN (1)))'],
    ['a not in (1999+1, 2,)', '(a NOT IN ((1999 + 1), 2))'],
    ['a in l', 'contains(l, a)'],
    ['a not in l[1]', '(NOT contains(l[1], a))'],
    ["s || 'x' like 'y' || '%'", "((s || 'x') LIKE ('y' || '%'))"],
    ["s not like '!%' escape '!'", "(s NOT LIKE '!%' ESCAPE '!')"],
    ["s ilike 'x' and t not ilike 'y'", "((s ILIKE 'x') AND (t NOT ILIKE 'y'))"],
    ["s similar to 'x' or s not similar to 'y'", "((s SIMILAR TO 'x') OR (s NOT SIMILAR TO 'y'))"],
    ["s ~~ 'x'", "(s LIKE 'x')"],
    ["s !~~* 'x'", "(s NOT ILIKE 'x')"],
    ["s ~ 'x' and s !~ 'y'", "((s ~ 'x') AND (s !~ 'y'))"],
    ["s ^@ 'x'", "(s ^@ 'x')"],
    ['l @> m or l <@ m or l && m', '((l @> m) OR (l <@ m) OR (l && m))'],
    ["t at time zone 'UTC' || 'x'", "(timezone('UTC', t) || 'x')"],
    ['s collate nocase = t', '((s COLLATE nocase) = t)'],
    ['a::int::varchar || b', '(CAST(CAST(a AS INT) AS VARCHAR) || b)'],
    ['date - d <= 5 and x > 3', '(((date - d) <= 5) AND (x > 3))'],
  ])('%s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  test('the place of an operator and of its expression', () => {
    const text = '(aa) <-> b[1]';
    expect(parseExpression(text)).toMatchObject({
      span: { start: 0, end: 13 },
      operatorSpan: { start: 5, end: 8 },
      left: { span: { start: 1, end: 3 } },
      right: { span: { start: 9, end: 13 } },
    });
  });
});

describe('CASE and CAST', () => {
  test.each([
    ['case when a then 1 when b then 2 else 3 end', 'CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END'],
    ['case mean when 0 then null else stdev / mean end', 'CASE mean WHEN 0 THEN NULL ELSE (stdev / mean) END'],
    ['cast(a as decimal(15, 4))', 'CAST(a AS DECIMAL(15, 4))'],
    ['try_cast(a as date)', 'TRY_CAST(a AS DATE)'],
  ])('%s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });
});

describe('type names', () => {
  test.each([
    ['int', 'INT'],
    ['double precision', 'DOUBLE'],
    ['character varying(3)', 'VARCHAR(3)'],
    ['timestamp with time zone', 'TIMESTAMPTZ'],
    ['timestamp(6) without time zone', 'TIMESTAMP(6)'],
    ['time with time zone', 'TIMETZ'],
    ['float[]', 'FLOAT[]'],
    ['float[3][]', 'FLOAT[3][]'],
    ['int array', 'INT[]'],
    ['int array[4]', 'INT[4]'],
    ['decimal(7,2)[]', 'DECIMAL(7, 2)[]'],
    ['struct(a int, "b c" varchar[])', 'STRUCT(a INT, "b c" VARCHAR[])'],
    ['row(a int)', 'STRUCT(a INT)'],
    ['map(varchar, map(int, date))', 'MAP(VARCHAR, MAP(INT, DATE))'],
    ['half', 'HALF'],
    ['bfloat16[64]', 'BFLOAT16[64]'],
    ['hugeint', 'HUGEINT'],
    ['interval', 'INTERVAL'],
    ['"my type"', '"MY TYPE"'],
  ])('%s', (text, expected) => {
    expect(canonical(`x::${text}`)).toBe(`CAST(x AS ${expected})`);
  });
});

describe('calls', () => {
  test.each([
    ['count(*)', 'count(*)'],
    ['count()', 'count()'],
    ['count(distinct a)', 'count(DISTINCT a)'],
    ['sum(all a)', 'sum(a)'],
    ['left(s, 2) || right(s, 1)', '("left"(s, 2) || "right"(s, 1))'],
    ['main.sum(a)', 'main.sum(a)'],
    ['coalesce(a, b, 0)', '"coalesce"(a, b, 0)'],
    ['nullif(a, 0)', '"nullif"(a, 0)'],
    ['if(a, 1, 2)', '"if"(a, 1, 2)'],
    ['f(a := 1, b => 2, 3)', 'f(a := 1, b := 2, 3)'],
    [
      "string_agg(distinct s, ',' order by s desc nulls last, t)",
      "string_agg(DISTINCT s, ',' ORDER BY s DESC NULLS LAST, t)",
    ],
    ['sum(a) filter (where b > 1)', 'sum(a) FILTER (WHERE (b > 1))'],
    ['sum(a) filter (b > 1)', 'sum(a) FILTER (WHERE (b > 1))'],
    ['percentile_cont(0.5) within group (order by a)', 'percentile_cont(0.5) WITHIN GROUP (ORDER BY a)'],
    ['extract(year from d)', "date_part('year', d)"],
    ["extract('minute' from ts) + 1", "(date_part('minute', ts) + 1)"],
    ['substring(s from 1 for 2)', '"substring"(s, 1, 2)'],
    ['substring(s for 2)', '"substring"(s, 1, 2)'],
    ['substring(s, 1, 2)', '"substring"(s, 1, 2)'],
    ["position('x' in s)", `"position"(s, 'x')`],
    ['trim(s)', '"trim"(s)'],
    ["trim(both 'x' from s)", `"trim"(s, 'x')`],
    ['trim(leading from s)', 'ltrim(s)'],
    ["trim(trailing 'x' from s)", "rtrim(s, 'x')"],
    ['current_date', '"current_date"()'],
    ['s.upper().length()', 'length(s.upper())'],
    ['(a + 1).abs()', 'abs((a + 1))'],
    ["'a'.upper()", "upper('a')"],
    ['count(t.*)', 'count(t.*)'],
    ['struct_pack(*)', 'struct_pack(*)'],
  ])('%s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });
});

describe('windows', () => {
  test.each([
    ['sum(sum(x)) over (partition by a, b)', 'sum(sum(x)) OVER (PARTITION BY a, b)'],
    ['rank() over (order by sum(x) desc)', 'rank() OVER (ORDER BY sum(x) DESC)'],
    ['sum(x) over w', 'sum(x) OVER w'],
    ['sum(x) over (w rows 3 preceding)', 'sum(x) OVER (w ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)'],
    [
      'sum(x) over (partition by a order by b rows between unbounded preceding and current row)',
      'sum(x) OVER (PARTITION BY a ORDER BY b ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)',
    ],
    [
      'avg(x) over (order by d range between interval 7 days preceding and 1 following exclude ties)',
      'avg(x) OVER (ORDER BY d RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND 1 FOLLOWING EXCLUDE TIES)',
    ],
    [
      'max(x) over (groups unbounded preceding exclude current row)',
      'max(x) OVER (GROUPS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW)',
    ],
    ['lag(x ignore nulls) over (order by a)', 'lag(x IGNORE NULLS) OVER (ORDER BY a)'],
    ['count(*) filter (where a) over ()', 'count(*) FILTER (WHERE a) OVER ()'],
    [
      'rank() over (partition by grouping(a) + grouping(b), case when grouping(b) = 0 then a end order by sum(x))',
      'rank() OVER (PARTITION BY ("grouping"(a) + "grouping"(b)), CASE WHEN ("grouping"(b) = 0) THEN a END ORDER BY sum(x))',
    ],
  ])('%s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });
});

describe('lists, structs, maps, lambdas', () => {
  test.each([
    ['[1, 2.5, x,]', '[1, 2.5, x]'],
    ['array[[1], []]', '[[1], []]'],
    ['{\'a\': 1, b: 2, "c d": 3,}', "{'a': 1, 'b': 2, 'c d': 3}"],
    ["map {'k': 1, 'l': 2}", "MAP {'k': 1, 'l': 2}"],
    ['map {}', 'MAP {}'],
    ['map([1], [2])', '"map"([1], [2])'],
    ['row(1, 2)', 'ROW(1, 2)'],
    ['(a, b) = (1, 2)', '(ROW(a, b) = ROW(1, 2))'],
    ['l[1][-1]', 'l[1][(- 1)]'],
    ['l[2:3]', 'l[2:3]'],
    ['l[:n]', 'l[:n]'],
    ['l[-n:]', 'l[(- n):]'],
    ['l[:]', 'l[:]'],
    ['l[1:10:2]', 'l[1:10:2]'],
    ['l[:-:2]', 'l[:-:2]'],
    ['l[1: :2]', 'l[1:-:2]'],
    ['l[1:-:]', 'l[1:]'],
    ["s['f'].g", `(s['f']).g`],
    ['(s).f.g', '((s).f).g'],
    ['f(x).a[1]', '(f(x)).a[1]'],
    ['x -> x + 1', '(LAMBDA x: (x + 1))'],
    ['(x, i) -> x > 1 and i < 3', '(LAMBDA x, i: ((x > 1) AND (i < 3)))'],
    ['lambda x, y: x + y', '(LAMBDA x, y: (x + y))'],
    ['x -> y -> x + y', '(LAMBDA x: (LAMBDA y: (x + y)))'],
    ['list_transform(l, x -> x * 2)', 'list_transform(l, (LAMBDA x: (x * 2)))'],
    ["j.a -> '$.b'", "(j.a -> '$.b')"],
    ["a or j ->> 'b' -> 'c'", "(((a OR j) ->> 'b') -> 'c')"],
    ['[x * 2 for x in l]', 'list_transform(l, (LAMBDA x: (x * 2)))'],
    ['[x for x in l if x > 1]', 'list_transform(list_filter(l, (LAMBDA x: (x > 1))), (LAMBDA x: x))'],
    ["'[1,2]'::float[]", "CAST('[1,2]' AS FLOAT[])"],
  ])('%s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  test('parts of a dotted name are left to the binder', () => {
    const node = withoutSpans(parseExpression('a.b.c.d'));
    const parts = ['a', 'b', 'c', 'd'].map((name) => ({ kind: 'identifier', name }));
    expect(node).toEqual({ kind: 'column_ref', parts });
  });
});

describe('subqueries', () => {
  test.each([
    ['(select 1)', '(SELECT 1)'],
    ['(((select 1)))', '(SELECT 1)'],
    ['((select 1) + 1)', '((SELECT 1) + 1)'],
    ['((select 1) union (select 2))', '(SELECT 1 UNION SELECT 2)'],
    ['((select 1), 2)', 'ROW((SELECT 1), 2)'],
    ['a > (select 1.2 * avg(b) from t where t.k = s.k)', '(a > (SELECT (1.2 * avg(b)) FROM t WHERE (t.k = s.k)))'],
    ['exists (select * from t) or not exists(from u)', '(EXISTS(SELECT * FROM t) OR (NOT EXISTS(SELECT * FROM u)))'],
    ['a in (select b from t)', '(a IN (SELECT b FROM t))'],
    ['a not in ((select b from t))', '(a NOT IN (SELECT b FROM t))'],
    ['a in ((select 1), 2)', '(a IN ((SELECT 1), 2))'],
    ['a in ((select 1),)', '(a IN ((SELECT 1),))'],
    ['(a, b) in (select c, d from t)', '(ROW(a, b) IN (SELECT c, d FROM t))'],
    ['a >= all (select b from t)', '(a >= ALL(SELECT b FROM t))'],
    ['a = some (select b from t)', '(a = ANY(SELECT b FROM t))'],
    ['a = any (l)', '(a = ANY(SELECT unnest(l)))'],
    ['array(select a from t order by a)', 'ARRAY(SELECT a FROM t ORDER BY a)'],
    ['a in (values (1), (2))', '(a IN (VALUES (1), (2)))'],
    ['(with c as (select 1) from c)', '(WITH c AS (SELECT 1) SELECT * FROM c)'],
    ['a between (select 1) and (select 2)', '(a BETWEEN (SELECT 1) AND (SELECT 2))'],
    [
      'case when (select count(*) from t) > 1 then (select a from t) end',
      'CASE WHEN ((SELECT count(*) FROM t) > 1) THEN (SELECT a FROM t) END',
    ],
  ])('%s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });
});
