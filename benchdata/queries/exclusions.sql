-- Why were rows of each arm not scored, and why did the others not succeed?
select
    group_id,
    group_label,
    row_arm,
    row_result as outcome,
    coalesce(row_reason, 'not given') as reason,
    count(*) as n
from grouped
where row_result <> 'success'
group by group_id, group_order, group_label, row_arm, row_result, coalesce(row_reason, 'not given')
order by group_order, row_arm, outcome, reason
