"""The values of each group, sorted: as dots, or as the steps of the share at or below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from benchdata.charts.records import require
from benchdata.numbers import display

POINT_LIMIT = 500
TOTAL_LIMIT = 6_000


@dataclass(frozen=True)
class Sample:
    """The values of one group: `reached` sorted, `n` with those that never got there."""

    reached: pl.Series
    n: int

    def __str__(self) -> str:
        """Give n, and how many of it were not reached."""
        missing = self.n - len(self.reached)
        return f"n {display(self.n)}" + (f", {display(missing)} not reached" if missing else "")

    def dots(self, limit: int) -> pl.Series:
        """Return every value, or `limit` exact nearest-rank values when there are more."""
        size = len(self.reached)
        steps = min(size, limit)
        return self.reached.gather([-(-step * size // steps) - 1 for step in range(1, steps + 1)])

    def curve(self, limit: int) -> list[tuple[float, float]]:
        """Return `(value, share of n at or below it)` from share 0 on: `limit` exact points."""
        values = self.dots(limit).unique(maintain_order=True)
        ranks = self.reached.search_sorted(values, side="right")
        steps = [(value, rank / self.n) for value, rank in zip(values, ranks, strict=True)]
        return [(value, 0.0) for value, _ in steps[:1]] + steps


def samples(table: pl.DataFrame) -> dict[Any, Sample]:
    """Return the sample of each group of `group, value`, in order of appearance."""
    require(table, ("group", "value"))
    value = pl.col("value").cast(pl.Float64)
    finite = table.select("group", pl.when(value.is_finite()).then(value).alias("value"))
    parts = finite.partition_by("group", as_dict=True, maintain_order=True)
    return {
        key[0]: Sample(part["value"].drop_nulls().sort(), part.height)
        for key, part in parts.items()
    }


def point_limit(groups: int) -> int:
    """Return how many points each of `groups` may have, so that the chart stays small."""
    return max(min(POINT_LIMIT, TOTAL_LIMIT // max(groups, 1)), POINT_LIMIT // 10)
