select count(*), sum(x) from join_fact f join join_repeated r on f.t between r.id - 1 and r.id + 1 where f.id < 100000 and r.id < 100000
