-- Units, revenue and average basket of each store from 19 to 25 November 2001. The query names the partition, the days
-- come from date_dim: only the row groups of the week need be read.
-- tags: join group_by partition
select
  s_store_sk,
  s_store_name,
  count(distinct ss_ticket_number) as tickets,
  sum(ss_quantity) as units,
  sum(ss_ext_sales_price) as revenue,
  round(sum(ss_ext_sales_price) / count(distinct ss_ticket_number), 2) as average_basket
from store_sales_by_month
  join date_dim on ss_sold_date_sk = d_date_sk
  join store on ss_store_sk = s_store_sk
where d_date between date '2001-11-19' and date '2001-11-25'
  and ss_sold_year = 2001
  and ss_sold_month = 11
group by s_store_sk, s_store_name
order by s_store_sk
