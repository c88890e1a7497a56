select count(distinct k10k) from groups
