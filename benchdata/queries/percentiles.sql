-- What are the nearest-rank percentiles of every metric in every group?
select
    group_id,
    group_label,
    metric,
    unit,
    count(value) as n,
    min(value) as minimum,
    list_rank(array_agg(value), 25, 100) as p25,
    list_rank(array_agg(value), 50, 100) as p50,
    list_rank(array_agg(value), 75, 100) as p75,
    list_rank(array_agg(value), 95, 100) as p95,
    list_rank(array_agg(value), 99, 100) as p99,
    list_rank(array_agg(value), 999, 1000) as p999,
    max(value) as maximum
from measurements
where row_result <> 'unscored'
group by group_id, group_order, group_label, metric, metric_order, unit
order by group_order, metric_order
