select v, count(*), sum(x) from join_fact f join join_pair p on f.a = p.a and f.b = p.b group by v
