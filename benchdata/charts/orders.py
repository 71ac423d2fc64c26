"""Rows in the order in which they were collected: does the day tell more than the arm?"""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import names_alone
from benchdata.charts.records import inline, off_scale, require
from benchdata.charts.theme import WIDTH, finish, in_unit, series_labels
from benchdata.charts.timelines import CLOCK, clock_of
from benchdata.numbers import TOOLTIP_FORMAT, display

HEIGHT = 240
SIZES = ((100, 70), (1_000, 30), (10_000, 12))  # marks up to so many rows, and their size
LIMIT = 2_000


def collection_order(
    table: pl.DataFrame,
    guard: str,
    *,
    subject: str = "Rows in the order of collection",
    unit: str = "rank",
    name: str = "collection_order",
) -> alt.Chart | alt.LayerChart:
    """Draw `time, group, rank` as a dot a row: when it started, how it ranks, which arm it is of.

    `time` is UTC (or without a zone, meaning UTC); `rank` counts from 1 within all rows of the
    comparison, ties share their mean. `guard` is what the test of independence said. Rows without
    time or rank are counted in a note; of more than 2,000 rows every k-th is drawn.
    """
    require(table, ("time", "group", "rank"))
    rank = pl.col("rank").cast(pl.Float64)
    rows = table.select(pl.col("time").dt.epoch("ms"), "group", rank=rank)
    rows = rows.filter(pl.col("rank").is_finite()).drop_nulls("time").sort("time", "rank")
    lacking = table.height - rows.height
    step = -(-rows.height // LIMIT) or 1
    shown = rows.gather_every(step)
    names = series_labels(table["group"].unique(maintain_order=True))
    unfit = off_scale(shown["rank"])
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": [
            *unfit,
            guard,
            *([f"Each mark: one of {step:,} rows."] if step > 1 else []),
            *([f"{display(lacking)} without time or rank are not drawn."] if lacking else []),
        ],
        "description": f"Ranks of {rows.height:,} rows by start time (UTC)",
        "legend": list(dict.fromkeys(names.values())) if not unfit else (),
    }
    if unfit or shown.is_empty():
        return finish(names_alone(dict.fromkeys(names.values())), **look)
    marks = [
        row | {"group": names[row["group"]]} for row in shown.with_columns(clock=CLOCK).to_dicts()
    ]
    size = next((size for most, size in SIZES if len(marks) <= most), SIZES[-1][1])
    order = alt.Scale(domain=list(dict.fromkeys(names.values())))
    axis = alt.Axis(title="start time (UTC)", format=clock_of(rows))
    chart: alt.Chart = (
        alt.Chart(inline(marks))
        .mark_point(size=size, strokeWidth=1.6, opacity=0.85, aria=False)
        .encode(
            x=alt.X("time:T", axis=axis, scale=alt.Scale(type="utc", padding=8)),
            y=alt.Y("rank:Q", axis=alt.Axis(title=unit, tickMinStep=1)),
            color=alt.Color("group:N", title=None, scale=order),
            shape=alt.Shape("group:N", title=None, scale=order),
            tooltip=[
                alt.Tooltip("group:N", title="arm"),
                alt.Tooltip("clock:N", title="start (UTC)"),
                alt.Tooltip("rank:Q", title=unit, format=TOOLTIP_FORMAT),
            ],
        )
    )
    return finish(chart.properties(width=WIDTH, height=HEIGHT), **look)
