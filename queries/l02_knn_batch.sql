-- For the first fifty items with a vector the five others whose vectors have the largest inner product with theirs, best
-- first. Items without a vector are left out, and zero vectors, to which all are alike.
-- tags: list join group_by top_k
with vectors as (
  select item_sk, vec::double[] as vec
  from item_vec
  where vec is not null
    and len(vec) = 64
    and list_max(vec) > 0
),
queries as (
  select item_sk, vec
  from vectors
  order by item_sk
  limit 50
),
products as (
  select q.item_sk as query, v.item_sk as item, list_inner_product(v.vec, q.vec) as product
  from queries q
    join vectors v on v.item_sk <> q.item_sk
),
best as (
  select query, max_by(item, product, 5) as items, max(product, 5) as products
  from products
  group by query
)
select
  b.query,
  u.place,
  u.item,
  round(b.products[u.place], 9) as product
from best b, unnest(b.items) with ordinality as u(item, place)
order by b.query, u.place
