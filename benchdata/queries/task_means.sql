-- What is the mean of every metric in each task of each arm, repeats averaged first?
with repeats as (
    select
        group_id,
        group_order,
        group_label,
        row_arm,
        row_control,
        metric,
        metric_order,
        unit,
        row_task,
        list_mean(array_agg(value)) as value
    from measurements
    where row_result <> 'unscored' and row_task is not null and value is not null
    group by
        group_id, group_order, group_label, row_arm, row_control, metric, metric_order, unit,
        row_task, coalesce(row_repeat, row_id)
)
select
    group_id,
    group_label,
    row_arm,
    row_control,
    metric,
    unit,
    row_task,
    count(*) as repeats,
    list_mean(array_agg(value)) as mean
from repeats
group by
    group_id, group_order, group_label, row_arm, row_control, metric, metric_order, unit, row_task
order by group_order, row_arm, metric_order, row_task
