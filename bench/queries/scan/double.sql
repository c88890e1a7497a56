select sum(d) from scan
