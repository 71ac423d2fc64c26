-- How does Spark say what engines say differently: nearest rank, list totals, time differences?
-- Loaded into every session. DuckDB has a page of its own with the same names.
-- A function of Spark has one type: lists are of doubles, which hold a contract's whole numbers
-- exactly.

-- The smallest value with at least numerator/denominator of the values at or below it; nulls do
-- not count, and a list of nulls alone has none.
create temporary function list_rank(x array<double>, numerator bigint, denominator bigint)
    returns double
    return get(
        array_sort(x),
        cast(
            greatest(
                0,
                (array_size(array_compact(x)) * numerator + denominator - 1) div denominator - 1
            ) as int
        )
    );

-- The sum of a list: 0 for an empty list, null for null or for nulls alone; other nulls do not
-- count. The smallest come first.
create temporary function list_total(x array<double>)
    returns double
    return case
        when array_size(x) = 0 then 0
        else reduce(
            array_sort(array_compact(x)),
            cast(null as double),
            (total, item) -> coalesce(total, 0) + item
        )
    end;

-- The same, divided by the number of values; null without one.
create temporary function list_mean(x array<double>)
    returns double
    return list_total(x) / nullif(array_size(array_compact(x)), 0);

-- The sum of a list in its own order, null when one of its values is, or when it has none.
create temporary function known_total(x array<double>)
    returns double
    return case
        when array_size(x) > 0
        then reduce(x, cast(0 as double), (total, item) -> total + item)
    end;

-- Whole milliseconds from one time to another, cut towards zero, negative when the end is first.
create temporary function ms_between(start_time timestamp, end_time timestamp)
    returns bigint
    return (unix_micros(end_time) - unix_micros(start_time)) div 1000;
