-- For the item that sells best in each category the items of other brands that are like it (cosine similarity above 0.8),
-- with what they sold for.
-- tags: list join conditional_join group_by
with revenues as (
  select ss_item_sk as item_sk, sum(ss_ext_sales_price) as revenue
  from store_sales
  group by ss_item_sk
),
items as (
  select i_item_sk as item_sk, i_category as category, i_brand_id as brand, revenue, vec::double[] as vec
  from item
    join revenues on revenues.item_sk = i_item_sk
    join item_vec on item_vec.item_sk = i_item_sk
  where vec is not null
    and len(vec) = 64
),
best as (
  select category, max_by(item_sk, revenue) as item_sk
  from items
  where category is not null
  group by category
)
select
  b.category,
  b.item_sk as best_seller,
  x.item_sk as like_it,
  round(list_cosine_similarity(x.vec, s.vec), 9) as similarity,
  x.revenue
from best b
  join items s on s.item_sk = b.item_sk
  join items x on x.brand <> s.brand and list_cosine_similarity(x.vec, s.vec) > 0.8
order by b.category, similarity desc, x.item_sk
