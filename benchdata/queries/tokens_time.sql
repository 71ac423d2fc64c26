-- How much of everything that less is better of, such as tokens, time and money, did each arm use?
select
    group_id,
    group_label,
    row_arm,
    metric,
    unit,
    count(value) as n,
    list_total(array_sort(array_agg(value))) as total,
    list_total(array_sort(array_agg(value))) / count(value) as mean,
    nearest_rank(value, 50, 100) as p50,
    max(value) as maximum
from measurements
where better = 'lower' and row_result <> 'unscored' and value is not null
group by group_id, group_order, group_label, row_arm, metric, metric_order, unit
order by group_order, metric_order, row_arm
