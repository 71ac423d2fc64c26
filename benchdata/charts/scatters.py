"""Two measures against each other: what a lift costs in tokens, what a run costs in time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.ends import end_layers
from benchdata.charts.lanes import GROUP_LIMIT, left_out, names_alone, value_axis
from benchdata.charts.placement import LABEL_WIDTH, Align, Placed, beside
from benchdata.charts.records import Record, inline, labels, off_scale, records
from benchdata.charts.references import line_at
from benchdata.charts.theme import DOT_SIZE, WIDTH, finish, in_unit, series_labels
from benchdata.numbers import TOOLTIP_FORMAT, display

HEIGHT = 320
RUN_LIMIT = 2_000
MARGIN = 0.06  # of a domain, left free at each end
ENDS = {"x": ("ratio_low", "ratio_high"), "y": ("lift_low", "lift_high")}


def tradeoff(
    table: pl.DataFrame,
    *,
    subject: str = "Lift against tokens",
    unit: str,
    ratio: str = "tokens, treatment / baseline",
    interval: str = "95% intervals",
    name: str = "tradeoff",
) -> alt.LayerChart:
    """Draw `group, ratio, ratio_low, ratio_high, lift, lift_low, lift_high`: a cross a group.

    `ratio` is above 0 and has no unit, `lift` is in `unit`. An interval that is null has no bar. A
    group without ratio or lift is counted in a note. Labels that find no free place are left out.
    """
    fields = tuple(
        f"{measure}{end}" for measure in ("ratio", "lift") for end in ("", "_low", "_high")
    )
    rows = records(table, ("group", *fields))
    fit = [row for row in rows if row["lift"] is not None and (row["ratio"] or 0) > 0]
    shown = fit[:GROUP_LIMIT]
    names = labels(row["group"] for row in shown)
    marks = [row | {"group": names[row["group"]]} for row in shown]
    unfit = off_scale(row[field] for row in marks for field in fields)
    lacking = len(rows) - len(fit)
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": [
            *unfit,
            f"Dot: estimates. Bars: {interval}.",
            *([f"{lacking:,} without ratio or lift are not drawn."] if lacking else []),
            *left_out(len(shown), len(fit) - len(shown)),
        ],
        "description": f"Lift in {unit} against the ratio of tokens, {len(marks):,} groups",
    }
    if unfit or not marks:
        return finish(names_alone(names.values()), **look)
    x_scale, x_place = _log_scale(marks)
    y_scale, y_place = _linear_scale(marks)
    places = beside(
        [(x_place(row["ratio"]), y_place(row["lift"])) for row in marks],
        [row["group"] for row in marks],
        WIDTH,
    )
    if len(places) < len(marks):
        look["notes"].append(f"Labels without room, left out: {len(marks) - len(places):,}.")

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", axis=alt.Axis(title=ratio), scale=x_scale)

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", axis=alt.Axis(title=unit), scale=y_scale)

    dots = (
        alt.Chart(inline(marks))
        .mark_point(filled=True, size=DOT_SIZE, opacity=1)
        .encode(x=x("ratio"), y=y("lift"), tooltip=_tooltips(fields))
    )
    thin: dict[str, Any] = {"strokeWidth": 1.5, "opacity": 0.6}
    crosses = [
        *end_layers(_with_ends(marks, "x"), "x", x, y("lift"), **thin),
        *end_layers(_with_ends(marks, "y"), "y", y, x("ratio"), **thin),
    ]
    every = [
        line_at("x", 1),
        line_at("y", 0),
        *(layer for layer in crosses if layer.data.values),
        dots,
        *_labels(marks, places, x("ratio"), y("lift")),
    ]
    return finish(alt.LayerChart(layer=every, width=WIDTH, height=HEIGHT), **look)


def _with_ends(marks: Sequence[Record], axis: str) -> list[Record]:
    low, high = ENDS[axis]
    return [row | {"low": row[low], "high": row[high]} for row in marks]


def _log_scale(marks: Sequence[Record]) -> tuple[alt.Scale, Callable[[float], float]]:
    """Return the scale of ratios, 1 inside, and where on it a ratio lies in pixels."""
    fields = ("ratio", *ENDS["x"])
    logs = [math.log(row[field]) for row in marks for field in fields if (row[field] or 0) > 0]
    low, high = _widened(min(0.0, *logs), max(0.0, *logs))
    scale = alt.Scale(type="log", domain=[math.exp(low), math.exp(high)], nice=False, clamp=True)
    return scale, lambda value: (math.log(value) - low) / (high - low) * WIDTH


def _linear_scale(marks: Sequence[Record]) -> tuple[alt.Scale, Callable[[float], float]]:
    fields = ("lift", *ENDS["y"])
    values = [row[field] for row in marks for field in fields if row[field] is not None]
    low, high = _widened(min(0.0, *values), max(0.0, *values))
    scale = alt.Scale(domain=[low, high], nice=False)
    return scale, lambda value: (high - value) / (high - low) * HEIGHT


def _widened(low: float, high: float) -> tuple[float, float]:
    span = (high - low) or 1.0
    return low - MARGIN * span, high + MARGIN * span


def _labels(
    marks: Sequence[Record], places: Sequence[Placed], x: alt.X, y: alt.Y
) -> list[alt.Chart]:
    """Return a layer for each way that labels stand beside their points."""

    def way(place: Placed) -> tuple[Align, float, float]:
        return place.align, place.dx, place.dy

    return [
        alt.Chart(inline(marks[place.index] for place in some))
        .mark_text(align=align, dx=dx, dy=dy, style="label", limit=LABEL_WIDTH)
        .encode(x=x, y=y, text="group:N")
        for (align, dx, dy), some in groupby(sorted(places, key=way), way)
    ]


def _tooltips(fields: Sequence[str]) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("group:N"),
        *(
            alt.Tooltip(f"{field}:Q", title=field.replace("_", " "), format=TOOLTIP_FORMAT)
            for field in fields
        ),
    ]


def cost_against_wall(
    table: pl.DataFrame,
    *,
    subject: str = "Cost against wall time by run",
    units: tuple[str, str] = ("s", "USD"),
    name: str = "cost_against_wall",
) -> alt.Chart | alt.LayerChart:
    """Draw `group, wall, cost, green` as a dot a run: filled where the run was green.

    `units` are those of `wall` and `cost`; both axes start at zero. Groups differ by colour and
    shape, at most seven; where there are more, the last share one. A run without wall time or cost
    is counted in a note.
    """
    rows = records(table, ("group", "wall", "cost", "green"))
    every = [row for row in rows if None not in (row["wall"], row["cost"])]
    fit = every[:RUN_LIMIT]
    names = series_labels(row["group"] for row in rows)
    sizes = dict.fromkeys(names.values(), 0)
    for row in rows:
        sizes[names[row["group"]]] += 1
    keys = {label: f"{label} (n {display(n)})" for label, n in sizes.items()}
    marks = [row | {"group": keys[names[row["group"]]]} for row in fit]
    unfit = off_scale(row[measure] for row in marks for measure in ("wall", "cost"))
    lacking = len(rows) - len(every)
    look: dict[str, Any] = {
        "name": name,
        "title": f"{subject} ({' and '.join(units)})",
        "notes": [
            *unfit,
            "Filled: green. Hollow: not green.",
            *([f"{lacking:,} without wall time or cost are not drawn."] if lacking else []),
            *left_out(len(fit), len(every) - len(fit), "runs"),
        ],
        "description": f"Cost against wall time of {len(marks):,} runs",
        "legend": list(keys.values()),
    }
    if unfit or not marks:
        return finish(names_alone(names.values()), **look | {"legend": ()})
    order = alt.Scale(domain=list(keys.values()))
    chart: alt.Chart = (
        alt.Chart(inline(marks))
        .mark_point(size=70, strokeWidth=1.8, opacity=0.85)
        .encode(
            x=value_axis("wall", f"wall time ({units[0]})"),
            y=alt.Y(
                "cost:Q", axis=alt.Axis(title=f"cost ({units[1]})"), scale=alt.Scale(zero=True)
            ),
            color=alt.Color("group:N", title=None, scale=order),
            shape=alt.Shape("group:N", title=None, scale=order),
            fill=alt.Fill("group:N", title=None, scale=order),
            fillOpacity=alt.condition("datum.green", alt.value(0.7), alt.value(0)),
            tooltip=[
                alt.Tooltip("group:N"),
                alt.Tooltip("wall:Q", title=f"wall time ({units[0]})", format=TOOLTIP_FORMAT),
                alt.Tooltip("cost:Q", title=f"cost ({units[1]})", format=TOOLTIP_FORMAT),
                alt.Tooltip("green:N"),
            ],
        )
    )
    return finish(chart.properties(width=WIDTH, height=HEIGHT), **look)
