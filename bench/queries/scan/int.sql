select sum(i32), sum(i64) from scan
