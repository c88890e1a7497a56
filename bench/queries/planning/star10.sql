-- Nine tables round one of sales: the time goes into the order of joins.
select count(*)
from store_sales
  join date_dim on ss_sold_date_sk = d_date_sk
  join time_dim on ss_sold_time_sk = t_time_sk
  join item on ss_item_sk = i_item_sk
  join customer on ss_customer_sk = c_customer_sk
  join customer_demographics on ss_cdemo_sk = cd_demo_sk
  join household_demographics on ss_hdemo_sk = hd_demo_sk
  join customer_address on ss_addr_sk = ca_address_sk
  join store on ss_store_sk = s_store_sk
  join promotion on ss_promo_sk = p_promo_sk
where d_year = 2001 and t_hour = 10 and i_category = 'Music' and c_birth_year = 1970 and cd_gender = 'M'
  and hd_dep_count = 3 and ca_state = 'TX' and p_channel_email = 'N'
