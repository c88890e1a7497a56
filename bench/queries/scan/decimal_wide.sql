select sum(m30) from scan
