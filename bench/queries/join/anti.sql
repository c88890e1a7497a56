select count(*), sum(x) from join_fact where not exists (select 1 from join_large where k = dense and v < 500)
