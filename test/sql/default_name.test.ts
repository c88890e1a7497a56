import { describe, expect, test } from 'vitest';
import { defaultName, parseStatements } from '../../src/sql/index.ts';
import { duckdbColumnNames } from './oracle.ts';

const TABLE =
  `(select 1 a, 2 b, 3 "Abc", 4 "year", 5 "x y", 6 "left", 'x' s, [1, 2, 3] l, {'f': 1} st, ` +
  `DATE '2020-01-01' d, TIMESTAMP '2020-01-01' ts, true t, false f) q`;

function names(query: string): string[] {
  const [statement] = parseStatements(query);
  if (statement?.kind !== 'select_statement' || statement.query.body.kind !== 'select') throw new Error(query);
  return statement.query.body.items.map((item) => item.alias?.name ?? defaultName(item.expression));
}

const EXPRESSIONS: readonly string[] = `
a
q.a
"x y"
a as "A b"
a zz
zz: a
st.f
q.st.f
count(*)
count()
COUNT(*)
count(*) filter (where t)
count(*) over ()
count(distinct a)
SUM (a)
sum(a + b * 2)
Abs(a)
year(d)
left(s, 1)
replace(s, 'a', 'b')
main.sum(a)
(a + b) * q.a
1 + Abc
1 + "year"
1 + "x y"
1 + "left"
-a
- 5
-(-1)
- - a
-a + -b
-1.5
+a
+1
~a + b
-2 ^ 2
a ** b ^ 2
a // b % 2
s || 1 || 'y'
a & b | 1 << 2
a <> b
a == b
not a = b
not (a < b)
not (a is distinct from b)
not (a in (1))
not (a not in (1))
not not (a in (1))
not not not (a not in (1))
not not a = 1
not not not a = 1
not not t
not (a not between 1 and 2)
not not a in l
not t
not (t and f)
t and f or t
(t and f) and t
a is null
a is not null
t is true
t is not false
t is unknown
a between 1 and 2
a not between 1 and 2
a in (1, 2)
a not in (1, 2)
a in l
a not in l
s like 'x'
s not like 'x'
s ilike 'x'
s not ilike 'x'
s glob 'x'
s like 'x' escape '!'
s not like 'x' escape '!'
s similar to 'x'
s not similar to 'x'
s ~ 'x'
s !~ 'x'
s ^@ 'x'
case when t then 1 else 2 end
case a when 1 then 2 when 2 then 3 end
if(t, 1, 2)
ifnull(a, 1)
coalesce(a, b)
nullif(a, 1)
try(a / 0)
CAST(a as int)
a::bigint
a::varchar(3)
a::text
a::float8
a::decimal
a::numeric(5, 2)
a::char
a::hugeint
a::uint8
try_cast(s as date)
DATE '2020-01-01'
d::timestamp with time zone
l::double[3]
l::int2[]
null::struct(a date, "b c" double)
null::map(date, varchar)
interval '1' day
interval 3 month
interval (a + 1) hours
interval 2 seconds
interval 2 quarters
interval '1 day 2 hours'
d + interval 1 day
1
1.50
2.
.5
1_000
1e0
1.5e-3
1e-5
1e15
1e16
1e20
1.5e100
123.25e0
0e0
123456789012345678901234567890
'x'
'it''s'
null
true
false
current_date
current_timestamp
[1, 2]
[]
{'a': 1, 'b c': 2}
MAP {'k': 1}
(1, 2)
row(a)
l[1]
l[-1]
l[1:2]
l[:2]
l[1:]
l[:-:2]
(st).f
st['f']
{'x': a}.x
[a, b][1]
len(l) + 1
substring(s, 1, 2)
trim(s)
position('x' in s)
list_transform(l, lambda x: x + 1)
list_reduce(l, lambda x, y: x + y, 0)
struct_pack(a := 1)
s.upper().lower()
(a).abs()
s collate nocase
sum(a) over ()
rank() over (partition by a order by b desc nulls first)
sum(a) over (order by b rows between 1 preceding and current row)
sum(a) over (rows unbounded preceding)
max(a) over (rows between 1 following and unbounded following exclude current row)
lag(a ignore nulls) over (order by a)
string_agg(s, ',' order by a desc)
array_agg(distinct a order by a)
sum(a) filter (where a > 1)
(select 1)
(select a from (select 1 a) z where z.a in (1, 2) limit 1)
(select max(x) from range(3) t(x))
exists(select 1)
not exists(select 1)
a in (select 1)
a not in (select 1)
a = any(select 1)
a = any(l)
a <> all(select 1)
a >= all(select 1)
`
  .split('\n')
  .filter((line) => line !== '');

describe('names of output columns are those of DuckDB', () => {
  test.each(EXPRESSIONS)('%s', async (text) => {
    const query = `select ${text} from ${TABLE}`;
    expect(names(query)).toEqual(await duckdbColumnNames(query));
  });

  test('of grouping calls', async () => {
    const query = `select grouping(a), grouping_id(a, b) from ${TABLE} group by a, b`;
    expect(names(query)).toEqual(await duckdbColumnNames(query));
  });
});

// The tree keeps one form of each of these; the name is that of the plain form.
test.each([
  ['extract(year from d)', "date_part('year', d)"],
  ["ts at time zone 'UTC'", "timezone('UTC', ts)"],
  ['trim(leading from s)', 'ltrim(s)'],
  ['list_transform(l, x -> x + 1)', 'list_transform(l, (lambda x: (x + 1)))'],
  ['ARRAY[1, 2]', 'main.list_value(1, 2)'],
  ['array(select 1)', 'ARRAY(SELECT 1)'],
  ['(select 1 union all select 2 limit 1)', '(SELECT 1 UNION ALL SELECT 2 LIMIT 1)'],
  ['0xff', '255'],
  ["x'ab'", "x'AB'"],
  ['1e400', '1e400'],
])('name of %s', (text, expected) => {
  expect(names(`select ${text}`)).toEqual([expected]);
});
