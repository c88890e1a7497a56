-- The hundred nearest pairs of items of one brand whose vectors are closer than 12 (L2). What has no brand counts as one
-- brand. Vectors of other lengths have no distance and do not stop the query.
-- tags: list join conditional_join top_k
with vectors as (
  select v.item_sk, i.i_brand_id as brand, v.vec::double[] as vec
  from item_vec v
    left join item i on i.i_item_sk = v.item_sk
)
select
  a.item_sk as first,
  b.item_sk as second,
  a.brand,
  round(try_list_distance(a.vec, b.vec), 9) as distance
from vectors a
  join vectors b
    on a.brand is not distinct from b.brand
    and a.item_sk < b.item_sk
    and try_list_distance(a.vec, b.vec) < 12
order by distance, first, second
limit 100
