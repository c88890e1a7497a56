-- Value of the goods in stock (at their current price) on the last Thursday of each quarter of 2001, in all and by state,
-- county, warehouse and category. What has no name stays apart from the totals, which the level tells.
-- tags: join group_by rollup
select
  case grouping(w_state, w_county, w_warehouse_name, i_category)
    when 0 then 'category'
    when 1 then 'warehouse'
    when 3 then 'county'
    when 7 then 'state'
    else 'all'
  end as level,
  w_state,
  w_county,
  w_warehouse_name,
  i_category,
  sum(inv_quantity_on_hand) as units,
  sum(inv_quantity_on_hand * i_current_price) as value
from inventory
  join warehouse on inv_warehouse_sk = w_warehouse_sk
  join item on inv_item_sk = i_item_sk
where inv_date_sk in (
    select max(d_date_sk)
    from date_dim
    where d_year = 2001
      and d_day_name = 'Thursday'
    group by d_quarter_seq
  )
group by rollup (w_state, w_county, w_warehouse_name, i_category)
order by
  grouping(w_state, w_county, w_warehouse_name, i_category) desc,
  w_state, w_county, w_warehouse_name nulls last, i_category nulls last
