"""Middle and tail of a measure: a range from p50 to p95 a row, and the same for evidence counts."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from benchdata.charts.lanes import label_layer, lane_axis, lane_chart, lanes
from benchdata.charts.numbers import TOOLTIP_FORMAT, display
from benchdata.charts.records import Record, clean, inline, labels, records
from benchdata.charts.theme import finish

TICK = "M0,-1L0,1"
DOT_SIZE = 90
RANGE_NOTE = "Filled mark: p50. Upright tick: p95."
MAX_NOTE = "Hollow diamond: too few rows for a p95, so the maximum of n."


def percentile_ranges(
    table: pl.DataFrame,
    *,
    subject: str,
    unit: str,
    name: str = "percentile_ranges",
    interval: str = "interval of the median",
) -> alt.LayerChart:
    """Draw `group, [condition], n, p50, p95, [low, high], [p95_is_max]`, one range a row.

    p50, p95, low and high are in `unit`; low and high bound the median and `interval` names their
    method and level; where either is null no interval is drawn. With `p95_is_max` the end of the
    range is a hollow diamond, named "max of n". A null p50 or p95 is written as not reached.
    """
    rows = records(table, ("group", "n", "p50", "p95"), ("condition", "low", "high", "p95_is_max"))
    texts = [_range_text(row) for row in rows]
    notes = [
        RANGE_NOTE,
        *([MAX_NOTE] if any(row["p95_is_max"] for row in rows) else []),
        *([f"Thick bar: {interval}."] if any(_has_interval(row) for row in rows) else []),
    ]
    return _range_chart(
        rows, "condition", texts, subject=subject, unit=unit, name=name, notes=notes
    )


def evidence(
    table: pl.DataFrame,
    *,
    subject: str = "Evidence by group: p50 to p95",
    unit: str = "count",
    name: str = "evidence",
) -> alt.LayerChart:
    """Draw `group, measure, p50, p95` as ranges from 0; a measure is a count such as records."""
    rows = records(table, ("group", "measure", "p50", "p95"))
    filled = [row | dict.fromkeys(("low", "high", "p95_is_max")) for row in rows]
    texts = [f"p50 {display(row['p50'])}  ·  p95 {display(row['p95'])}" for row in rows]
    return _range_chart(
        filled, "measure", texts, subject=subject, unit=unit, name=name, notes=[RANGE_NOTE]
    )


def _range_chart(
    rows: Sequence[Record],
    series: str,
    texts: Sequence[str],
    *,
    subject: str,
    unit: str,
    name: str,
    notes: Sequence[str],
) -> alt.LayerChart:
    """Draw one range a row; `series` names the column that splits a group, `texts` the labels."""
    keys = [(row["group"], row[series]) for row in rows]
    layout = lanes(keys, {}, labelled=True)
    split = labels(row[series] for row in rows if row[series] is not None)
    marks: list[Record] = []
    lines: list[Record] = []
    for key, row, text in zip(keys, rows, texts, strict=True):
        if key not in layout.places:
            continue
        label_y, y = layout.places[key]
        which = split.get(row[series], "")
        lines.append({"y": label_y, "text": f"{which}  ·  {text}" if which else text})
        marks.append(row | {"y": y, "group": clean(row["group"]), "series": which})
    layers = _range_layers(marks, layout.height, unit, series if split else None)
    return finish(
        lane_chart(layout, [*layers, label_layer(lines, layout.height)]),
        name=name,
        title=f"{subject} ({unit})",
        notes=[*notes, *layout.notes],
        description=f"Ranges from the median to the 95th percentile in {unit}, {len(rows):,} rows",
    )


def _range_layers(
    marks: Sequence[Record], height: float, unit: str, series: str | None
) -> list[alt.Chart]:
    """Return line, interval, tail and middle of each range; what is null is left out."""
    order = sorted({row["series"] for row in marks}, key=[row["series"] for row in marks].index)
    domain = alt.Scale(domain=order)
    colour = alt.Color("series:N", legend=None, scale=domain)
    tooltip = _tooltips(marks, unit, series)

    def base(rows: Sequence[Record]) -> alt.Chart:
        return alt.Chart(inline(rows)).encode(
            y=lane_axis(height), color=colour, tooltip=list(tooltip)
        )

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", axis=alt.Axis(title=unit), scale=alt.Scale(zero=True))

    middles = [row for row in marks if row["p50"] is not None]
    tails = [row for row in marks if row["p95"] is not None]
    shape = alt.Shape("series:N", legend=None, scale=domain)
    return [
        base([row for row in marks if _has_interval(row)])
        .mark_rule(strokeWidth=10, opacity=0.3)
        .encode(x=x("low"), x2="high:Q"),
        base([row for row in middles if row["p95"] is not None])
        .mark_rule(strokeWidth=2)
        .encode(x=x("p50"), x2="p95:Q"),
        base([row for row in tails if not row["p95_is_max"]])
        .mark_point(shape=TICK, size=110, strokeWidth=2.5, opacity=1)
        .encode(x=x("p95")),
        base([row for row in tails if row["p95_is_max"]])
        .mark_point(shape="diamond", size=DOT_SIZE, strokeWidth=2, opacity=1)
        .encode(x=x("p95")),
        base(middles)
        .mark_point(filled=True, size=DOT_SIZE, opacity=1)
        .encode(x=x("p50"), shape=shape),
    ]


def _range_text(row: Record) -> str:
    n = display(row["n"])
    middle = "p50 not reached" if row["p50"] is None else f"p50 {display(row['p50'])}"
    if row["p95"] is None:
        return f"{middle}  ·  p95 not reached  ·  n {n}"
    if row["p95_is_max"]:
        return f"{middle}  ·  {display(row['p95'])} = max of {n}"
    return f"{middle}  ·  p95 {display(row['p95'])}  ·  n {n}"


def _has_interval(row: Record) -> bool:
    """Tell whether the row has an interval to draw; one without width would claim certainty."""
    return row["low"] is not None and row["high"] is not None and row["low"] < row["high"]


def _tooltips(marks: Sequence[Record], unit: str, series: str | None) -> list[alt.Tooltip]:
    """Name what a mark is; columns that are null in every row are left out."""
    named = [alt.Tooltip("group:N")]
    if series:
        named.append(alt.Tooltip("series:N", title=series))
    for field in ("n", "p50", "p95", "low", "high"):
        if any(row.get(field) is not None for row in marks):
            title = field if field == "n" else f"{field} ({unit})"
            named.append(alt.Tooltip(f"{field}:Q", title=title, format=TOOLTIP_FORMAT))
    return named
