select k10k, count(*), sum(x), avg(d) from groups group by k10k
