"""Medians of groups with the interval that order statistics give them."""

from __future__ import annotations

import polars as pl

from benchdata.contracts.meaning import Metric
from benchdata.stats import order_statistics, ranks
from benchdata.stats.percentiles import rank_of
from benchdata.stats.ranks import Worst
from benchdata.stats.results import CannotTell

INTERVAL = "interval of the median by order statistics"
SCHEMA = {"group": pl.String, **dict.fromkeys(("p50", "low", "high", "level"), pl.Float64)}


def medians(values: pl.DataFrame, metric: Metric, *, nearest_rank: bool) -> pl.DataFrame:
    """Return `group, p50, low, high, level` of `group, value`: each group's median, its interval.

    With `nearest_rank` the median is one of the values, as in a table of percentiles; without it,
    that of an even number lies between two, as in comparisons and bars. A null value ranks worst;
    an end of an interval that is not reached is null.
    """
    upwards = metric.better == "higher"
    nulls: Worst = "lowest" if upwards else "highest"
    rows = []
    for (group,), part in values.group_by("group", maintain_order=True):
        ranked = part["value"].sort(nulls_last=not upwards)
        found = order_statistics.median(ranked.to_list(), nulls=nulls)
        ends = (
            (None,) * 3 if isinstance(found, CannotTell) else (found.low, found.high, found.level)
        )
        middle = ranked[rank_of(len(ranked), 50) - 1]
        if not nearest_rank:
            halfway = ranks.median(ranked.to_list(), nulls=nulls)
            middle = None if isinstance(halfway, CannotTell) else halfway
        rows.append((group, middle, *ends))
    return pl.DataFrame(rows, SCHEMA, orient="row")
