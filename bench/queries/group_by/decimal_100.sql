select k100, sum(m), min(m), max(m) from groups group by k100
