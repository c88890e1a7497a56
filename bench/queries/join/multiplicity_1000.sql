select count(*), sum(f.x), sum(r.v) from join_fact f join join_repeated r on f.a = r.m1000 where f.id < 10000
