select count(*), sum(x) from join_fact f join join_repeated r on (f.x * 7 + r.v) % 1009 = 3 where f.id < 20000 and r.id < 20000
