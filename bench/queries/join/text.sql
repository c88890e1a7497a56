select v, count(*), sum(x) from join_fact f join join_text t on f.s = t.s group by v
