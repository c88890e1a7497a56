select i_category_id, d_moy, count(*) as lines, sum(ss_ext_sales_price) as revenue
from store_sales
  join date_dim on ss_sold_date_sk = d_date_sk
  join item on ss_item_sk = i_item_sk
where d_year = 2001 and d_weekend = 'Y' and ss_quantity > 20
group by i_category_id, d_moy
order by i_category_id, d_moy
