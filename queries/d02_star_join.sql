-- Weekend revenue of 2001 by item category and the home state of the buyer, where more than five tickets stand behind it:
-- a fact and five dimensions.
-- tags: join group_by
select
  i_category,
  ca_state,
  count(distinct ss_ticket_number) as tickets,
  sum(ss_ext_sales_price) as revenue
from store_sales
  join date_dim on ss_sold_date_sk = d_date_sk
  join item on ss_item_sk = i_item_sk
  join store on ss_store_sk = s_store_sk
  join customer on ss_customer_sk = c_customer_sk
  join customer_address on c_current_addr_sk = ca_address_sk
where d_year = 2001
  and d_weekend = 'Y'
  and ca_state is not null
  -- shops that were not given up before the year
  and (s_closed_date_sk is null or s_closed_date_sk > 2451910)
group by i_category, ca_state
having count(distinct ss_ticket_number) > 5
order by revenue desc, i_category, ca_state
