select count(*), sum(f.x), sum(r.v) from join_fact f join join_repeated r on f.id = r.m10 where f.id < 100000
