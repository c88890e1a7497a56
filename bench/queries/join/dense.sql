select v, count(*), sum(x) from join_fact join join_large on dense = k group by v
