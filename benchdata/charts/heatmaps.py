"""Shares in a grid of rows and columns, each cell with its counts; one without rows is hatched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import GROUP_LIMIT, LABEL, lane_axis, left_out, names_alone
from benchdata.charts.records import Record, inline, labels, records
from benchdata.charts.theme import LETTER, WIDTH, finish, in_unit
from benchdata.numbers import TOOLTIP_FORMAT, display

COLUMN_LIMIT = 12
NAMES = 0.34  # the part of the width that the rows' names take
CELL = 24.0
# Dark enough at one end and light enough at the other that lightness alone tells them apart.
SHARES = ("#E4EEF6", "#08456E")
DARK_FROM = 0.5
INK = ("#1b1f24", "#ffffff")
STROKES = 6  # of a hatched cell
NARROWEST = 200.0  # pixels that all columns share on a phone


def heatmap(
    table: pl.DataFrame,
    *,
    subject: str,
    unit: str = "share",
    most: float = 1.0,
    rows: str = "tasks",
    columns: str = "arms",
    name: str = "heatmap",
) -> alt.LayerChart:
    """Draw `row, column, n, k` or `row, column, n, value`: a cell darker the larger its share.

    `n` counts trials, `k` those that passed; `value` is a mean score from 0 to `most`. A cell says
    "k/n", or the mean and n. A pair that the table lacks, or with an n of 0 or null, is hatched.
    `rows` and `columns` say what the two are, in the plural. Rows and columns are in order of
    appearance; at most 60 and 12 are drawn.
    """
    cells = records(table, ("row", "column", "n"), ("k", "value"))
    down = labels(cell["row"] for cell in cells)
    across = labels(cell["column"] for cell in cells)
    shown_down, shown_across = list(down)[:GROUP_LIMIT], list(across)[:COLUMN_LIMIT]
    heads, key = _heads([across[column] for column in shown_across])
    notes = [
        f"Darker: a larger share{'' if most == 1 else f' of {display(most)}'}. Hatched: no rows.",
        *key,
        *left_out(len(shown_down), len(down) - len(shown_down), rows),
        *left_out(len(shown_across), len(across) - len(shown_across), columns),
    ]
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": notes,
        "description": f"Shares of {len(shown_down):,} {rows} by {len(shown_across):,} {columns}",
    }
    if not cells:
        return finish(names_alone(()), **look | {"notes": ()})
    found = {(cell["row"], cell["column"]): _share(cell, most) for cell in cells}
    width = (1 - NAMES) / len(shown_across)
    marks = [
        found.get((row, column), {"share": None, "text": ""})
        | {
            "row": down[row],
            "column": across[column],
            "x": NAMES + width * place,
            "x2": NAMES + width * (place + 1),
            "y": LABEL + CELL * line + 1,
            "y2": LABEL + CELL * (line + 1) - 1,
        }
        for line, row in enumerate(shown_down)
        for place, column in enumerate(shown_across)
    ]
    height = LABEL + CELL * len(shown_down)
    layers = [
        *_cell_layers(marks, height),
        _row_names([down[row] for row in shown_down], height),
        _column_names(heads, width, height),
    ]
    filled = [layer for layer in layers if layer.data.values]
    return finish(alt.LayerChart(layer=filled, width=WIDTH, height=height), **look)


def _heads(names: list[str]) -> tuple[list[str], list[str]]:
    """Return what stands above the columns: their names, or letters and the note that explains."""
    room = NARROWEST / max(len(names), 1)
    if max(map(len, names), default=0) * LETTER <= room:
        return names, []
    letters = [chr(ord("A") + place) for place in range(len(names))]
    pairs = (f"{letter} {name}" for letter, name in zip(letters, names, strict=True))
    return letters, [" · ".join(pairs)]


def _share(cell: Record, most: float) -> Record:
    """Return the share and the text of a cell; without rows it has neither."""
    n, k, value = cell["n"], cell["k"], cell["value"]
    if not n or (k is None and value is None):
        return {"share": None, "text": ""}
    if k is not None:
        return {"share": k / n, "text": f"{display(k)}/{display(n)}", "n": n}
    return {"share": value / most, "text": f"{value:.2f} · {display(n)}", "n": n}


def _x(field: str) -> alt.X:
    return alt.X(f"{field}:Q", axis=None, scale=alt.Scale(domain=[0, 1], nice=False))


def _cell_layers(marks: Sequence[Record], height: float) -> list[alt.Chart]:
    full = [mark for mark in marks if mark["share"] is not None]
    empty = [mark for mark in marks if mark["share"] is None]
    y = lane_axis(height)
    tooltip = [
        *(alt.Tooltip(f"{field}:N") for field in ("row", "column", "text")),
        alt.Tooltip("share:Q", format=TOOLTIP_FORMAT),
    ]
    ramp = alt.Scale(domain=[0, 1], range=list(SHARES), interpolate="lab", clamp=True)
    cells = (
        alt.Chart(inline(full))
        .mark_rect(stroke="#8C959F", strokeWidth=0.5)
        .encode(
            x=_x("x"),
            x2="x2:Q",
            y=y,
            y2="y2:Q",
            color=alt.Color("share:Q", legend=None, scale=ramp),
            tooltip=tooltip,
        )
    )
    texts = [
        {
            "x": (mark["x"] + mark["x2"]) / 2,
            "y": (mark["y"] + mark["y2"]) / 2,
            "text": mark["text"],
            "ink": INK[mark["share"] >= DARK_FROM],
        }
        for mark in full
    ]
    counts = (
        alt.Chart(inline(texts))
        .mark_text(fontSize=12, baseline="middle")
        .encode(x=_x("x"), y=y, text="text:N", color=alt.Color("ink:N", scale=None))
    )
    outlines = (
        alt.Chart(inline(empty))
        .mark_rect(style="reference", filled=False, strokeWidth=0.7)
        .encode(x=_x("x"), x2="x2:Q", y=y, y2="y2:Q", tooltip=tooltip[:2])
    )
    hatching = (
        alt.Chart(inline(stroke for mark in empty for stroke in _hatching(mark)))
        .mark_rule(style="reference", strokeWidth=0.7)
        .encode(x=_x("x"), x2="x2:Q", y=y, y2="y2:Q")
    )
    return [cells, counts, outlines, hatching]


def _hatching(mark: Record) -> list[Record]:
    """Return diagonal strokes over a cell: Vega-Lite knows no filling but colour."""
    step = (mark["x2"] - mark["x"]) / STROKES
    return [
        {"x": mark["x"] + step * at, "x2": mark["x"] + step * (at + 1)}
        | {"y": mark["y2"], "y2": mark["y"]}
        for at in range(STROKES)
    ]


def _row_names(names: Sequence[str], height: float) -> alt.Chart:
    rows = [
        {"x": 0, "y": LABEL + CELL * (line + 0.5), "text": name} for line, name in enumerate(names)
    ]
    layer: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_text(align="left", style="label", limit=alt.ExprRef(f"width * {NAMES} - 8"))
        .encode(x=_x("x"), y=lane_axis(height), text="text:N", tooltip="text:N")
    )
    return layer


def _column_names(heads: Sequence[str], width: float, height: float) -> alt.Chart:
    rows = [
        {"x": NAMES + width * (place + 0.5), "y": LABEL / 2, "text": head}
        for place, head in enumerate(heads)
    ]
    layer: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_text(style="label")
        .encode(x=_x("x"), y=lane_axis(height), text="text:N")
    )
    return layer
