"""Parts of a whole as separate dots: medians do not add up, so none are stacked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import (
    Lanes,
    label_layer,
    lane_axis,
    lane_chart,
    lanes,
    value_axis,
)
from benchdata.charts.records import Record, clean, inline, labels, off_scale, records
from benchdata.charts.theme import DOT_SIZE, TICK, finish, in_unit, series_labels
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
    layout = lanes(map(_key, rows), _sizes(rows), labelled=False)
    note = "Medians of parts do not add up to the median of the whole."
    return _dot_chart(rows, layout, "p50", (), note, subject=subject, unit=unit, name=name)


def composites(
    table: pl.DataFrame,
    *,
    subject: str = "Composite by component under each preset",
    unit: str = "score, 0 to 1",
    name: str = "composites",
) -> alt.LayerChart:
    """Draw `group, preset, component, score, composite, [n]`, a line of dots a group and preset.

    `score` is the component's share of its axis and `composite` the weighted whole, both from 0 to
    1; the whole is an upright tick with its number. A null score is a component without value.
    """
    rows = records(table, ("group", "preset", "component", "score", "composite"), ("n",))
    layout = lanes(map(_key, rows), _sizes(rows), labelled=True)
    presets = labels(row["preset"] for row in rows)
    texts: list[Record] = []
    ticks: list[Record] = []
    for key, row in {_key(row): row for row in rows}.items():
        if key not in layout.places:
            continue
        label_y, y = layout.places[key]
        whole = row["composite"]
        said = "no composite" if whole is None else f"composite {display(whole)}"
        texts.append({"y": label_y, "text": f"{presets[row['preset']]} · {said}"})
        if whole is not None:
            ticks.append({"y": y, "group": clean(row["group"]), "composite": whole})
    tick = (
        alt.Chart(inline(ticks))
        .mark_point(shape=TICK, size=260, strokeWidth=3, opacity=1, style="reference")
        .encode(
            y=lane_axis(layout.height),
            x=value_axis("composite", unit),
            tooltip=[alt.Tooltip("group:N"), alt.Tooltip("composite:Q", format=TOOLTIP_FORMAT)],
        )
    )
    below = [tick, label_layer(texts, layout.height)]
    note = "Upright tick: the composite."
    return _dot_chart(rows, layout, "score", below, note, subject=subject, unit=unit, name=name)


def _key(row: Record) -> tuple[Any, Any]:
    return row["group"], row.get("preset")


def _sizes(rows: Sequence[Record]) -> dict[Any, str]:
    """Return the greatest n of each group as the note beside its name."""
    sizes: dict[Any, int] = {}
    for row in rows:
        if row["n"] is not None:
            sizes[row["group"]] = max(row["n"], sizes.get(row["group"], 0))
    return {group: f"n {display(n)}" for group, n in sizes.items()}


def _dot_chart(
    rows: Sequence[Record],
    layout: Lanes,
    value: str,
    others: Sequence[alt.Chart],
    note: str,
    *,
    subject: str,
    unit: str,
    name: str,
) -> alt.LayerChart:
    """Draw the `value` of each component as a dot in the lane of its key; `others` lie below.

    The key of a row is its group and, where it has one, its preset.
    """
    names = series_labels(row["component"] for row in rows)
    dots = [
        {
            "y": layout.places[_key(row)][1],
            "group": clean(row["group"]),
            "component": names[row["component"]],
            value: row[value],
        }
        for row in rows
        if row[value] is not None and _key(row) in layout.places
    ]
    unfit = off_scale(dot[value] for dot in dots)
    order = list(dict.fromkeys(names.values()))
    scale = alt.Scale(domain=order)
    marks = (
        alt.Chart(inline(dots))
        .mark_point(filled=True, size=DOT_SIZE, opacity=0.9)
        .encode(
            y=lane_axis(layout.height),
            x=value_axis(value, unit),
            color=alt.Color("component:N", title="component", scale=scale),
            shape=alt.Shape("component:N", title="component", scale=scale),
            tooltip=[
                alt.Tooltip("group:N"),
                alt.Tooltip("component:N"),
                alt.Tooltip(f"{value}:Q", title=in_unit(value, unit), format=TOOLTIP_FORMAT),
            ],
        )
    )
    return finish(
        lane_chart(layout, [] if unfit else [*others, marks]),
        name=name,
        title=in_unit(subject, unit),
        notes=[*unfit, note, *layout.notes],
        description=f"Dots of the {in_unit(value, unit)} of {len(names):,} components",
        legend=() if unfit else order,
    )
