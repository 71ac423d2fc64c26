-- What is the mean of task means of every metric in each arm, over how many tasks and rows?
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
        count(value) as scored_rows,
        list_mean(array_agg(value)) as value
    from measurements
    where row_result <> 'unscored' and row_task is not null and value is not null
    group by
        group_id, group_order, group_label, row_arm, row_control, metric, metric_order, unit,
        row_task, coalesce(row_repeat, row_id)
),
means as (
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
        sum(scored_rows) as scored_rows,
        list_mean(array_agg(value)) as mean
    from repeats
    group by
        group_id, group_order, group_label, row_arm, row_control, metric, metric_order, unit,
        row_task
)
select
    group_id,
    group_label,
    row_arm,
    row_control,
    metric,
    unit,
    count(*) as tasks,
    sum(scored_rows) as scored_rows,
    list_mean(array_agg(mean)) as mean
from means
group by group_id, group_order, group_label, row_arm, row_control, metric, metric_order, unit
order by group_order, metric_order, row_arm
