/** Texts that DuckDB parses and so must quern; the acceptance test asks DuckDB again. Also the corpus of the round trip test. */
export const ACCEPTED_TEXTS: readonly string[] = `
select 1
select 1;
select 1; select 2;
select a, b from t
select a, b, from t
SELECT "Weird ""name""" FROM "x y"."z"
select t.a as x, t.b y, z: t.c from t
from t
from t select a
from t select a where a > 1 order by a limit 1
from t where a
table t
values (1), (2)
values (1, 'a'), (2, null) order by 1
select distinct a from t
select distinct on (a) a, b from t order by a, b desc
select all a from t
select *, a + 1 from t
select t.* from t
select a from t where a in (1) in (true) and b = any (select 1) = c
select * exclude (a) from t
select * exclude a from t
select t.* exclude (a, b) from t
select * replace (a + 1 as a) from t
select * exclude (b) replace (lower(c) as c) from t
select * rename (a as b, c as d) from t
select columns(*) from t
select columns('a.*') + columns('b.*') from t
select columns(c -> c not like 'x%') from t
select columns(lambda c: c like 'x%') from t
select columns(['a', 'b']) from t
select min(columns(*)), max(columns(t.*)) from t
select columns(* exclude (a)) from t
select coalesce(*columns(*)) from t
select * like 'a%' from t
select * not ilike 'a%' from t
select * similar to 'a.*' from t
select count(*), count(), count(distinct a), count(all b) from t
select sum(a) filter (where b > 1), sum(a) filter (b > 1) from t
select string_agg(a, ',' order by b desc nulls last) from t
select array_agg(distinct a order by a) from t
select list(a order by b, c desc) from t
select quantile_cont(a, [0.25, 0.5]) from t
select percentile_disc(0.5) within group (order by a desc) from t
select mode() within group (order by a) from t
select arg_max(a, b), max_by(a, b, 3) from t
select a from t where a = 1 and b <> 2 or not c
select a from t where a != 1 and b == 2
select a from t where a between 1 and 2 and b not between 3 and 4
select a from t where a in (1, 2, 3) and b not in (4)
select a from t where a in (1, 2,)
select a from t where a in b
select a from t where a not in b
select a from t where a in (select b from u)
select a from t where (a, b) in (select c, d from u)
select a from t where (a, b) in ((1, 2), (3, 4))
select a from t where exists (select 1 from u where u.a = t.a)
select a from t where not exists (from u)
select a from t where a > all (select b from u)
select a from t where a = any (select b from u)
select a from t where a <> some (select b from u)
select a from t where a = any ([1, 2])
select a from t where a like 'x%' and b not like '%y'
select a from t where a like 'x!%' escape '!'
select a from t where a ilike 'x%' or b not ilike 'y'
select a from t where a similar to 'x.*' or b not similar to 'y'
select a from t where a glob 'x*'
select a from t where a ~ 'x' and b !~ 'y'
select a from t where a ~~ 'x' and b !~~ 'y' and c ~~* 'z' and d !~~* 'w'
select a from t where a is null and b is not null and c isnull and d notnull
select a from t where a is true or b is not true or c is false or d is not false or e is unknown
select a from t where a is distinct from b and c is not distinct from d
select a from t where a ^@ 'x' and starts_with(b, 'y')
select -a, +a, - -a, ~a, @a, not a from t
select a + b - c * d / e % f // g ^ h ** i from t
select a || b || 'c' from t
select a & b | c << 2 >> 1 from t
select a <-> b, a <=> b from t
select a @> b, a <@ b, a && b from t
select case when a then 1 else 2 end from t
select case a when 1 then 'x' when 2 then 'y' end from t
select cast(a as int), a::int, try_cast(a as bigint), a::decimal(10, 2), a::varchar(3) from t
select a::double precision, a::character varying(5), a::timestamp with time zone, a::time without time zone from t
select a::int[], a::float[3], a::int[][], a::struct(x int, "y z" varchar[]), a::map(int, date) from t
select a::int array, a::int array[4] from t
select date '2000-01-01', timestamp '2000-01-01 00:00:00', time '12:00:00', interval '1' day
select interval 1 day, interval 2 years, interval '3 months 2 days', interval (a) hours, interval 5 minutes from t
select timestamptz '2000-01-01', double precision '1.5', decimal(3, 1) '1.5', int '5'
select d + interval 1 month - interval '1' week from t
select extract(year from d), extract('month' from d), extract(epoch from d) from t
select substring(s from 1 for 2), substring(s from 2), substring(s for 3), substring(s, 1, 2), substr(s, 1) from t
select position('a' in s), trim(s), trim(both 'x' from s), trim(leading from s), trim(trailing 'x' from s), trim('x' from s) from t
select left(s, 1), right(s, 1), coalesce(a, b, 0), nullif(a, 0), ifnull(a, 0), if(a, 1, 2) from t
select current_date, current_timestamp, localtime, now(), today() from t
select d at time zone 'UTC' from t
select s collate nocase from t order by s collate nocase
select date_trunc('month', d), date_part('year', d), year(d), month(d) from t
select grouping(a), grouping_id(a, b) from t group by rollup (a, b)
select [1, 2, 3], [], [[1], [2]], array[1, 2], array[]::int[]
select [1, 2, 3,]
select {'a': 1, 'b': 'x'}, {a: 1}, {"a b": [1]}
select map {'a': 1, 'b': 2}, map {}, map([1], [2])
select row(1, 2), (1, 2), row(1)
select l[1], l[-1], l[1:2], l[:2], l[1:], l[:], l[1:10:2], l[:-:2] from t
select s.f, t.s.f, (s).f, s['f'], m['k'][1] from t
select (s).f.g.h, f(x).a from t
select list_transform(l, x -> x + 1), list_filter(l, x -> x > 1 and x < 5) from t
select list_transform(l, lambda x: x + 1), list_transform(l, (x, i) -> x * i), list_reduce(l, lambda a, b: a + b, 0) from t
select [x * 2 for x in l], [x for x in l if x > 1] from t
select struct_pack(a := 1, b := 'x'), struct_pack(*) from t
select f(a => 1, b := 2) from t
select s.upper().lower(), (a + 1).abs() from t
select row_number() over (), rank() over (order by a), sum(a) over (partition by b) from t
select sum(a) over (partition by b order by c desc nulls last rows between 1 preceding and 2 following) from t
select sum(a) over (order by b range between unbounded preceding and current row) from t
select sum(a) over (order by b groups between 1 preceding and 1 following exclude ties) from t
select sum(a) over (order by b rows 3 preceding), sum(a) over (rows unbounded preceding) from t
select sum(a) over (order by d range between interval 7 days preceding and current row) from t
select lag(a, 1, 0) over (order by b), first_value(a ignore nulls) over (order by b) from t
select sum(a) over w, max(a) over (w rows 1 preceding) from t window w as (partition by b order by c)
select sum(sum(a)) over (partition by b) from t group by b
select rank() over (partition by grouping(a) order by sum(b) desc) from t group by rollup (a)
select a from t qualify row_number() over (partition by b order by c) = 1
select a from t window w as (order by b) qualify row_number() over w <= 3
select a, count(*) from t group by a having count(*) > 1
select a, b, sum(c) from t group by 1, 2 order by 3 desc
select a from t group by all order by all
select a from t group by (a, b), ()
select a from t group by cube (a, b)
select a from t group by rollup (a, (b, c)), d
select a from t group by grouping sets ((a, b), (a), ())
select a from t group by grouping sets (rollup (a, b), cube (c), d)
select a from t order by a asc nulls first, b desc nulls last
select a from t order by 1, a + b, case when a then b end
select a from t order by all desc nulls first
select a from t limit 10
select a from t limit 10 offset 5
select a from t offset 5
select a from t offset 5 rows
select a from t limit all
select a from t limit (select count(*) from u)
select a from t fetch first 5 rows only
select 1 from a, b, c as d, e f where a.x = b.x
select 1 from a,
select 1 from a join b on a.x = b.x
select 1 from a inner join b using (x, y)
select 1 from a left join b on a.x = b.x and a.y < b.y
select 1 from a left outer join b using (x) right join c using (x) full outer join d using (x)
select 1 from a cross join b
select 1 from a natural join b natural left join c
select 1 from a semi join b using (x)
select 1 from a anti join b on a.x = b.x
select 1 from a, b join c on b.x = c.x, d
select 1 from (a join b on a.x = b.x) join c on true
select 1 from a join b join c on b.x = c.x on a.x = b.x
select 1 from a join (b cross join c) on true
select 1 from (select 1 as a) t
select 1 from (select 1) t(a)
select 1 from (select 1)
select 1 from (values (1, 2), (3, 4)) as t(a, b)
select 1 from (from t) u
select 1 from ((select 1) union (select 2)) t
select 1 from t, lateral (select t.a) u
select 1 from t, unnest(t.l) u(x)
select 1 from t left join unnest(l) u(x) on true
select 1 from unnest([1, 2]) with ordinality t(x, i)
select 1 from range(10) t(i), generate_series(1, 5)
select 1 from 'data/*.parquet'
select 1 from 'a.parquet' a join 'b.parquet' as b using (k)
select 1 from "x.parquet"
select 1 from read_parquet('x.parquet')
select 1 from read_parquet(['a', 'b'], hive_partitioning = true, union_by_name := true)
select 1 from x: t
select 1 from db.s.t as u
select 1 from (describe t)
select 1 from (show tables)
select 1 from (summarize t)
select (select 1), (select a from u where u.k = t.k) from t
select ((select 1) + 1), (((select 2)))
select array(select a from t order by a)
select 1 union select 2
select 1 union all select 2 union distinct select 3
select 1 union by name select 2
select 1 union all by name select 2
select 1 intersect select 2 except select 3
select 1 intersect all select 2 except all select 3
(select 1) union all (select 2) order by 1 limit 1
(select 1 order by 1 limit 1) union (select 2 order by 1 limit 1)
(select 1 union select 2) intersect select 3
((select 1))
with a as (select 1) select * from a
with a as (select 1), b(x) as (select 2), select_ as (from a) select * from a, b
with a as materialized (select 1), b as not materialized (select 2) select * from a, b
with recursive r(n) as (select 1 union all select n + 1 from r where n < 5) select * from r
with a as (with b as (select 1) from b) from a
select * from (with a as (select 1) from a)
with a as (select 1) (select * from a) union all select 2
explain select 1
explain analyze select 1
explain (format json) select 1
explain (analyze, format json) select 1
describe t
describe select 1
describe 'x.parquet'
desc t
show tables
show all tables
show t
summarize t
summarize select 1
summarize 'x.parquet'
set threads = 4
set threads to 4
set session threads = 4
set memory_limit = '1GB'
reset threads
create view v as select 1
create or replace view v as select 1
create or replace temp view v(a, b) as select 1, 2
create view if not exists s.v as from t
drop view v
drop view if exists v
copy t to 'x.parquet'
copy (select 1) to 'x.csv' (format csv, header, delimiter '|')
copy (select 1) to 'x' (format parquet, compression zstd, row_group_size 1000, partition_by (a, b))
copy t(a, b) to 'x.csv' with (header true)
select $1, $2
select $name
select ?, ?
select #1 from t
select e'\\n\\t\\\\', $$it's$$, $q$a$q$
select 'it''s', '', 'a' as "b"
select 1e5, 1.5e-3, .5, 2., 1_000, 123456789012345678901234567890
select /* block /* nested */ comment */ 1 -- line
select year, month, day, value, name, type, filter, first, last, rows, range, key from t
select a as select, b as from, t.where from t
select sum(a) as "30 days", b as ">120" from t
select(1)+(2)
select case when(a)then(b)else(c)end from t where(a)in(1)or(b)and(c)
select a.b.c.d from t
select map, struct, columns, try_cast, map.struct from columns map
select 1, union all select 2,
select t. a from t where t .b = 1
select count(t.*) from t
select 1 where 1 in (1) and not 2 in (1) or null is null
select a from t where d > date '2000-01-01' + 5
select a from t where d between cast('2000-01-01' as date) and (cast('2000-01-01' as date) + interval 60 days)
`
  .split('\n')
  .filter((line) => line !== '');
