select count(*) from scan where s_high like '%99%'
