select s10k, count(*), sum(x) from groups group by s10k
