select v, count(*), sum(x) from join_fact join join_large on zipf = k group by v
