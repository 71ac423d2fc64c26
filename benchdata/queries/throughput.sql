-- How many rows a second did each group complete, from its first start to its last end?
select
    group_id,
    group_label,
    count(*) as scored,
    sum(case when row_result = 'success' then 1 else 0 end) as completed,
    max(row_span_end) - min(row_span_start) as span_ms,
    1000.0 * sum(case when row_result = 'success' then 1 else 0 end)
        / nullif(max(row_span_end) - min(row_span_start), 0) as per_second
from grouped
where row_result <> 'unscored' and row_span_start is not null
group by group_id, group_order, group_label
order by group_order
