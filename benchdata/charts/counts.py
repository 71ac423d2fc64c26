"""How many runs ended how: outcomes as one stacked bar a group, stop reasons as bars from zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import Lanes, head_layers, label_layer, lane_axis, lanes
from benchdata.charts.numbers import TOOLTIP_FORMAT, display
from benchdata.charts.records import Record, clean, inline, records
from benchdata.charts.theme import WIDTH, finish
from benchdata.errors import ReportError

OUTCOMES = ("success", "partial", "failed")
OUTCOME_EDGES = ("#009E73", "#E69F00", "#D55E00")
# Full, half and nearly empty: the three stay apart without colour.
OUTCOME_FILLS = ("rgba(0,158,115,1)", "rgba(230,159,0,0.5)", "rgba(213,94,0,0.08)")
BAR = 14.0
THIN_BAR = 10.0


def outcomes(
    table: pl.DataFrame,
    *,
    subject: str = "Outcomes by group",
    unit: str = "runs",
    name: str = "outcomes",
) -> alt.LayerChart:
    """Draw `group, outcome, n` as stacked bars: `outcome` is success, partial or failed, `n` a count."""
    rows = records(table, ("group", "outcome", "n"))
    counts: dict[Any, dict[str, int]] = {}
    for row in rows:
        if row["outcome"] not in OUTCOMES:
            raise ReportError(
                f"outcome {clean(row['outcome'])!r}: the chart knows {', '.join(OUTCOMES)}"
            )
        group = counts.setdefault(row["group"], dict.fromkeys(OUTCOMES, 0))
        group[row["outcome"]] += row["n"] or 0
    notes = {
        group: " / ".join(display(n) for n in by.values()) + f" of {display(sum(by.values()))}"
        for group, by in counts.items()
    }
    layout = lanes(((group, None) for group in counts), notes, labelled=False)
    bars = _bars(layout, _segments(counts, layout), BAR).encode(
        fill=alt.Fill("outcome:N", title="outcome", scale=_scale(OUTCOME_FILLS)),
        stroke=alt.Stroke("outcome:N", title="outcome", scale=_scale(OUTCOME_EDGES)),
        tooltip=_tooltips("outcome", unit),
    )
    return finish(
        alt.layer(_count_axis(bars, unit), *head_layers(layout)).properties(
            width=WIDTH, height=layout.height
        ),
        name=name,
        title=f"{subject} ({unit})",
        notes=["At the right: success / partial / failed of all.", *layout.notes],
        description=f"Stacked bars of {unit} that ended in success, partly or failed, "
        f"for {len(counts):,} groups",
    )


def stop_reasons(
    table: pl.DataFrame,
    *,
    subject: str = "Stop reasons by group",
    unit: str = "runs",
    name: str = "stop_reasons",
) -> alt.LayerChart:
    """Draw `group, stop_reason, n` as one bar a reason, in the order of the table."""
    rows = records(table, ("group", "stop_reason", "n"))
    totals: dict[Any, int] = {}
    for row in rows:
        totals[row["group"]] = totals.get(row["group"], 0) + (row["n"] or 0)
    notes = {group: f"{display(n)} in all" for group, n in totals.items()}
    keys = [(row["group"], row["stop_reason"]) for row in rows]
    layout = lanes(keys, notes, labelled=True)
    placed = [
        {"key": key, "n": row["n"] or 0, "reason": clean(row["stop_reason"])}
        for key, row in zip(keys, rows, strict=True)
        if key in layout.places
    ]
    marks = [_mark(item, layout, start=0, end=item["n"]) for item in placed]
    texts = [
        {"y": layout.places[item["key"]][0], "text": f"{item['reason']}  ·  {display(item['n'])}"}
        for item in placed
    ]
    bars = _bars(layout, marks, THIN_BAR).encode(tooltip=_tooltips("reason", unit))
    return finish(
        alt.layer(
            _count_axis(bars, unit), *head_layers(layout), label_layer(texts, layout.height)
        ).properties(width=WIDTH, height=layout.height),
        name=name,
        title=f"{subject} ({unit})",
        notes=layout.notes,
        description=f"Bars of {unit} by the reason they stopped, for {len(totals):,} groups",
    )


def _segments(counts: dict[Any, dict[str, int]], layout: Lanes) -> list[Record]:
    """Place the outcomes of a group end to end; an outcome that never happened has no segment."""
    marks: list[Record] = []
    for group, by_outcome in counts.items():
        if (group, None) not in layout.places:
            continue
        start = 0
        for outcome, n in by_outcome.items():
            if n:
                item = {"key": (group, None), "n": n, "outcome": outcome}
                marks.append(_mark(item, layout, start=start, end=start + n))
            start += n
    return marks


def _mark(item: Record, layout: Lanes, *, start: int, end: int) -> Record:
    rest = {name: value for name, value in item.items() if name != "key"}
    place = layout.places[item["key"]][1]
    return rest | {"group": clean(item["key"][0]), "y": place, "start": start, "end": end}


def _bars(layout: Lanes, marks: Sequence[Record], thickness: float) -> alt.Chart:
    half = thickness / 2
    rows = [row | {"y": row["y"] - half, "y2": row["y"] + half} for row in marks]
    return (
        alt.Chart(inline(rows))
        .mark_rect(strokeWidth=1.5)
        .encode(y=lane_axis(layout.height), y2="y2:Q", x2="end:Q")
    )


def _count_axis(bars: alt.Chart, unit: str) -> alt.Chart:
    axis = alt.Axis(title=unit, format=",d", tickMinStep=1)
    return bars.encode(x=alt.X("start:Q", axis=axis, scale=alt.Scale(domainMin=0, nice=True)))


def _scale(values: Sequence[str]) -> alt.Scale:
    return alt.Scale(domain=list(OUTCOMES), range=list(values))


def _tooltips(what: str, unit: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("group:N"),
        alt.Tooltip(f"{what}:N"),
        alt.Tooltip("n:Q", title=unit, format=TOOLTIP_FORMAT),
    ]
