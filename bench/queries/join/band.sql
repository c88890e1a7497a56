select count(*), sum(x) from join_fact f join join_ranges r on f.t between r.lo - 5 and r.lo + 5 where f.id < 100000
