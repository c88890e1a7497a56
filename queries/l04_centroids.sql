-- The twenty items whose embeddings lie farthest from the centroid of their category: vectors are taken apart by
-- dimension, averaged, and put together again in order.
-- tags: list join group_by unnest
with elements as (
  select i.i_category as category, u.dimension, u.value
  from item_vec v
    join item i on i.i_item_sk = v.item_sk,
    unnest(v.vec::double[]) with ordinality as u(value, dimension)
  where i.i_category is not null
    and len(v.vec) = 64
),
means as (
  select category, dimension, avg(value) as mean
  from elements
  group by category, dimension
),
centroids as (
  select category, list(mean order by dimension) as centroid
  from means
  group by category
)
select
  v.item_sk,
  c.category,
  round(list_distance(v.vec::double[], c.centroid), 9) as distance
from item_vec v
  join item i on i.i_item_sk = v.item_sk
  join centroids c on c.category = i.i_category
where len(v.vec) = 64
order by distance desc, v.item_sk
limit 20
