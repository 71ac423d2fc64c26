"""Differences between paired means: a dot a task, piled up on both sides of no difference."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.effects import signed
from benchdata.charts.ends import end_layers, ends
from benchdata.charts.lanes import HEAD, names_alone
from benchdata.charts.records import Record, inline, labels, off_scale, records
from benchdata.charts.references import band, line_at
from benchdata.charts.theme import TICK, WIDTH, finish, in_unit
from benchdata.numbers import TOOLTIP_FORMAT, display

BINS = 48  # dots closer than this part of the axis stand in one pile
FOOT = 34.0  # pixels below the piles, for the mean and its interval
STEP, TALLEST = 12.0, 260.0  # pixels from dot to dot, and of the highest pile
DOT = 85.0
COUNTED = 10  # dots of a pile that says how many they are


def differences(
    table: pl.DataFrame,
    mean: pl.DataFrame | None = None,
    *,
    subject: str,
    unit: str,
    min_effect: float = 0.0,
    interval: str = "95% interval",
    name: str = "differences",
) -> alt.LayerChart:
    """Draw `task, difference` (treatment - baseline, in `unit`) as a dot a task, in piles.

    `mean` has one row, `estimate, low, high`: the mean difference as a tick and its interval below
    the dots. `min_effect` is M, the grey band. A null difference is a task that lacks an arm: it is
    counted in a note.
    """
    rows = records(table, ("task", "difference"))
    fit = [row for row in rows if row["difference"] is not None]
    found = records(mean, ("estimate", "low", "high")) if mean is not None else []
    estimates = [row for row in found if row["estimate"] is not None]
    values = [row["difference"] for row in fit]
    unfit = off_scale(
        [*values, *(row[end] for row in estimates for end in ("estimate", "low", "high"))]
    )
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": [*unfit, *_notes(fit, estimates, interval, min_effect, len(rows) - len(fit))],
        "description": f"Differences in {unit} of {len(fit):,} tasks",
    }
    if unfit or not fit:
        return finish(names_alone(()), **look)
    tasks = labels(row["task"] for row in fit)
    marks, heights = _piled(fit)
    highest = max(heights.values())
    step = min(STEP, TALLEST / highest)
    height = FOOT + step * highest + HEAD
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0, height], nice=False))

    def x(field: str) -> alt.X:
        return alt.X(
            f"{field}:Q", axis=alt.Axis(title=unit), scale=alt.Scale(zero=True, padding=12)
        )

    dots = [
        row | {"y": FOOT + step * (row["place"] + 0.5), "task": tasks[row["task"]]} for row in marks
    ]
    points = (
        alt.Chart(inline(dots))
        .mark_point(size=DOT if step == STEP else 45, opacity=0.9, strokeWidth=1.5, aria=False)
        .encode(
            x=x("pile"),
            y=y,
            tooltip=[
                alt.Tooltip("task:N"),
                alt.Tooltip(
                    "difference:Q", title=in_unit("difference", unit), format=TOOLTIP_FORMAT
                ),
            ],
        )
    )
    means = [row | {"y": FOOT / 2} for row in estimates]
    tick = (
        alt.Chart(inline(means))
        .mark_point(shape=TICK, size=220, strokeWidth=3, opacity=1)
        .encode(x=x("estimate"), y=y)
    )
    tall = [row for row in dots if heights[row["pile"]] == row["place"] + 1 >= COUNTED]
    counts = (
        alt.Chart(inline(row | {"text": display(row["place"] + 1)} for row in tall))
        .mark_text(style="label", dy=-12)
        .encode(x=x("pile"), y=y, text="text:N")
    )
    layers = [
        *([band("x", -min_effect, min_effect)] if min_effect else []),
        line_at("x", 0),
        *end_layers(means, "x", x, y, strokeWidth=8, opacity=0.35),
        tick,
        points,
        counts,
    ]
    filled = [layer for layer in layers if layer.data.values]
    return finish(alt.LayerChart(layer=filled, width=WIDTH, height=height), **look)


def _piled(rows: list[Record]) -> tuple[list[Record], Counter[float]]:
    """Return the rows with their pile's value and their place in it, and how many each pile has.

    No difference has a pile of its own: a task that did not move is never put with one that did.
    """
    values = [row["difference"] for row in rows]
    width = (max(0.0, *values) - min(0.0, *values)) / BINS or 1.0
    heights: Counter[float] = Counter()
    first: dict[tuple[int, bool], float] = {}
    marks: list[Record] = []
    for row in sorted(rows, key=lambda row: row["difference"]):
        value = row["difference"]
        pile = first.setdefault((round(value / width), not value), value)
        marks.append(row | {"pile": pile, "place": heights[pile]})
        heights[pile] += 1
    return marks, heights


def _notes(
    rows: list[Record], means: list[Record], interval: str, min_effect: float, lacking: int
) -> list[str]:
    """Say how many tasks lie where, and what the mean is."""
    above = sum(row["difference"] > 0 for row in rows)
    below = sum(row["difference"] < 0 for row in rows)
    level = len(rows) - above - below
    counts = (
        f"Above 0: {above:,}. Below: {below:,}. No difference: {level:,}. Tasks: {len(rows):,}."
    )
    notes = [counts]
    notes += [
        f"Tick: mean {signed(row['estimate'])}. Bar: {interval}, {ends(row, signed)}."
        for row in means
    ]
    if min_effect:
        notes.append(f"Grey: less than the minimum effect of {display(min_effect)}.")
    if lacking:
        notes.append(f"Tasks without one arm: {lacking:,}.")
    return [" ".join(notes)]
