-- Of which values would a composite score of each scored row be made?
select
    group_id,
    row_arm,
    row_task,
    row_repeat,
    row_id,
    metric,
    unit,
    value
from measurements
where row_result <> 'unscored'
order by group_order, row_arm, row_task nulls last, row_id, metric_order
