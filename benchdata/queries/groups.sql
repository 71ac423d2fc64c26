-- How many rows has each group, how did they end, and from when to when did they run?
select
    g.*,
    t.runs,
    t.success,
    t.partial,
    t.failed,
    t.unscored,
    t.synthetic,
    t.first_start,
    t.last_end
from group_list g
join (
    select
        group_id,
        count(*) as runs,
        sum(case when row_result = 'success' then 1 else 0 end) as success,
        sum(case when row_result = 'partial' then 1 else 0 end) as partial,
        sum(case when row_result = 'failed' then 1 else 0 end) as failed,
        sum(case when row_result = 'unscored' then 1 else 0 end) as unscored,
        max(row_synthetic) as synthetic,
        min(row_start) as first_start,
        max(row_end) as last_end
    from grouped
    group by group_id
) t on g.group_id = t.group_id
order by g.group_order
