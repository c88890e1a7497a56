select sum(m9), sum(m18) from scan
