select count(*), sum(x) from join_fact f join join_large l on f.dense = l.k and f.x > l.v + 900
