select d_moy, count(*) as lines, sum(ss_ext_sales_price) as revenue
from store_sales
  join date_dim on ss_sold_date_sk = d_date_sk
where d_year = 2001 and d_weekend = 'Y' and ss_quantity > 20
group by d_moy
order by d_moy
