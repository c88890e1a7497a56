select count(*), sum(n), max(s), max(a) from (
  select k, count(*) as n, sum(x) as s, avg(d) as a from (select (d * 8)::bigint * 1000000 + k1m as k, x, d from groups) group by k
)
