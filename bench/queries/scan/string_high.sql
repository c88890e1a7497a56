select sum(strlen(s_high)) from scan
