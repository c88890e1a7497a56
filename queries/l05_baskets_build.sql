-- Tickets as lists of items in the order of their price, by length: how many there are, and how many hold both of two
-- given items (the two dearest lines of the first ticket).
-- tags: list join group_by
with baskets as (
  select
    ss_ticket_number as ticket,
    list(ss_item_sk order by ss_sales_price desc, ss_item_sk) as items
  from store_sales
  where ss_sales_price is not null
  group by ss_ticket_number
),
pair as (
  select items[1:2] as items
  from baskets
  where ticket = 1
)
select
  len(b.items) as lines,
  count(*) as tickets,
  count(*) filter (where list_has_all(b.items, p.items)) as with_both,
  min(b.items[1]) as least_dearest_item
from baskets b, pair p
group by lines
order by lines
