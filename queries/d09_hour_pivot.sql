-- Revenue of each store in each hour of the day on workdays, at weekends and on holidays, and the share of the hour in
-- the day of the store.
-- tags: join group_by pivot
with hours as (
  select
    ss_store_sk as store,
    case when d_holiday = 'Y' then 'holiday' when d_weekend = 'Y' then 'weekend' else 'workday' end as day_type,
    sum(ss_ext_sales_price) as revenue,
    sum(case when t_hour = 0 then ss_ext_sales_price end) as h00,
    sum(case when t_hour = 1 then ss_ext_sales_price end) as h01,
    sum(case when t_hour = 2 then ss_ext_sales_price end) as h02,
    sum(case when t_hour = 3 then ss_ext_sales_price end) as h03,
    sum(case when t_hour = 4 then ss_ext_sales_price end) as h04,
    sum(case when t_hour = 5 then ss_ext_sales_price end) as h05,
    sum(case when t_hour = 6 then ss_ext_sales_price end) as h06,
    sum(case when t_hour = 7 then ss_ext_sales_price end) as h07,
    sum(case when t_hour = 8 then ss_ext_sales_price end) as h08,
    sum(case when t_hour = 9 then ss_ext_sales_price end) as h09,
    sum(case when t_hour = 10 then ss_ext_sales_price end) as h10,
    sum(case when t_hour = 11 then ss_ext_sales_price end) as h11,
    sum(case when t_hour = 12 then ss_ext_sales_price end) as h12,
    sum(case when t_hour = 13 then ss_ext_sales_price end) as h13,
    sum(case when t_hour = 14 then ss_ext_sales_price end) as h14,
    sum(case when t_hour = 15 then ss_ext_sales_price end) as h15,
    sum(case when t_hour = 16 then ss_ext_sales_price end) as h16,
    sum(case when t_hour = 17 then ss_ext_sales_price end) as h17,
    sum(case when t_hour = 18 then ss_ext_sales_price end) as h18,
    sum(case when t_hour = 19 then ss_ext_sales_price end) as h19,
    sum(case when t_hour = 20 then ss_ext_sales_price end) as h20,
    sum(case when t_hour = 21 then ss_ext_sales_price end) as h21,
    sum(case when t_hour = 22 then ss_ext_sales_price end) as h22,
    sum(case when t_hour = 23 then ss_ext_sales_price end) as h23
  from store_sales
    join date_dim on ss_sold_date_sk = d_date_sk
    join time_dim on ss_sold_time_sk = t_time_sk
  where ss_store_sk is not null
  group by store, day_type
)
select
  store,
  day_type,
  revenue,
  h00, round(h00 / revenue, 6) as share00,
  h01, round(h01 / revenue, 6) as share01,
  h02, round(h02 / revenue, 6) as share02,
  h03, round(h03 / revenue, 6) as share03,
  h04, round(h04 / revenue, 6) as share04,
  h05, round(h05 / revenue, 6) as share05,
  h06, round(h06 / revenue, 6) as share06,
  h07, round(h07 / revenue, 6) as share07,
  h08, round(h08 / revenue, 6) as share08,
  h09, round(h09 / revenue, 6) as share09,
  h10, round(h10 / revenue, 6) as share10,
  h11, round(h11 / revenue, 6) as share11,
  h12, round(h12 / revenue, 6) as share12,
  h13, round(h13 / revenue, 6) as share13,
  h14, round(h14 / revenue, 6) as share14,
  h15, round(h15 / revenue, 6) as share15,
  h16, round(h16 / revenue, 6) as share16,
  h17, round(h17 / revenue, 6) as share17,
  h18, round(h18 / revenue, 6) as share18,
  h19, round(h19 / revenue, 6) as share19,
  h20, round(h20 / revenue, 6) as share20,
  h21, round(h21 / revenue, 6) as share21,
  h22, round(h22 / revenue, 6) as share22,
  h23, round(h23 / revenue, 6) as share23
from hours
order by store, day_type
