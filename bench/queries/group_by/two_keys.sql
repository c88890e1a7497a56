select k100, s100, count(*), sum(x) from groups group by k100, s100
