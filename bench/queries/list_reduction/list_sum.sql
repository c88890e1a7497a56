select sum(list_sum(vec)) from vectors
