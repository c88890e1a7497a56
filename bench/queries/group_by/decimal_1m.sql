select k1m, sum(m) from groups group by k1m
