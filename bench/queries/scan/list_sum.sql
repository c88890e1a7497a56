select sum(list_sum(v)) from scan_list
