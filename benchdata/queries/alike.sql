-- Which rows are alike in everything but their identity, so that they count once?
with marked as (
    select group_id, group_order, row_id, hash($others) as likeness, $others from grouped
),
again as (
    select likeness from marked group by likeness having count(*) > 1
)
select group_id, count(*) as n, min(row_id) as first_row, max(row_id) as last_row
from marked
where likeness in (select likeness from again)
group by group_id, group_order, $others
having count(*) > 1
order by group_order, first_row
