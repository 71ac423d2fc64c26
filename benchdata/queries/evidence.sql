-- How much of what more is better of did the rows of each group bring home?
select
    group_id,
    group_label,
    metric,
    count(value) as n,
    sum(case when value > 0 then 1 else 0 end) as above_zero,
    list_rank(array_agg(value), 50, 100) as p50,
    list_rank(array_agg(value), 95, 100) as p95,
    case when count(value) > 0 then list_total(array_agg(value)) end as total
from measurements
where better = 'higher' and row_result <> 'unscored'
group by group_id, group_order, group_label, metric, metric_order
order by group_order, metric_order
