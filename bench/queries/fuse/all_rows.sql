select i_category_id, d_year, count(*) as lines, sum(ss_ext_sales_price) as revenue, max(ss_list_price) as dearest
from store_sales
  join date_dim on ss_sold_date_sk = d_date_sk
  join item on ss_item_sk = i_item_sk
group by i_category_id, d_year
order by i_category_id, d_year
