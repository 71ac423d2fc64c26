-- When did each row start, how did it end, and what was its primary metric?
select
    row_start,
    row_id,
    group_id,
    group_label,
    row_result as outcome,
    metric,
    unit,
    value
from measurements
where is_primary and row_start is not null
order by row_start, row_id
