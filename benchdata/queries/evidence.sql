-- How much of what more is better of did the rows of each group bring home?
select
    group_id,
    group_label,
    metric,
    count(value) as n,
    sum(case when value > 0 then 1 else 0 end) as above_zero,
    nearest_rank(value, 50, 100) as p50,
    nearest_rank(value, 95, 100) as p95,
    list_total(array_sort(array_agg(value))) as total
from measurements
where better = 'higher' and row_result <> 'unscored'
group by group_id, group_order, group_label, metric, metric_order
order by group_order, metric_order
