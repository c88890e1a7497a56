-- Lines of sale with their returns by class of item and reason: days until the return and the share of the money that
-- came back. Lines that nobody returned count as well, under no reason.
-- tags: join group_by
select
  i_class,
  r_reason_desc,
  count(*) as lines,
  count(sr_ticket_number) as returned_lines,
  avg(sr_returned_date_sk - ss_sold_date_sk) as days_until_return,
  sum(ss_net_paid) as paid,
  round(sum(sr_return_amt) / sum(ss_net_paid), 6) as refunded_share
from store_sales
  join item on ss_item_sk = i_item_sk
  left join store_returns on ss_ticket_number = sr_ticket_number and ss_item_sk = sr_item_sk
  left join reason on sr_reason_sk = r_reason_sk
group by i_class, r_reason_desc
order by lines desc, i_class, r_reason_desc
limit 200
