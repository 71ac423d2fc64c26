"""Rows of a chart laid out by hand: a bold head a group, then a text line above each of its marks.

Labels above the marks need no left margin, so the same chart reads well on a phone and on paper,
and no label can collide with a mark. Positions are pixels from the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from benchdata.charts.records import Record, inline, labels
from benchdata.charts.theme import LETTER, WIDTH

HEAD, LABEL, MARK, GAP = 20.0, 16.0, 18.0, 10.0
GROUP_LIMIT = 60
NOTE_GAP = 12


@dataclass(frozen=True)
class Lanes:
    """Where everything goes: `heads` are text records, `places` the label and mark of each key."""

    heads: tuple[Record, ...]
    places: Mapping[tuple[Any, Any], tuple[float, float]]
    height: float
    dropped: int

    @property
    def notes(self) -> list[str]:
        """Say so when groups were left out, so that nobody takes the chart for all of them."""
        return left_out(GROUP_LIMIT, self.dropped)


def left_out(shown: int, others: int, what: str = "groups") -> list[str]:
    """Return the note of a chart that shows the first of `what` alone, if there are others."""
    return [f"The first {shown:,} {what}; {others:,} more are in the table."] if others else []


def lanes(
    keys: Iterable[tuple[Any, Any]],
    notes: Mapping[Any, str],
    *,
    labelled: bool,
    room: float = 0.0,
) -> Lanes:
    """Lay out `(group, series)` keys in order of appearance; `notes` stand right of a group's head.

    With `labelled` each mark has a text line above it, else it follows the head directly; `room`
    pixels are left free above each mark.
    """
    series_of: dict[Any, dict[Any, None]] = {}
    for group, series in keys:
        series_of.setdefault(group, {})[series] = None
    shown = dict(list(series_of.items())[:GROUP_LIMIT])
    names = labels(series_of)
    y = 0.0
    heads: list[Record] = []
    places: dict[tuple[Any, Any], tuple[float, float]] = {}
    for group, many in shown.items():
        heads.append({"y": y + HEAD / 2, "text": names[group], "note": notes.get(group, "")})
        y += HEAD
        for series in many:
            label_y = y + LABEL / 2
            y += (LABEL if labelled else 0.0) + room
            places[group, series] = (label_y, y + MARK / 2)
            y += MARK
        y += GAP
    if not heads:
        heads.append({"y": HEAD / 2, "text": "No rows to show", "note": ""})
        y = HEAD
    return Lanes(tuple(heads), places, y, len(series_of) - len(shown))


def lane_axis(height: float) -> alt.Y:
    """Return the y channel of every layer: pixels from the top, no axis drawn."""
    scale = alt.Scale(domain=[0, height], reverse=True, nice=False, zero=False)
    return alt.Y("y:Q", axis=None, scale=scale)


def value_axis(field: str, unit: str) -> alt.X:
    """Return the x channel of a measure, from zero."""
    return alt.X(f"{field}:Q", axis=alt.Axis(title=unit), scale=alt.Scale(zero=True))


def _head_layers(layout: Lanes) -> list[alt.Chart]:
    """Return the group heads at the left and their notes at the right edge."""
    widest = max(len(row["note"]) for row in layout.heads) * LETTER + NOTE_GAP
    base = alt.Chart(inline(layout.heads)).encode(y=lane_axis(layout.height))
    head = base.mark_text(
        align="left", style="head", limit=alt.ExprRef(f"width - {widest}")
    ).encode(x=alt.value(0), text="text:N", tooltip=alt.Tooltip("text:N", title="group"))
    note = base.mark_text(align="right", style="label").encode(x=alt.value("width"), text="note:N")
    return [head, note] if any(row["note"] for row in layout.heads) else [head]


def lane_chart(layout: Lanes, layers: Sequence[alt.Chart]) -> alt.LayerChart:
    """Return `layers` with the heads of `layout`, at the width and height it needs.

    A layer without a mark is left out: it would stretch the axis to infinity.
    """
    every = [*(layer for layer in layers if layer.data.values), *_head_layers(layout)]
    return alt.LayerChart(layer=every, width=WIDTH, height=layout.height)


def names_alone(names: Iterable[Any]) -> alt.LayerChart:
    """Return the chart of groups without marks: their names, or that there are none."""
    return lane_chart(lanes(((name, None) for name in names), {}, labelled=False), [])


def label_layer(rows: Iterable[Record], height: float) -> alt.Chart:
    """Return the text lines above the marks, from records with `y` and `text`."""
    layer: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_text(align="left", style="label", limit=alt.ExprRef("width"))
        .encode(y=lane_axis(height), x=alt.value(0), text="text:N")
    )
    return layer
