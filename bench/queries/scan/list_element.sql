select sum(v[1]) from scan_list
