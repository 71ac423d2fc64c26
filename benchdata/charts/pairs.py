"""Pairs of task means: from the baseline to the treatment, task by task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.effects import signed
from benchdata.charts.lanes import (
    GROUP_LIMIT,
    label_layer,
    lane_axis,
    lane_chart,
    lanes,
    left_out,
    names_alone,
    value_axis,
)
from benchdata.charts.placement import merged
from benchdata.charts.records import Record, clean, inline, labels, off_scale, records
from benchdata.charts.theme import DOT_SIZE, WIDTH, finish, in_unit
from benchdata.numbers import TOOLTIP_FORMAT, display

COUNTS = ("baseline_k", "baseline_n", "treatment_k", "treatment_n")
NAMED_SLOPES = 12
SLOPE_HEIGHT = 300
SLOPE_LIMIT = 250
# Direction by colour and by dash, so that neither paper nor eyes need the colour.
DIRECTIONS = ("up", "down", "level")
STROKES = ([1, 0], [6, 3], [2, 3])


def dumbbell(
    table: pl.DataFrame,
    *,
    subject: str,
    unit: str,
    arms: tuple[str, str] = ("baseline", "treatment"),
    name: str = "dumbbell",
) -> alt.LayerChart:
    """Draw `group, task, baseline, treatment` as a hollow and a filled dot a task, joined.

    `baseline` and `treatment` are task means in `unit`, null where an arm has no scored row;
    `arms` names the two. Optional counts are written beside the task: `baseline_k` of
    `baseline_n` and `treatment_k` of `treatment_n`; without k the n alone. The first 60 rows are
    drawn, so put first what matters most.
    """
    every = records(table, ("group", "task", "baseline", "treatment"), COUNTS)
    rows = every[:GROUP_LIMIT]
    keys = [(row["group"], row["task"]) for row in rows]
    layout = lanes(keys, {}, labelled=True)
    tasks = labels(row["task"] for row in rows)
    texts: list[Record] = []
    marks: list[Record] = []
    for key, row in zip(keys, rows, strict=True):
        label_y, y = layout.places[key]
        texts.append({"y": label_y, "text": f"{tasks[row['task']]} · {_change(row)}"})
        marks.append(row | {"y": y, "group": clean(row["group"]), "task": tasks[row["task"]]})
    unfit = off_scale(row[arm] for row in marks for arm in ("baseline", "treatment"))
    note = f"Hollow: {clean(arms[0])}. Filled: {clean(arms[1])}."
    return finish(
        lane_chart(
            layout,
            [
                *([] if unfit else _dumbbells(marks, layout.height, unit)),
                label_layer(texts, layout.height),
            ],
        ),
        name=name,
        title=in_unit(subject, unit),
        notes=[*unfit, note, *left_out(len(rows), len(every) - len(rows), "rows")],
        description=f"Pairs of means in {unit} for {len(rows):,} tasks",
    )


def _change(row: Record) -> str:
    """Return both ends of a pair and the difference, with the counts behind them."""
    before, after = (_end(row, arm) for arm in ("baseline", "treatment"))
    text = f"{before} \N{RIGHTWARDS ARROW} {after}"
    if row["baseline"] is None or row["treatment"] is None:
        return text
    return f"{text} ({signed(row['treatment'] - row['baseline'])})"


def _end(row: Record, arm: str) -> str:
    value, k, n = row[arm], row[f"{arm}_k"], row[f"{arm}_n"]
    if value is None:
        return "not run"
    if k is not None and n is not None:
        return f"{display(k)} of {display(n)}"
    return display(value) + (f" (n {display(n)})" if n is not None else "")


def _dumbbells(marks: Sequence[Record], height: float, unit: str) -> list[alt.Chart]:
    y = lane_axis(height)
    tooltip = [
        alt.Tooltip("group:N"),
        alt.Tooltip("task:N"),
        *(
            alt.Tooltip(f"{arm}:Q", title=in_unit(arm, unit), format=TOOLTIP_FORMAT)
            for arm in ("baseline", "treatment")
        ),
    ]
    joined = [row for row in marks if None not in (row["baseline"], row["treatment"])]
    line = (
        alt.Chart(inline(joined))
        .mark_rule(strokeWidth=2, opacity=0.6)
        .encode(y=y, x=value_axis("baseline", unit), x2="treatment:Q")
    )
    ends = [
        alt.Chart(inline(row for row in marks if row[arm] is not None))
        .mark_point(filled=filled, size=size, strokeWidth=2, opacity=1)
        .encode(y=y, x=value_axis(arm, unit), tooltip=tooltip)
        for arm, filled, size in (
            ("treatment", True, DOT_SIZE),
            ("baseline", False, 1.6 * DOT_SIZE),
        )
    ]
    return [line, *ends]


def slopes(
    table: pl.DataFrame,
    *,
    subject: str,
    unit: str,
    arms: tuple[str, str] = ("baseline", "treatment"),
    name: str = "slopes",
) -> alt.LayerChart:
    """Draw `task, baseline, treatment` (means in `unit`) as a line a task between two arms.

    Up, down and level lines differ by colour and dash; their numbers are in the legend. Up to 12
    tasks are named at the right, the first 250 are drawn. A task without one of the two means is
    counted in a note.
    """
    rows = records(table, ("task", "baseline", "treatment"))
    every = [row for row in rows if None not in (row["baseline"], row["treatment"])]
    pairs = every[:SLOPE_LIMIT]
    names = labels(row["task"] for row in pairs)
    unfit = off_scale(row[arm] for row in pairs for arm in ("baseline", "treatment"))
    missing = len(rows) - len(every)
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": [
            *unfit,
            *([f"Tasks without one arm: {missing:,}."] if missing else []),
            *left_out(len(pairs), len(every) - len(pairs), "tasks"),
        ],
        "description": f"Lines between two means in {unit} for {len(pairs):,} tasks",
    }
    if unfit or not pairs:
        return finish(names_alone(names.values()), **look)
    first, second = map(clean, arms)
    sides = (first, second if second != first else f"{second} (2)")
    directions = [_direction(row) for row in pairs]
    keys = {way: f"{way}: {directions.count(way):,} of {len(pairs):,}" for way in DIRECTIONS}
    ends = [
        {
            "side": side,
            "value": row[arm],
            "task": names[row["task"]],
            "way": keys[way],
        }
        for row, way in zip(pairs, directions, strict=True)
        for side, arm in zip(sides, ("baseline", "treatment"), strict=True)
    ]
    layers = _slope_layers(ends, sides, list(keys.values()), unit)
    chart = alt.LayerChart(layer=layers, width=WIDTH, height=SLOPE_HEIGHT)
    return finish(chart, **look)


def _direction(row: Record) -> str:
    if row["treatment"] == row["baseline"]:
        return "level"
    return "up" if row["treatment"] > row["baseline"] else "down"


def _side(sides: Sequence[str]) -> alt.X:
    axis = alt.Axis(title=None, labelAngle=0, labelLimit=WIDTH / 3)
    return alt.X(
        "side:N", axis=axis, scale=alt.Scale(type="point", domain=list(sides), padding=0.4)
    )


def _slope_layers(
    ends: Sequence[Record], sides: Sequence[str], keys: list[str], unit: str
) -> list[alt.Chart]:
    """Return the lines, and the names of few tasks where they end, close ones in one line."""
    values = [row["value"] for row in ends]
    low, high = min(0.0, *values), max(0.0, *values)
    span = (high - low) or 1.0
    scale = alt.Scale(domain=[low, low + span])
    colours = alt.Scale(domain=keys)
    strokes = alt.Scale(domain=keys, range=list(STROKES))
    legend = alt.Legend(symbolType="stroke")
    lines: alt.Chart = (
        alt.Chart(inline(ends))
        .mark_line(strokeWidth=1.8, opacity=0.8, point={"size": 40, "filled": True})
        .encode(
            x=_side(sides),
            y=alt.Y("value:Q", axis=alt.Axis(title=unit), scale=scale),
            detail="task:N",
            color=alt.Color("way:N", title=None, legend=legend, scale=colours),
            strokeDash=alt.StrokeDash("way:N", title=None, legend=legend, scale=strokes),
            tooltip=[
                alt.Tooltip("task:N"),
                alt.Tooltip("side:N", title="arm"),
                alt.Tooltip("value:Q", title=unit, format=TOOLTIP_FORMAT),
            ],
        )
    )
    last = [row for row in ends if row["side"] == sides[1]]
    if len(last) > NAMED_SLOPES:
        return [lines]
    heights = (((row["value"] - low) / span * SLOPE_HEIGHT, row["task"]) for row in last)
    names = [
        {"side": sides[1], "value": low + y / SLOPE_HEIGHT * span, "text": text}
        for y, text in merged(heights)
    ]
    named: alt.Chart = (
        alt.Chart(inline(names))
        .mark_text(align="left", dx=10, style="label", limit=alt.ExprRef("width * 0.24"))
        .encode(x=_side(sides), y=alt.Y("value:Q", scale=scale), text="text:N")
    )
    return [lines, named]
