-- Where did every metric stand from one followed release to the next, in order of first start?
select
    row_followed,
    group_id,
    group_label,
    metric,
    unit,
    min(row_start) as first_start,
    count(value) as n,
    list_rank(array_agg(value), 25, 100) as p25,
    list_rank(array_agg(value), 50, 100) as p50,
    list_rank(array_agg(value), 75, 100) as p75
from measurements
where row_result <> 'unscored' and row_followed is not null
group by row_followed, group_id, group_order, group_label, metric, metric_order, unit
order by metric_order, first_start nulls last, group_order, row_followed
