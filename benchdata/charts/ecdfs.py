"""Step curves of the share of rows at or below each value, and of those done by each turn."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import GROUP_LIMIT, left_out, names_alone
from benchdata.charts.records import Record, inline, labels, off_scale
from benchdata.charts.samples import Sample, point_limit, samples
from benchdata.charts.theme import DASHES, LETTER, WIDTH, finish, in_unit
from benchdata.numbers import TOOLTIP_FORMAT, display

TOGETHER = 6
PANEL_COLUMNS = 3
PANEL_HEIGHT, PANEL_AXIS = 120, 45
Steps = alt.Chart | alt.FacetChart | alt.LayerChart


def ecdf(table: pl.DataFrame, *, subject: str, unit: str, name: str = "ecdf") -> Steps:
    """Draw `group, value` (in `unit`) as the share of rows at or below each value.

    A null value is a row that never got there: it counts in n, so its curve ends below 100%.
    A group of more than 500 values is thinned to 500 exact nearest-rank points. More than six
    groups are drawn in panels of their own.
    """
    groups = samples(table)
    names = {group: f"{label} ({groups[group]})" for group, label in labels(groups).items()}
    curves = {
        names[group]: sample.curve(point_limit(len(groups))) for group, sample in groups.items()
    }
    return _steps(curves, [], subject=subject, unit=unit, share="share of rows", name=name)


def share_green(
    table: pl.DataFrame,
    cap: float,
    *,
    subject: str = "Share of runs green by turn",
    unit: str = "turns",
    name: str = "share_green",
) -> Steps:
    """Draw `group, value`: the turn at which a run was green, null for one that never was.

    Every curve goes on to `cap`, the last turn a run may take, so that never-green runs are the
    plateau that it ends on; each group's name counts them.
    """
    groups = samples(table)
    names = {group: f"{label} ({_green(groups[group])})" for group, label in labels(groups).items()}
    limit = point_limit(len(groups))
    curves = {
        names[group]: [(0.0, 0.0), *points, (max(cap, points[-1][0]), points[-1][1])]
        for group, sample in groups.items()
        for points in (sample.curve(limit) or [(0.0, 0.0)],)
    }
    never = [f"A curve that ends below 100%: runs not green after {display(cap)} {unit}."]
    return _steps(curves, never, subject=subject, unit=unit, share="share of runs", name=name)


def _green(sample: Sample) -> str:
    never = sample.n - len(sample.reached)
    green = f"{display(len(sample.reached))} of {display(sample.n)} green"
    return green + (f", {display(never)} never" if never else "")


def _steps(
    curves: dict[str, list[tuple[float, float]]],
    notes: list[str],
    *,
    subject: str,
    unit: str,
    share: str,
    name: str,
) -> Steps:
    """Draw `(value, share)` points of each named curve, together or in panels."""
    order = list(curves)[:GROUP_LIMIT]
    points: list[Record] = [
        {"group": group, "value": value, "share": height}
        for group in order
        for value, height in curves[group]
    ]
    lines: alt.Chart = (
        alt.Chart(inline(points))
        .mark_line(interpolate="step-after", strokeWidth=2)
        .encode(
            x=alt.X("value:Q", axis=alt.Axis(title=unit), scale=alt.Scale(zero=False)),
            y=alt.Y(
                "share:Q",
                axis=alt.Axis(title=share, format="%", tickCount=5),
                scale=alt.Scale(domain=[0, 1]),
            ),
            order=alt.Order("share:Q"),
            tooltip=[
                alt.Tooltip("group:N"),
                alt.Tooltip("value:Q", title=unit, format=TOOLTIP_FORMAT),
                alt.Tooltip("share:Q", title=share, format=".1%"),
            ],
        )
    )
    unfit = off_scale(point["value"] for point in points)
    look: dict[str, Any] = {
        "name": name,
        "title": in_unit(subject, unit),
        "notes": [*unfit, *notes, *left_out(len(order), len(curves) - len(order))],
        "description": f"Step curves over {unit} for {len(order):,} groups",
        "legend": order if len(order) <= TOGETHER and not unfit else (),
    }
    if not order or unfit:
        return finish(names_alone(order), **look)
    if len(order) > TOGETHER:
        # one panel less beside each other where the heads would be cut
        wide = max(map(len, order)) * LETTER + PANEL_AXIS > WIDTH / PANEL_COLUMNS
        columns = PANEL_COLUMNS - wide
        panel = lines.properties(width=WIDTH / columns - PANEL_AXIS, height=PANEL_HEIGHT)
        facet = alt.Facet("group:N", sort=order, title=None)
        return finish(panel.facet(facet=facet, columns=columns), **look)
    dashes = alt.Scale(domain=order, range=[list(dash) for dash in DASHES[: len(order)]])
    together: alt.Chart = lines.encode(
        color=alt.Color("group:N", title=None, scale=alt.Scale(domain=order)),
        strokeDash=alt.StrokeDash("group:N", title=None, scale=dashes),
    )
    return finish(together.properties(width=WIDTH, height=260), **look)
