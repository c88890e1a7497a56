-- What the item embeddings look like: length, range and first dimensions by bucket of length, and whether vectors scaled
-- to length 1 by a lambda have it. NULL vectors are left out, zero vectors have no direction.
-- tags: list lambda group_by
with vectors as (
  select item_sk, vec::double[] as v
  from item_vec
  where vec is not null
),
measured as (
  select item_sk, v, sqrt(list_inner_product(v, v)) as norm
  from vectors
),
described as (
  select
    len(v) as dimensions,
    norm,
    list_avg(v) as mean,
    list_min(v) as low,
    list_max(v) as high,
    v[1:8] as head,
    list_transform(v, x -> x / nullif(norm, 0)) as unit
  from measured
)
select
  floor(norm)::int as norm_bucket,
  dimensions,
  count(*) as items,
  round(avg(mean), 9) as mean_of_means,
  min(low) as lowest,
  max(high) as highest,
  round(sum(list_sum(head)), 6) as head_sum,
  round(avg(list_sum(list_transform(unit, x -> x * x))), 9) as unit_length,
  count(*) filter (where abs(list_sum(unit) * norm - mean * dimensions) > 1e-9) as sums_that_differ
from described
group by norm_bucket, dimensions
order by norm_bucket, dimensions
