-- Why did the rows that are no success end?
select
    group_id,
    group_label,
    row_result as outcome,
    coalesce(row_reason, 'not given') as stop_reason,
    count(*) as n
from grouped
where row_result in ('partial', 'failed')
group by group_id, group_order, group_label, row_result, coalesce(row_reason, 'not given')
order by group_order, stop_reason, outcome
