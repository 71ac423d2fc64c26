"""Middle and tail of a measure: a range from p50 to p95 a row, and the same for evidence counts."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from benchdata.charts.lanes import label_layer, lane_axis, lane_chart, lanes, value_axis
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
from benchdata.charts.theme import DOT_SIZE, TICK, finish, in_unit
from benchdata.numbers import TOOLTIP_FORMAT, display
from benchdata.stats.percentiles import is_maximum

OPTIONAL = ("n", "low", "high", "p95_is_max", "above_zero")
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
    method and level; where either is null no interval is drawn. With `p95_is_max` (without that
    column: when n is too small for a p95) the end of the range is a hollow diamond, named "max of
    n". A null p50 or p95 is written as not reached.
    """
    require(table, ("n",))
    rows = records(table, ("group", "p50", "p95"), ("condition", *OPTIONAL))
    bars = [f"Thick bar: {interval}."] if any(has_interval(row) for row in rows) else []
    return _range_chart(rows, "condition", subject=subject, unit=unit, name=name, notes=bars)


def evidence(
    table: pl.DataFrame,
    *,
    subject: str = "Evidence by group: p50 to p95",
    unit: str = "count",
    name: str = "evidence",
) -> alt.LayerChart:
    """Draw `group, measure, [n, above_zero], p50, p95, [p95_is_max]`, one range a row.

    A measure is a count such as records; `above_zero` of `n` rows brought any. Marks and labels
    are those of `percentile_ranges`.
    """
    rows = records(table, ("group", "measure", "p50", "p95"), OPTIONAL)
    return _range_chart(rows, "measure", subject=subject, unit=unit, name=name, notes=[])


def _range_chart(
    rows: Sequence[Record],
    series: str,
    *,
    subject: str,
    unit: str,
    name: str,
    notes: Sequence[str],
) -> alt.LayerChart:
    """Draw one range a row; `series` names the column that splits a group."""
    rows = [row | {"p95_is_max": _is_maximum(row)} for row in rows]
    keys = [(row["group"], row[series]) for row in rows]
    layout = lanes(keys, {}, labelled=True)
    split = labels(row[series] for row in rows if row[series] is not None)
    marks: list[Record] = []
    lines: list[Record] = []
    for key, row in zip(keys, rows, strict=True):
        if key not in layout.places:
            continue
        label_y, y = layout.places[key]
        which, text = split.get(row[series], ""), _range_text(row)
        lines.append({"y": label_y, "text": f"{which} · {text}" if which else text})
        marks.append(row | {"y": y, "group": clean(row["group"]), "series": which})
    maxima = [MAX_NOTE] if any(row["p95_is_max"] for row in rows) else []
    bounds = ("p50", "p95", "low", "high")
    unfit = off_scale(row.get(bound) for row in marks for bound in bounds)
    layers = [] if unfit else _range_layers(marks, layout.height, unit, series if split else None)
    return finish(
        lane_chart(layout, [*layers, label_layer(lines, layout.height)]),
        name=name,
        title=in_unit(subject, unit),
        notes=[*(unfit or [RANGE_NOTE, *maxima, *notes]), *layout.notes],
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

    middles = [row for row in marks if row["p50"] is not None]
    tails = [row for row in marks if row["p95"] is not None]
    shape = alt.Shape("series:N", legend=None, scale=domain)
    return [
        base([row for row in marks if has_interval(row)])
        .mark_rule(strokeWidth=10, opacity=0.3)
        .encode(x=value_axis("low", unit), x2="high:Q"),
        base([row for row in middles if row["p95"] is not None])
        .mark_rule(strokeWidth=2)
        .encode(x=value_axis("p50", unit), x2="p95:Q"),
        base([row for row in tails if not row["p95_is_max"]])
        .mark_point(shape=TICK, size=110, strokeWidth=2.5, opacity=1)
        .encode(x=value_axis("p95", unit)),
        base([row for row in tails if row["p95_is_max"]])
        .mark_point(shape="diamond", size=DOT_SIZE, strokeWidth=2, opacity=1)
        .encode(x=value_axis("p95", unit)),
        base(middles)
        .mark_point(filled=True, size=DOT_SIZE, opacity=1)
        .encode(x=value_axis("p50", unit), shape=shape),
    ]


def _range_text(row: Record) -> str:
    """Return p50, p95 or maximum, and n where the table has it."""
    n = display(row["n"])
    parts = ["p50 not reached" if row["p50"] is None else f"p50 {display(row['p50'])}"]
    if row["p95"] is None:
        parts.append("p95 not reached")
    elif row["p95_is_max"]:
        parts.append(f"{display(row['p95'])} = max of {n}")
    else:
        parts.append(f"p95 {display(row['p95'])}")
    if row["above_zero"] is not None:
        parts.append(f"above 0: {display(row['above_zero'])} of {n}")
    elif row["n"] is not None and not row["p95_is_max"]:
        parts.append(f"n {n}")
    return " · ".join(parts)


def _is_maximum(row: Record) -> bool:
    """Tell whether the nearest rank of the p95 is the last one: what the table says, else n."""
    if row["p95"] is None:
        return False
    if row["p95_is_max"] is not None:
        return bool(row["p95_is_max"])
    return row["n"] is not None and is_maximum(row["n"], 95)


def _tooltips(marks: Sequence[Record], unit: str, series: str | None) -> list[alt.Tooltip]:
    """Name what a mark is; columns that are null in every row are left out."""
    named = [alt.Tooltip("group:N")]
    if series:
        named.append(alt.Tooltip("series:N", title=series))
    for field in ("n", "p50", "p95", "low", "high"):
        if any(row.get(field) is not None for row in marks):
            title = field if field == "n" else in_unit(field, unit)
            named.append(alt.Tooltip(f"{field}:Q", title=title, format=TOOLTIP_FORMAT))
    return named
