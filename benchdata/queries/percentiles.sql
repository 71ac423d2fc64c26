-- What are the nearest-rank percentiles of every metric in every group?
select
    group_id,
    group_label,
    metric,
    unit,
    count(value) as n,
    min(value) as minimum,
    nearest_rank(value, 25, 100) as p25,
    nearest_rank(value, 50, 100) as p50,
    nearest_rank(value, 75, 100) as p75,
    nearest_rank(value, 95, 100) as p95,
    nearest_rank(value, 99, 100) as p99,
    nearest_rank(value, 999, 1000) as p999,
    max(value) as maximum
from measurements
where row_result <> 'unscored'
group by group_id, group_order, group_label, metric, metric_order, unit
order by group_order, metric_order
