select count(*), sum(x) from join_fact where dense in (select k from join_large where v < 500)
