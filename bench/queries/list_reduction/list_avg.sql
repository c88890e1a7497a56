select sum(list_avg(vec)) from vectors
