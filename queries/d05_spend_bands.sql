-- What each customer spent in 2001 over all three channels, placed into the income bands by their bounds alone. Bands
-- without customers stay.
-- tags: join conditional_join group_by union
with payments as (
  select ss_customer_sk as customer, ss_sold_date_sk as date_sk, ss_net_paid as paid from store_sales
  union all
  select ws_bill_customer_sk, ws_sold_date_sk, ws_net_paid from web_sales
  union all
  select cs_bill_customer_sk, cs_sold_date_sk, cs_net_paid from catalog_sales
),
spending as (
  select customer, sum(paid) as spent
  from payments
    join date_dim on date_sk = d_date_sk
  where d_year = 2001
    and customer is not null
  group by customer
)
select
  ib_income_band_sk,
  ib_lower_bound,
  ib_upper_bound,
  count(customer) as customers,
  round(avg(spent), 2) as mean_spent
from income_band
  -- bounds are whole dollars, spending has cents
  left join spending on spent >= ib_lower_bound and spent < ib_upper_bound + 1
group by ib_income_band_sk, ib_lower_bound, ib_upper_bound
order by ib_income_band_sk
