-- The hundred pairs of customer and item that were bought most often over all three channels: nearly as many groups as
-- lines, of which nearly all are left out at the end.
-- tags: group_by union top_k
with lines as (
  select ss_customer_sk as customer, ss_item_sk as item, ss_quantity as quantity from store_sales
  union all
  select ws_bill_customer_sk, ws_item_sk, ws_quantity from web_sales
  union all
  select cs_bill_customer_sk, cs_item_sk, cs_quantity from catalog_sales
)
select
  customer,
  item,
  count(*) as times,
  sum(quantity) as units
from lines
where customer is not null
group by customer, item
having count(*) > 1
order by times desc, units desc, customer, item
limit 100
