select count(*), sum(x) from join_fact f join join_ranges r on f.t < r.lo where f.id < 20000
