-- How did the rows of each group end?
select
    group_id,
    group_label,
    row_result as outcome,
    count(*) as n
from grouped
group by group_id, group_order, group_label, row_result
order by group_order, case row_result when 'success' then 1 when 'partial' then 2 when 'failed' then 3 else 4 end
