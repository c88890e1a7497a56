select i_brand_id, s_number_employees, count(*) as lines, sum(ss_ext_sales_price) as revenue
from store_sales
  join date_dim on ss_sold_date_sk = d_date_sk
  join item on ss_item_sk = i_item_sk
  join store on ss_store_sk = s_store_sk
where d_year between 2000 and 2001 and (s_closed_date_sk is null or s_closed_date_sk > 2451910)
group by i_brand_id, s_number_employees
order by i_brand_id, s_number_employees
