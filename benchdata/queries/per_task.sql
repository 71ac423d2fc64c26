-- How did the rows of each arm end in every task, and what is their mean of the primary metric?
with means as (
    select
        group_id,
        row_arm,
        row_task,
        list_mean(array_agg(value)) as mean
    from (
        select
            group_id,
            row_arm,
            row_task,
            list_mean(array_agg(value)) as value
        from measurements
        where is_primary and row_result <> 'unscored' and value is not null
        group by group_id, row_arm, row_task, coalesce(row_repeat, row_id)
    ) repeats
    group by group_id, row_arm, row_task
)
select
    g.group_id,
    g.group_label,
    g.row_arm,
    g.row_task,
    g.runs,
    g.scored,
    g.succeeded,
    m.mean
from (
    select
        group_id,
        group_order,
        group_label,
        row_arm,
        row_task,
        count(*) as runs,
        sum(case when row_result <> 'unscored' then 1 else 0 end) as scored,
        sum(case when row_result = 'success' then 1 else 0 end) as succeeded
    from grouped
    where row_task is not null
    group by group_id, group_order, group_label, row_arm, row_task
) g
left join means m
    on m.group_id = g.group_id and m.row_arm = g.row_arm and m.row_task = g.row_task
order by g.group_order, g.row_task, g.row_arm
