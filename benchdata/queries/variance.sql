-- How far do the values of every metric lie apart in each group?
-- A ratio over 0 is null.
select
    group_id,
    group_label,
    metric,
    unit,
    n,
    minimum,
    p25,
    p75,
    maximum,
    case when p25 > 0 then p75 / p25 end as p75_over_p25,
    case when minimum > 0 then maximum / minimum end as max_over_min
from (
    select
        group_id,
        group_order,
        group_label,
        metric,
        metric_order,
        unit,
        count(value) as n,
        min(value) as minimum,
        list_rank(array_agg(value), 25, 100) as p25,
        list_rank(array_agg(value), 75, 100) as p75,
        max(value) as maximum
    from measurements
    where row_result <> 'unscored'
    group by group_id, group_order, group_label, metric, metric_order, unit
) spread
where n > 0
order by group_order, metric_order
