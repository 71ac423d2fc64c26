-- Which scored rows are alike in everything but their identity, so that they count once?
-- The likeness is a hash: it finds candidates cheaply, and the content itself decides.
with again as (
    select row_likeness from grouped where row_result <> 'unscored' group by row_likeness having count(*) > 1
)
select group_id, count(*) as n, min(row_id) as first_row, max(row_id) as last_row
from grouped
where row_result <> 'unscored' and row_likeness in (select row_likeness from again)
group by group_id, group_order, row_content
having count(*) > 1
order by group_order, first_row
