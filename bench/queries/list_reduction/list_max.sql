select sum(list_max(vec)) from vectors
