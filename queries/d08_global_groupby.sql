-- One row about the catalog lines of 2000 and 2001: how many lines, customers and items, what was paid, how it spreads,
-- and the share of lines that lost money.
-- tags: join group_by
select
  count(*) as lines,
  count(distinct cs_bill_customer_sk) as customers,
  count(distinct cs_item_sk) as items,
  sum(cs_net_paid) as paid,
  min(cs_net_paid) as least,
  max(cs_net_paid) as most,
  avg(cs_net_paid) as mean,
  stddev_samp(cs_net_paid) as deviation,
  count(*) filter (where cs_net_profit < 0) / count(*) as loss_share
from catalog_sales
  join date_dim on cs_sold_date_sk = d_date_sk
where d_year in (2000, 2001)
