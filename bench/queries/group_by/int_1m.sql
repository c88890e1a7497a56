select k1m, count(*), sum(x), avg(d) from groups group by k1m
