"""Rows over time: one panel a group, colour by condition, shape by outcome, times in UTC."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import altair as alt
import polars as pl

from benchdata.charts.lanes import left_out, names_alone
from benchdata.charts.records import inline, labels, off_scale, require
from benchdata.charts.theme import (
    LEGEND_SYMBOL,
    LETTER,
    WIDTH,
    OutcomeLook,
    finish,
    in_unit,
    outcome_looks,
)
from benchdata.numbers import TOOLTIP_FORMAT, display

PANEL_LIMIT = 24
TOTAL_LIMIT = 1_500
PANEL_HEIGHT = 90
SINGLE_HEIGHT = 240
CLOCK = pl.from_epoch("time", "ms").dt.strftime("%Y-%m-%d %H:%M:%S")
# The first span that fits names the clock of the axis.
CLOCKS = (
    (timedelta(hours=2), "%H:%M:%S"),
    (timedelta(days=8), "%m-%d %H:%M"),
    (timedelta(days=400), "%Y-%m-%d"),
    (timedelta.max, "%Y-%m"),
)


def timeline(
    table: pl.DataFrame, *, subject: str, unit: str, name: str = "timeline"
) -> alt.Chart | alt.FacetChart | alt.LayerChart:
    """Draw `time, group, value, condition, outcome`: `time` UTC (or without a zone, meaning UTC).

    `value` is in `unit`; `outcome` is success, partial, failed or unscored. Rows without time or
    value are counted in a note. A panel with more rows than its share of 1,500 marks shows, for
    each time slice, condition and outcome, the nearest-rank median.
    """
    require(table, ("time", "group", "value", "condition", "outcome"))
    runs, undrawn = _runs(table)
    groups = labels(runs["group"].unique(maintain_order=True))
    shown = list(groups)[:PANEL_LIMIT]
    limit = TOTAL_LIMIT // max(len(shown), 1)
    panels = {
        group: _thin(runs.filter(pl.col("group").eq_missing(group)), limit) for group in shown
    }
    thinned = any(panel["n"].max() != 1 for panel in panels.values())
    conditions = labels(runs["condition"].unique(maintain_order=True))
    rows = [
        row | {"group": groups[group], "condition": conditions[row["condition"]]}
        for group, panel in panels.items()
        for row in panel.with_columns(clock=CLOCK).to_dicts()
    ]
    looks = outcome_looks(runs["outcome"])
    points = _points(rows, unit, list(conditions.values()), looks, clock_of(runs))
    unfit = off_scale(runs["value"])
    notes = [
        *unfit,
        *(["Each mark: the median of the rows of one time slice."] if thinned else []),
        *([f"{display(undrawn)} without time or value are not drawn."] if undrawn else []),
        *left_out(len(shown), len(groups) - len(shown)),
    ]
    title = in_unit(subject, unit)
    description = f"Rows by start time (UTC) and {unit or 'value'}, {len(shown):,} groups"
    if not shown or unfit:
        nothing = names_alone(groups[group] for group in shown)
        return finish(nothing, name=name, title=title, notes=notes, description=description)
    legend = list(conditions.values()) if _is_wide(conditions.values()) else []
    if len(shown) > 1:
        order = [groups[group] for group in shown]
        facet = alt.Facet("group:N", sort=order, title=None)
        panelled = points.properties(width=WIDTH, height=PANEL_HEIGHT).facet(facet=facet, columns=1)
        return finish(
            panelled, name=name, title=title, notes=notes, description=description, legend=legend
        )
    single = points.properties(width=WIDTH, height=SINGLE_HEIGHT)
    notes = [*groups.values(), *notes]
    return finish(
        single, name=name, title=title, notes=notes, description=description, legend=legend
    )


def _is_wide(conditions: Iterable[str]) -> bool:
    """Return whether the legend of conditions leaves no room for that of outcomes beside it."""
    return sum(len(each) * LETTER + LEGEND_SYMBOL for each in conditions) > WIDTH / 2


def _runs(table: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Return the runs with a time (as epoch milliseconds) and a finite value; count the rest."""
    value = pl.col("value").cast(pl.Float64)
    runs = table.select(
        pl.col("time").dt.epoch("ms"),
        "group",
        pl.when(value.is_finite()).then(value).alias("value"),
        "condition",
        "outcome",
    )
    drawn = runs.drop_nulls(["time", "value"])
    return drawn, runs.height - drawn.height


def _thin(runs: pl.DataFrame, limit: int) -> pl.DataFrame:
    """Return `time, value, condition, outcome, n`: the runs, or medians of time slices."""
    if runs.height <= limit:
        return runs.select("time", "value", "condition", "outcome", n=pl.lit(1)).sort("time")
    # A slice holds at most one mark for each condition and outcome.
    slices = max(limit // runs.select("condition", "outcome").n_unique(), 1)
    offset = pl.col("time") - pl.col("time").min()
    rank = (pl.len() - 1) // 2
    return (
        runs.with_columns(slice=offset * slices // (offset.max() + 1))
        .group_by("slice", "condition", "outcome")
        .agg(
            time=pl.col("time").sort().get(rank), value=pl.col("value").sort().get(rank), n=pl.len()
        )
        .sort("slice", "condition", "outcome")
        .drop("slice")
    )


def _points(
    rows: list[dict[str, object]],
    unit: str,
    conditions: list[str],
    looks: list[OutcomeLook],
    clock: str,
) -> alt.Chart:
    colour = alt.Color("condition:N", title="condition", scale=alt.Scale(domain=conditions))
    shape = alt.Scale(domain=[look.name for look in looks], range=[look.shape for look in looks])
    apart = alt.Legend(orient="bottom") if _is_wide(conditions) else alt.Undefined
    axis = alt.Axis(title="start time (UTC)", format=clock)
    points: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_point(size=55, strokeWidth=1.8, opacity=0.9, aria=False)
        .encode(
            x=alt.X("time:T", axis=axis, scale=alt.Scale(type="utc", padding=8)),
            y=alt.Y("value:Q", axis=alt.Axis(title=unit, tickCount=4)),
            color=colour,
            shape=alt.Shape("outcome:N", title="outcome", scale=shape, legend=apart),
            tooltip=[
                alt.Tooltip("group:N"),
                alt.Tooltip("clock:N", title="start (UTC)"),
                alt.Tooltip("value:Q", title=unit, format=TOOLTIP_FORMAT),
                alt.Tooltip("condition:N"),
                alt.Tooltip("outcome:N"),
                alt.Tooltip("n:Q", title="rows"),
            ],
        )
    )
    return points


def clock_of(runs: pl.DataFrame) -> str:
    """Return the format of an axis over `time`, in epoch milliseconds: finer the less it spans."""
    first, last = runs["time"].min(), runs["time"].max()
    span = timedelta(milliseconds=0)
    if isinstance(first, int) and isinstance(last, int):
        span = timedelta(milliseconds=last - first)
    return next(clock for limit, clock in CLOCKS if span <= limit)
