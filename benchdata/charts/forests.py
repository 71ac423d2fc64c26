"""Estimates with their intervals, one below the other, around the line of no difference."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from benchdata.charts.effects import FIELDS, Effect
from benchdata.charts.ends import end_layers, ends
from benchdata.charts.lanes import MARK, Lanes, label_layer, lane_axis, lane_chart, lanes
from benchdata.charts.records import Record, clean, inline, labels, off_scale, records
from benchdata.charts.references import FAINT, fixed
from benchdata.charts.theme import DOT_SIZE, finish, in_unit
from benchdata.numbers import TOOLTIP_FORMAT, display, p_text

OPTIONAL = ("series", "n", "p", "verdict")


def forest(
    table: pl.DataFrame,
    *,
    subject: str,
    unit: str,
    min_effect: float = 0.0,
    ratio: bool = False,
    interval: str = "95% interval",
    name: str = "forest",
) -> alt.LayerChart:
    """Draw `group, estimate, low, high, [series, n, p, verdict]`, a dot with its interval a row.

    `estimate`, `low` and `high` are differences in `unit`, or ratios with `ratio` (then on a log
    axis around 1). `n` counts tasks or runs, `p` is after Holm, `verdict` a text; `series`
    splits a group. A row without interval is a dot and the words "no interval". `min_effect` is M:
    the grey band from -M to M, for ratios from 1 / (1 + M) to 1 + M.
    """
    rows = records(table, ("group", "estimate", "low", "high"), OPTIONAL)
    effect = Effect(ratio, min_effect)
    rows = [effect.drawable(row) for row in rows]
    keys = [(row["group"], row["series"]) for row in rows]
    layout = lanes(keys, {}, labelled=True)
    names = labels(row["series"] for row in rows if row["series"] is not None)
    marks = [
        row
        | {
            "y": layout.places[key][1],
            "group": clean(row["group"]),
            "series": names.get(row["series"]),
            "p": None if row["p"] is None else p_text(row["p"]),
        }
        for key, row in zip(keys, rows, strict=True)
        if key in layout.places and row["estimate"] is not None
    ]
    texts = [
        {"y": layout.places[key][0], "text": _text(row, names.get(row["series"]), effect)}
        for key, row in zip(keys, rows, strict=True)
        if key in layout.places
    ]
    unfit = off_scale(row[field] for row in marks for field in FIELDS)
    layers = [] if unfit else _layers(marks, layout.height, unit, effect)
    if layers:
        layers = [*_references(layout, effect), *layers]
    return finish(
        lane_chart(layout, [*layers, label_layer(texts, layout.height)]),
        name=name,
        title=in_unit(subject, unit),
        notes=[*unfit, effect.note(rows, interval), *layout.notes],
        description=f"Estimates with their intervals in {unit}, {len(rows):,} rows",
    )


def _text(row: Record, series: str | None, effect: Effect) -> str:
    if row["estimate"] is None:
        parts = ["no estimate"]
    else:
        parts = [f"{effect.write(row['estimate'])} ({ends(row, effect.write)})"]
    if row["p"] is not None:
        parts.append(f"p {p_text(row['p'])} after Holm")
    if row["n"] is not None:
        parts.append(f"n {display(row['n'])}")
    parts += [clean(text) for text in (row["verdict"],) if text is not None]
    return " · ".join([*([series] if series else []), *parts])


def _references(layout: Lanes, effect: Effect) -> list[alt.Chart]:
    """Return no difference and the band of M beside every mark, not through the lines of text."""
    y = lane_axis(layout.height)
    spans = inline(
        {"y": middle - MARK / 2, "y2": middle + MARK / 2} for _, middle in layout.places.values()
    )
    none = alt.Chart(spans).mark_rule(style="reference", strokeWidth=1.5)
    none = none.encode(x=fixed("x", effect.none), y=y, y2="y2:Q")
    if not effect.minimum:
        return [none]
    low, high = effect.band
    small = alt.Chart(spans).mark_rect(style="reference", opacity=FAINT)
    return [small.encode(x=fixed("x", low), x2=alt.datum(high), y=y, y2="y2:Q"), none]


def _layers(marks: Sequence[Record], height: float, unit: str, effect: Effect) -> list[alt.Chart]:
    """Return bars and dots: filled where a difference is shown, hollow where it is not."""
    y = lane_axis(height)

    def channel(field: str) -> alt.X:
        return alt.X(f"{field}:Q", axis=alt.Axis(title=unit), scale=effect.scale)

    def dots(shown: bool) -> alt.Chart:
        layer: alt.Chart = (
            alt.Chart(inline(row for row in marks if row["shown"] is shown))
            .mark_point(filled=shown, size=DOT_SIZE, strokeWidth=2, opacity=1)
            .encode(
                y=y,
                x=channel("estimate"),
                tooltip=[
                    alt.Tooltip("group:N"),
                    *(
                        alt.Tooltip(f"{field}:Q", title=title, format=TOOLTIP_FORMAT)
                        for field, title in (
                            ("estimate", in_unit("estimate", unit)),
                            ("low", "low"),
                            ("high", "high"),
                            ("n", "n"),
                        )
                    ),
                    alt.Tooltip("p:N", title="p after Holm"),
                    alt.Tooltip("verdict:N"),
                ],
            )
        )
        return layer

    every = [*end_layers(marks, "x", channel, y, strokeWidth=3, opacity=0.55)]
    every += [dots(True), dots(False)]
    return [layer for layer in every if layer.data.values]
