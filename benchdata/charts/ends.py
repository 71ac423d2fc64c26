"""Intervals as bars and as words: an end that does not exist runs off the edge and is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import altair as alt

from benchdata.charts.records import Record, inline
from benchdata.numbers import display, span

Axis = Literal["x", "y"]
# Where a bar without its low or its high end stops.
EDGES: dict[Axis, tuple[int | str, int | str]] = {"x": (0, "width"), "y": ("height", 0)}


def has_ends(row: Record) -> bool:
    """Tell whether there is an interval to draw; one without width would claim certainty."""
    low, high = row["low"], row["high"]
    return (low is None) != (high is None) or (low is not None and low < high)


def ends(row: Record, write: Callable[[float], str] = display) -> str:
    """Return the interval of `row` in words, its level where the table has it."""
    if not has_ends(row):
        return "no interval"
    level = row.get("level")
    return span(row["low"], row["high"], write) + (
        f", level {100 * level:.1f}%" if level is not None else ""
    )


def end_layers(
    rows: Sequence[Record],
    along: Axis,
    channel: Callable[[str], alt.X | alt.Y],
    across: alt.X | alt.Y,
    **mark: Any,
) -> list[alt.Chart]:
    """Return the bars from `low` to `high` of `rows`; `channel` makes the axis of a field.

    `across` places a bar, `mark` holds the properties of the rule.
    """
    below, above = EDGES[along]
    shown = [row for row in rows if has_ends(row)]
    kinds = (
        ([row for row in shown if None not in (row["low"], row["high"])], "low", "high:Q"),
        ([row for row in shown if row["high"] is None], "low", alt.value(above)),
        ([row for row in shown if row["low"] is None], "high", alt.value(below)),
    )
    other: Axis = "y" if along == "x" else "x"
    return [
        alt.Chart(inline(some))
        .mark_rule(**mark)
        .encode(**{along: channel(start), f"{along}2": stop, other: across})
        for some, start, stop in kinds
    ]
