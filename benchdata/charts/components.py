"""Times of the parts of a run as separate dots: medians do not add up, so none are stacked."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import lane_axis, lane_chart, lanes, value_axis
from benchdata.charts.records import clean, inline, labels, off_scale, records
from benchdata.charts.theme import DOT_SIZE, finish
from benchdata.numbers import TOOLTIP_FORMAT, display


def components(
    table: pl.DataFrame,
    *,
    subject: str = "Component times by group: p50 of each",
    unit: str = "ms",
    name: str = "components",
) -> alt.LayerChart:
    """Draw `group, component, p50, [n]` as a dot a component; p50 is in `unit`, null is not drawn.

    The greatest n of a group's components stands beside the group.
    """
    rows = records(table, ("group", "component", "p50"), ("n",))
    sizes: dict[Any, int] = {}
    for row in rows:
        if row["n"] is not None:
            sizes[row["group"]] = max(row["n"], sizes.get(row["group"], 0))
    notes = {group: f"n {display(n)}" for group, n in sizes.items()}
    layout = lanes(((row["group"], None) for row in rows), notes, labelled=False)
    names = labels(row["component"] for row in rows)
    dots = [
        {
            "y": layout.places[row["group"], None][1],
            "group": clean(row["group"]),
            "component": names[row["component"]],
            "p50": row["p50"],
        }
        for row in rows
        if row["p50"] is not None and (row["group"], None) in layout.places
    ]
    unfit = off_scale(dot["p50"] for dot in dots)
    order = list(names.values())
    marks = (
        alt.Chart(inline(dots))
        .mark_point(filled=True, size=DOT_SIZE, opacity=0.9)
        .encode(
            y=lane_axis(layout.height),
            x=value_axis("p50", unit),
            color=alt.Color("component:N", title="component", scale=alt.Scale(domain=order)),
            shape=alt.Shape("component:N", title="component", scale=alt.Scale(domain=order)),
            tooltip=[
                alt.Tooltip("group:N"),
                alt.Tooltip("component:N"),
                alt.Tooltip("p50:Q", title=f"p50 ({unit})", format=TOOLTIP_FORMAT),
            ],
        )
    )
    return finish(
        lane_chart(layout, [] if unfit else [marks]),
        name=name,
        title=f"{subject} ({unit})",
        notes=[*unfit, "Medians of parts do not add up to the median of the whole.", *layout.notes],
        description=f"Dots of the median {unit} of {len(order):,} components",
        legend=() if unfit else order,
    )
