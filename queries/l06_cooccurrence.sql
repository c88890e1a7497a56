-- The fifty pairs of items that stand in one basket most often against what chance would give (lift), of pairs that were
-- bought together at least twice.
-- tags: list join group_by unnest
with lines as (
  select ticket, u.item
  from basket, unnest(items) as u(item)
),
singles as (
  select item, count(*) as tickets
  from lines
  group by item
),
pairs as (
  select a.item as first, b.item as second, count(*) as together
  from lines a
    join lines b on a.ticket = b.ticket and a.item < b.item
  group by first, second
  having count(*) >= 2
),
total as (
  select count(*) as tickets
  from basket
)
select
  p.first,
  p.second,
  p.together,
  round(p.together * t.tickets / (x.tickets * y.tickets), 9) as lift
from pairs p
  join singles x on x.item = p.first
  join singles y on y.item = p.second
  cross join total t
order by lift desc, p.first, p.second
limit 50
