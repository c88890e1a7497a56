-- Lines that sold a promoted item within the days of its promotion, but name another promotion or none: their money by
-- purpose of the promotion that they leave out.
-- tags: join conditional_join group_by
select
  p_purpose,
  count(distinct p_promo_sk) as promotions,
  count(*) as lines,
  count(*) filter (where ss_promo_sk is null) as lines_without_promotion,
  sum(ss_ext_sales_price) as revenue
from promotion
  join store_sales
    on ss_item_sk = p_item_sk
    and ss_sold_date_sk between p_start_date_sk and p_end_date_sk
    and ss_promo_sk is distinct from p_promo_sk
group by p_purpose
order by p_purpose
