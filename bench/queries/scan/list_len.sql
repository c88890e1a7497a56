select sum(len(v)) from scan_list
