select sum(strlen(s_low)) from scan
