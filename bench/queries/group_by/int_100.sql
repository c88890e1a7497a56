select k100, count(*), sum(x), avg(d) from groups group by k100
