"""Two charts of the same rows that answer each other: to explore with a mouse, not to print.

A brush over dots counts what it covers below; a bar that is clicked leaves its own dots alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import (
    lane_axis,
    lane_chart,
    lanes,
    left_out,
    names_alone,
    value_axis,
)
from benchdata.charts.records import Record, clean, inline, off_scale, records
from benchdata.charts.theme import WIDTH, OutcomeLook, finish, in_unit, outcome_looks
from benchdata.numbers import TOOLTIP_FORMAT, display

ROW_LIMIT = 3_000
BAR_STEP = 26
ROOM = 6.0  # above the dots, so that a brush begins clear of the head
HOW = (
    "Drag over dots: the bars below count those alone. Click a bar: only its dots stay. "
    "A double click ends either."
)


def linked(
    table: pl.DataFrame,
    *,
    subject: str = "Every row, and how it ended",
    unit: str,
    name: str = "linked",
) -> alt.VConcatChart | alt.LayerChart:
    """Draw `group, value, outcome, [row]` as a dot a row, and below a bar an outcome.

    Each filters the other. `value` is in `unit`; where it is null a row has no dot and counts in
    its bar. `row` names the row when a dot is pointed at. Outcomes are those of `charts.outcomes`.
    """
    rows = records(table, ("group", "value", "outcome"), ("row",))
    shown = rows[:ROW_LIMIT]
    looks = outcome_looks(row["outcome"] for row in shown)
    sizes = Counter(row["group"] for row in shown)
    heads = {group: f"n {display(size)}" for group, size in sizes.items()}
    layout = lanes(((group, None) for group in sizes), heads, labelled=False, room=ROOM)
    unfit = off_scale(row["value"] for row in shown)
    marks = [_mark(row, layout.places) for row in shown]
    dots = [mark for mark in marks if None not in (mark["y"], mark["value"])]
    lacking = sum(mark["value"] is None for mark in marks)
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": [
            *unfit,
            *([HOW] if dots and not unfit else []),
            *([f"{lacking:,} without a value have no dot."] if lacking else []),
            *layout.notes,
            *left_out(len(shown), len(rows) - len(shown), "rows"),
        ],
        "description": f"A dot for each of {len(dots):,} rows, and bars of how all of them ended",
    }
    if unfit or not dots:
        return finish(names_alone(sizes), **look)
    brush = alt.selection_interval(name="brush", encodings=["x", "y"])
    ends = alt.selection_point(name="ends", fields=["outcome"])
    upper = lane_chart(layout, [_dots(dots, looks, layout.height, unit, brush, ends)])
    lower = _bars(marks, looks, brush, ends)
    legends = alt.Resolve(legend=alt.LegendResolveMap(color="independent", shape="independent"))
    both = alt.VConcatChart(vconcat=[upper, lower], spacing=18, resolve=legends)
    return finish(both, **look)


def _mark(row: Record, places: Mapping[tuple[Any, Any], tuple[float, float]]) -> Record:
    """Return a row as it lies in a spec; one of a group that is not shown has no place."""
    place = places.get((row["group"], None))
    return {
        "y": place and place[1],
        "group": clean(row["group"]),
        "value": row["value"],
        "outcome": row["outcome"],
        "row": clean(row["row"]),
    }


def _dots(
    marks: Sequence[Record],
    looks: Sequence[OutcomeLook],
    height: float,
    unit: str,
    brush: alt.Parameter,
    ends: alt.Parameter,
) -> alt.Chart:
    names = [look.name for look in looks]
    colours = alt.Scale(domain=names, range=[look.edge for look in looks])
    shapes = alt.Scale(domain=names, range=[look.shape for look in looks])
    layer: alt.Chart = (
        alt.Chart(inline(marks))
        .mark_point(size=60, strokeWidth=1.5, aria=False)
        .encode(
            y=lane_axis(height),
            x=value_axis("value", unit),
            color=alt.Color("outcome:N", title="outcome", scale=colours),
            shape=alt.Shape("outcome:N", title="outcome", scale=shapes),
            opacity=alt.condition(brush, alt.value(0.85), alt.value(0.2)),
            tooltip=[
                alt.Tooltip("group:N"),
                alt.Tooltip("value:Q", title=unit or "value", format=TOOLTIP_FORMAT),
                alt.Tooltip("outcome:N"),
                alt.Tooltip("row:N"),
            ],
        )
        .transform_filter(ends)
        .add_params(brush)
    )
    return layer


def _bars(
    marks: Sequence[Record],
    looks: Sequence[OutcomeLook],
    brush: alt.Parameter,
    ends: alt.Parameter,
) -> alt.Chart:
    """Return a bar an outcome; the browser counts, because the brush decides what counts."""
    names = [look.name for look in looks]
    fills = alt.Scale(domain=names, range=[look.fill for look in looks])
    edges = alt.Scale(domain=names, range=[look.edge for look in looks])
    most = max(Counter(mark["outcome"] for mark in marks).values())
    axis = alt.Axis(title="rows", format=",d", tickMinStep=1)
    bars: alt.Chart = (
        alt.Chart(inline(marks), width=WIDTH, height=BAR_STEP * len(names))
        .mark_bar(size=14, strokeWidth=1.5, cursor="pointer")
        .encode(
            # the axis stays that of all rows, so that a bar shows which share is brushed
            x=alt.X("count():Q", axis=axis, scale=alt.Scale(domain=[0, most])),
            y=alt.Y("outcome:N", title=None, scale=alt.Scale(domain=names)),
            fill=alt.Fill("outcome:N", scale=fills, legend=None),
            stroke=alt.Stroke("outcome:N", scale=edges, legend=None),
            opacity=alt.condition(ends, alt.value(1), alt.value(0.3)),
            tooltip=[
                alt.Tooltip("outcome:N"),
                alt.Tooltip("count():Q", title="rows", format=TOOLTIP_FORMAT),
            ],
        )
        .transform_filter(brush)
        .add_params(ends)
    )
    return bars
