select count(*), sum(x) from join_fact f join join_repeated r on f.x > r.v + 900 and f.a < r.y - 900 where f.id < 100000 and r.id < 100000
