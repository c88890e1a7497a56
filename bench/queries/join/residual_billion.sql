select count(*), sum(f.x) from join_fact f join join_repeated r on f.a = r.m1000 and f.x > r.v + 955 where f.id < 1000000
