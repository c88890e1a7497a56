select count(*), sum(i32) from scan where i64 % 8 = 3
