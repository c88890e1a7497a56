select name, count(*), sum(x) from join_fact join join_small on small = k group by name
