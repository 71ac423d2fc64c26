-- Which cell of whose plan does every row fill, and what is its value of every metric?
select
    group_id,
    row_arm,
    metric,
    row_task,
    row_repeat,
    value,
    row_result,
    row_synthetic,
    row_start,
    row_place,
    row_batch,
    row_planned_tasks,
    row_planned_repeats,
    row_id
from measurements
order by group_order, row_arm, metric_order, row_task nulls last,
    row_start nulls last, row_place nulls last, row_id
