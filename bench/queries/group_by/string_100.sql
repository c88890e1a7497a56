select s100, count(*), sum(x) from groups group by s100
