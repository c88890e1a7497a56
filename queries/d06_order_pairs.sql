-- Pairs of web orders of one customer where the second follows within seven days, goes to another address and costs
-- more, by the month of the first.
-- tags: join conditional_join group_by
with orders as (
  select
    ws_order_number as number,
    max(ws_bill_customer_sk) as customer,
    max(ws_sold_date_sk) as date_sk,
    max(ws_ship_addr_sk) as address,
    sum(ws_net_paid) as total
  from web_sales
  group by ws_order_number
)
select
  d_year,
  d_moy,
  count(*) as pairs,
  sum(a.total) as first_total,
  sum(b.total) as second_total
from orders a
  join orders b
    on a.customer = b.customer
    and b.date_sk > a.date_sk
    and b.date_sk <= a.date_sk + 7
    and b.address <> a.address
    and b.total > a.total
  join date_dim on a.date_sk = d_date_sk
group by d_year, d_moy
order by d_year, d_moy
