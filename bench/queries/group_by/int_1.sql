select k1, count(*), sum(x), avg(d) from groups group by k1
