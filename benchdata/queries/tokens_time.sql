-- How much of everything that less is better of, such as tokens, time and money, did each arm use?
select
    group_id,
    group_label,
    row_arm,
    metric,
    unit,
    count(value) as n,
    list_total(array_agg(value)) as total,
    list_mean(array_agg(value)) as mean,
    list_rank(array_agg(value), 50, 100) as p50,
    max(value) as maximum
from measurements
where better = 'lower' and row_result <> 'unscored' and value is not null
group by group_id, group_order, group_label, row_arm, metric, metric_order, unit
order by group_order, metric_order, row_arm
