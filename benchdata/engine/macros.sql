-- How does DuckDB say what engines say differently: nearest rank, list totals, time differences?
-- Loaded into every connection. Spark has a page of its own with the same names, in spark/.

-- The smallest value with at least numerator/denominator of the values at or below it; nulls do
-- not count, and a list of nulls alone has none. Integers throughout: a float product such as
-- 0.07 * 100 lies above 7 and would name the next rank.
create macro list_rank(x, numerator, denominator) as
    list_sort(x, 'ASC', 'NULLS LAST')[
        greatest(1, (list_count(x) * numerator + denominator - 1) // denominator)
    ];

-- The same of the values of a group. To filter, pass `case when ... then x end`. Spark lets no
-- macro look at a group: the named queries write `list_rank(array_agg(x), ...)`.
create macro nearest_rank(x, numerator, denominator) as
    list_rank(list(x) filter (where x is not null), numerator, denominator);

-- The sum of a list: 0 for an empty list, null for null or for nulls alone; other nulls do not
-- count. The smallest come first: fractions do not add up alike in every order. Whole numbers add
-- up in 128 bits.
create macro list_total(x) as
    case when len(x) = 0 then 0 else list_sum(list_sort(x)) end;

-- The same, divided by the number of values; null without one.
create macro list_mean(x) as
    list_total(x) / nullif(list_count(x), 0);

-- The sum of a list in its own order, null when one of its values is, or when it has none: a total
-- of which a part is unknown is unknown, and where nothing was counted nothing is known.
create macro known_total(x) as
    case when len(x) > 0 and list_count(x) = len(x) then list_sum(x) end;

-- Whole milliseconds from one time to another, cut towards zero, negative when the end is first.
create macro ms_between(start_time, end_time) as
    (epoch_us(end_time) - epoch_us(start_time)) // 1000;
