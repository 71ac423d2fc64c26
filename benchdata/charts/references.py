"""What a measure is read against: a line at a value, a band between two, each with its words."""

from __future__ import annotations

from typing import Literal

import altair as alt

from benchdata.charts.records import inline

Axis = Literal["x", "y"]
DASH = [5, 4]
FAINT = 0.16  # the opacity of a band


def line_at(along: Axis, value: float, *, dashed: bool = False) -> alt.Chart:
    """Return a line across the whole chart at `value` of the axis `along`."""
    dash = DASH if dashed else [1, 0]
    line: alt.Chart = (
        alt.Chart(inline([{}]))
        .mark_rule(style="reference", strokeWidth=1.5, strokeDash=dash)
        .encode(**{along: fixed(along, value)})
    )
    return line


def band(along: Axis, low: float, high: float) -> alt.Chart:
    """Return a grey band across the whole chart between two values of the axis `along`."""
    area: alt.Chart = (
        alt.Chart(inline([{}]))
        .mark_rect(style="reference", opacity=FAINT)
        .encode(**{along: fixed(along, low), f"{along}2": alt.datum(high)})
    )
    return area


def fixed(along: Axis, value: float) -> alt.XDatum | alt.YDatum:
    """Return a channel fixed at `value`, which does not take the grid away from other layers."""
    channels: dict[Axis, type[alt.XDatum | alt.YDatum]] = {"x": alt.XDatum, "y": alt.YDatum}
    return channels[along](value, axis=alt.Axis(grid=True))
