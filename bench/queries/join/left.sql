select count(*), sum(x), count(v) from join_fact left join (select k, v from join_large where v < 100) on dense = k
