"""Whole distributions: the step curve of shares (ECDF), and every value as a dot of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import GROUP_LIMIT, lane_axis, lane_chart, lanes, left_out, value_axis
from benchdata.charts.records import (
    Record,
    clean,
    has_interval,
    inline,
    labels,
    off_scale,
    records,
    require,
)
from benchdata.charts.theme import DASHES, LETTER, TICK, WIDTH, finish
from benchdata.numbers import TOOLTIP_FORMAT, display

POINT_LIMIT = 500
TOTAL_LIMIT = 6_000
TOGETHER = 6
PANEL_COLUMNS = 3
PANEL_HEIGHT, PANEL_AXIS = 120, 45


def ecdf(
    table: pl.DataFrame, *, subject: str, unit: str, name: str = "ecdf"
) -> alt.Chart | alt.FacetChart | alt.LayerChart:
    """Draw `group, value` (in `unit`) as the share of rows at or below each value.

    A null value is a row that never got there: it counts in n, so its curve ends below 100%.
    A group of more than 500 values is thinned to 500 exact nearest-rank points. More than six
    groups are drawn in panels of their own.
    """
    groups = samples(table)
    names = {group: f"{label} ({groups[group]})" for group, label in labels(groups).items()}
    shown = list(groups)[:GROUP_LIMIT]
    points: list[Record] = [
        {"group": names[group], "value": value, "share": share}
        for group in shown
        for value, share in groups[group].curve(_limit(len(shown)))
    ]
    order = [names[group] for group in shown]
    lines: alt.Chart = (
        alt.Chart(inline(points))
        .mark_line(interpolate="step-after", strokeWidth=2)
        .encode(
            x=alt.X("value:Q", axis=alt.Axis(title=unit), scale=alt.Scale(zero=False)),
            y=alt.Y(
                "share:Q",
                axis=alt.Axis(title="share of rows", format="%", tickCount=5),
                scale=alt.Scale(domain=[0, 1]),
            ),
            order=alt.Order("share:Q"),
            tooltip=[
                alt.Tooltip("group:N"),
                alt.Tooltip("value:Q", title=unit, format=TOOLTIP_FORMAT),
                alt.Tooltip("share:Q", title="share of rows", format=".1%"),
            ],
        )
    )
    unfit = off_scale(point["value"] for point in points)
    look: dict[str, Any] = {
        "name": name,
        "title": f"{subject} ({unit})",
        "notes": [*unfit, *left_out(len(shown), len(groups) - len(shown))],
        "description": f"Step curves over {unit} for {len(shown):,} groups",
        "legend": order if len(shown) <= TOGETHER and not unfit else (),
    }
    if not shown or unfit:
        named = lanes(((label, None) for label in order), {}, labelled=False)
        return finish(lane_chart(named, []), **look)
    if len(shown) > TOGETHER:
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


def strip(
    table: pl.DataFrame,
    intervals: pl.DataFrame | None = None,
    *,
    subject: str,
    unit: str,
    name: str = "strip",
    interval: str = "interval of the median",
) -> alt.LayerChart:
    """Draw `group, value` (in `unit`) as one open dot a value: for groups of few rows.

    `intervals` has `group, p50, low, high`: the median as a tick and its interval as a bar, whose
    method and level `interval` names. A null value is written beside n as not reached.
    """
    groups = samples(table)
    sizes = {group: str(sample) for group, sample in groups.items()}
    layout = lanes(((group, None) for group in groups), sizes, labelled=False)
    placed = {group: layout.places[group, None][1] for group, _ in layout.places}
    limit = _limit(len(placed))
    dots = [
        {"group": clean(group), "value": value, "y": placed[group]}
        for group in placed
        for value in groups[group].dots(limit)
    ]
    medians = [
        row | {"group": clean(row["group"]), "y": placed[row["group"]]}
        for row in (
            records(intervals, ("group", "p50", "low", "high")) if intervals is not None else []
        )
        if row["group"] in placed and row["p50"] is not None
    ]
    y = lane_axis(layout.height)
    tooltip = [alt.Tooltip("group:N"), alt.Tooltip("value:Q", title=unit, format=TOOLTIP_FORMAT)]
    marks = (
        alt.Chart(inline(dots))
        .mark_point(size=60, opacity=0.75, strokeWidth=1.5, aria=False)
        .encode(y=y, x=value_axis("value", unit), tooltip=tooltip)
    )
    values = [dot["value"] for dot in dots]
    bounds = [row[bound] for row in medians for bound in ("p50", "low", "high")]
    unfit = off_scale([*values, *bounds])
    notes = [*unfit, "Open dot: one row.", *layout.notes]
    if medians:
        notes.insert(1, f"Tick: median. Bar: {interval}.")
    if any(len(groups[group].reached) > limit for group in placed):
        notes.insert(1, f"A group of more than {limit:,} rows: so many at even ranks.")
    return finish(
        lane_chart(layout, [] if unfit else [*_medians(medians, layout.height, unit), marks]),
        name=name,
        title=f"{subject} ({unit})",
        notes=notes,
        description=f"One dot a row over {unit} for {len(placed):,} groups",
    )


@dataclass(frozen=True)
class Sample:
    """The values of one group: `reached` sorted, `n` with those that never got there."""

    reached: pl.Series
    n: int

    def __str__(self) -> str:
        """Give n, and how many of it were not reached."""
        missing = self.n - len(self.reached)
        return f"n {display(self.n)}" + (f", {display(missing)} not reached" if missing else "")

    def dots(self, limit: int) -> pl.Series:
        """Return every value, or `limit` exact nearest-rank values when there are more."""
        size = len(self.reached)
        steps = min(size, limit)
        return self.reached.gather([-(-step * size // steps) - 1 for step in range(1, steps + 1)])

    def curve(self, limit: int) -> list[tuple[float, float]]:
        """Return `(value, share of n at or below it)` from share 0 on: `limit` exact points."""
        values = self.dots(limit).unique(maintain_order=True)
        ranks = self.reached.search_sorted(values, side="right")
        steps = [(value, rank / self.n) for value, rank in zip(values, ranks, strict=True)]
        return [(value, 0.0) for value, _ in steps[:1]] + steps


def samples(table: pl.DataFrame) -> dict[Any, Sample]:
    """Return the sample of each group of `group, value`, in order of appearance."""
    require(table, ("group", "value"))
    value = pl.col("value").cast(pl.Float64)
    finite = table.select("group", pl.when(value.is_finite()).then(value).alias("value"))
    parts = finite.partition_by("group", as_dict=True, maintain_order=True)
    return {
        key[0]: Sample(part["value"].drop_nulls().sort(), part.height)
        for key, part in parts.items()
    }


def _medians(rows: Sequence[Record], height: float, unit: str) -> list[alt.Chart]:
    if not rows:
        return []
    y = lane_axis(height)
    tooltip = [
        alt.Tooltip("group:N"),
        *(
            alt.Tooltip(f"{field}:Q", title=f"{field} ({unit})", format=TOOLTIP_FORMAT)
            for field in ("p50", "low", "high")
        ),
    ]
    bounded = [row for row in rows if has_interval(row)]
    bar = (
        alt.Chart(inline(bounded))
        .mark_rule(strokeWidth=10, opacity=0.3)
        .encode(y=y, x=value_axis("low", unit), x2="high:Q", tooltip=tooltip)
    )
    tick = (
        alt.Chart(inline(rows))
        .mark_point(shape=TICK, size=200, strokeWidth=3, opacity=1)
        .encode(y=y, x=value_axis("p50", unit), tooltip=tooltip)
    )
    return [bar, tick]


def _limit(groups: int) -> int:
    """Return how many points each of `groups` may have, so that the chart stays small."""
    return max(min(POINT_LIMIT, TOTAL_LIMIT // max(groups, 1)), POINT_LIMIT // 10)
