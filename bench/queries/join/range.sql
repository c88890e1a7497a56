select count(*), sum(x) from join_fact f join join_ranges r on f.t >= r.lo and f.t <= r.hi where f.id < 100000
