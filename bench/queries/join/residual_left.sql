select count(*), sum(f.x), count(r.v) from join_fact f left join join_repeated r on f.a = r.m1000 and f.x > r.v + 955 and f.b < 250 where f.id < 100000
