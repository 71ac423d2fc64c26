"""Every value as a dot of its own, under its group's step curve, with the median's interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.ends import end_layers, ends, has_ends
from benchdata.charts.lanes import label_layer, lane_axis, lane_chart, lanes, value_axis
from benchdata.charts.records import Record, clean, inline, off_scale, records
from benchdata.charts.samples import Sample, point_limit, samples
from benchdata.charts.theme import TICK, finish, in_unit
from benchdata.numbers import TOOLTIP_FORMAT, display

CURVE = 44.0  # the height of a step curve above its dots
PILE = (5, 3.2)  # so many dots of one value above each other, and how far apart


def strip(
    table: pl.DataFrame,
    medians: pl.DataFrame | None = None,
    *,
    subject: str,
    unit: str,
    name: str = "strip",
    middle: str = "median",
    interval: str = "interval of the median",
    curves: bool = False,
) -> alt.LayerChart:
    """Draw `group, value` (in `unit`) as one open dot a value: for groups of few rows.

    `medians` has `group, p50, low, high, [level]`: the median as a tick and its interval as a bar,
    both in words as well; `middle` and `interval` say what they are, `level` (0 to 1) the coverage
    it reached. With `curves` the share of rows at or below each value stands above the dots, from 0
    to 100%. A null value is written beside n as not reached.
    """
    groups = samples(table)
    sizes = {group: str(sample) for group, sample in groups.items()}
    said = _medians(medians, groups)
    room = CURVE if curves else 0.0
    layout = lanes(((group, None) for group in groups), sizes, labelled=bool(said), room=room)
    placed = {group: layout.places[group, None] for group, _ in layout.places}
    limit = point_limit(len(placed))
    dots = [
        {"group": clean(group), "value": value, "y": y - lift}
        for group, (_, y) in placed.items()
        for value, lift in _piles(groups[group].dots(limit).to_list())
    ]
    marks = [row | {"y": placed[group][1]} for group, row in said.items() if group in placed]
    texts = [
        {"y": placed[group][0], "text": _median_text(row)}
        for group, row in said.items()
        if group in placed
    ]
    values = [value for group in placed for value in groups[group].dots(limit)]
    bounds = [row[bound] for row in marks for bound in ("p50", "low", "high")]
    unfit = off_scale(values + bounds)
    steps = _curves(groups, {group: y for group, (_, y) in placed.items()}, limit) if curves else []
    layers = [
        _step_layer(steps, layout.height, unit),
        *_median_layers(marks, layout.height, unit),
        _dot_layer(dots, layout.height, unit),
    ]
    thinned = any(len(groups[group].reached) > limit for group in placed)
    bars = any(has_ends(row) for row in said.values())
    notes = [
        *unfit,
        "Open dot: one row.",
        *([f"A group of more than {limit:,} rows: so many at even ranks."] if thinned else []),
        *([f"Tick: {middle}."] if said else []),
        *([f"Bar: {interval}."] if bars else []),
        *(["Curve: share of rows at or below, 0 to 100%."] if curves else []),
        *layout.notes,
    ]
    return finish(
        lane_chart(layout, [*([] if unfit else layers), label_layer(texts, layout.height)]),
        name=name,
        title=in_unit(subject, unit),
        notes=[" ".join(notes)],
        description=f"One dot a row over {unit or 'value'} for {len(placed):,} groups",
    )


def _medians(medians: pl.DataFrame | None, groups: dict[Any, Sample]) -> dict[Any, Record]:
    """Return the median of each group that has one in the table."""
    if medians is None:
        return {}
    rows = records(medians, ("group", "p50", "low", "high"), ("level",))
    return {
        row["group"]: row | {"group": clean(row["group"])} for row in rows if row["group"] in groups
    }


def _median_text(row: Record) -> str:
    middle = "not reached" if row["p50"] is None else display(row["p50"])
    return f"median {middle} · {ends(row)}"


def _piles(values: Sequence[float]) -> list[tuple[float, float]]:
    """Return sorted values, each with how far it is moved up or down so that equal ones all show.

    The first dots of a pile stand apart; the rest of a large one lies on them.
    """
    most, gap = PILE
    piled: list[tuple[float, float]] = []
    counts = Counter(values)
    place: dict[float, int] = {}
    for value in values:
        rank = place[value] = place.get(value, -1) + 1
        piled.append((value, (rank % most - (min(counts[value], most) - 1) / 2) * gap))
    return piled


def _curves(groups: dict[Any, Sample], places: dict[Any, float], limit: int) -> list[Record]:
    """Return the steps of each group, as pixels above its dots."""
    return [
        {"group": clean(group), "value": value, "share": share, "y": y - 12 - share * (CURVE - 6)}
        for group, y in places.items()
        for value, share in groups[group].curve(limit)
    ]


def _step_layer(steps: Sequence[Record], height: float, unit: str) -> alt.Chart:
    layer: alt.Chart = (
        alt.Chart(inline(steps))
        .mark_line(interpolate="step-after", strokeWidth=1.5, opacity=0.8)
        .encode(
            y=lane_axis(height),
            x=value_axis("value", unit),
            detail="group:N",
            order=alt.Order("share:Q"),
        )
    )
    return layer


def _dot_layer(dots: Sequence[Record], height: float, unit: str) -> alt.Chart:
    tooltip = [alt.Tooltip("group:N"), alt.Tooltip("value:Q", title=unit, format=TOOLTIP_FORMAT)]
    layer: alt.Chart = (
        alt.Chart(inline(dots))
        .mark_point(size=60, opacity=0.75, strokeWidth=1.5, aria=False)
        .encode(y=lane_axis(height), x=value_axis("value", unit), tooltip=tooltip)
    )
    return layer


def _median_layers(rows: Sequence[Record], height: float, unit: str) -> list[alt.Chart]:
    y = lane_axis(height)
    ticks = [row for row in rows if row["p50"] is not None]
    tooltip = [
        alt.Tooltip("group:N"),
        alt.Tooltip("p50:Q", title=in_unit("p50", unit), format=TOOLTIP_FORMAT),
    ]
    tick = (
        alt.Chart(inline(ticks))
        .mark_point(shape=TICK, size=200, strokeWidth=3, opacity=1)
        .encode(y=y, x=value_axis("p50", unit), tooltip=tooltip)
    )
    bars = end_layers(
        rows, "x", lambda field: value_axis(field, unit), y, strokeWidth=10, opacity=0.3
    )
    return [*bars, tick]
