select sum(list_min(vec)) from vectors
