-- By how much does each arm differ from its group's baseline in every task that both scored?
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
        count(*) as repeats,
        list_mean(array_agg(value)) as mean
    from repeats
    group by
        group_id, group_order, group_label, row_arm, row_control, metric, metric_order, unit,
        row_task
)
select
    t.group_id,
    t.group_label,
    t.row_arm,
    t.metric,
    t.unit,
    t.row_task,
    b.repeats as baseline_repeats,
    t.repeats,
    b.mean as baseline_mean,
    t.mean,
    t.mean - b.mean as difference
from means t
join means b
    on b.group_id = t.group_id
    and b.metric = t.metric
    and b.row_task = t.row_task
where b.row_control and not t.row_control
order by t.group_order, t.row_arm, t.metric_order, t.row_task, b.row_arm
