select v, count(*), sum(x) from join_fact f join join_large l on f.sparse = l.sparse group by v
