-- The ten items whose embeddings are nearest to that of item 7 by the angle between them, with their names, ties by key.
-- tags: list join top_k
select
  v.item_sk,
  i.i_product_name,
  i.i_category,
  list_cosine_similarity(v.vec::double[], q.vec::double[]) as similarity
from item_vec q, item_vec v, item i
where q.item_sk = 7
  and v.item_sk <> q.item_sk
  and len(v.vec) = len(q.vec)
  -- a zero vector has no direction
  and list_max(v.vec) > 0
  and i.i_item_sk = v.item_sk
order by similarity desc, v.item_sk
limit 10
