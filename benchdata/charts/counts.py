"""How many runs ended how: outcomes as one stacked bar a group, stop reasons as bars from zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from benchdata.charts.lanes import Lanes, label_layer, lane_axis, lane_chart, lanes
from benchdata.charts.records import Record, clean, inline, records
from benchdata.charts.theme import finish, in_unit, outcome_looks
from benchdata.numbers import TOOLTIP_FORMAT, display

BAR = 14.0
THIN_BAR = 10.0
FEW = 5


def outcomes(
    table: pl.DataFrame,
    *,
    subject: str = "Outcomes by group",
    unit: str = "rows",
    name: str = "outcomes",
) -> alt.LayerChart:
    """Draw `group, outcome, n` as a stacked bar a group; `n` is a count.

    Outcomes are success, partial, failed, and unscored for rows that failed for other reasons.
    """
    rows = records(table, ("group", "outcome", "n"))
    looks = outcome_looks(row["outcome"] for row in rows)
    names = [look.name for look in looks]
    counts = {
        group: {name: by.get(name, 0) for name in names}
        for group, by in _counts(rows, "outcome").items()
    }
    notes = {
        group: " / ".join(display(n) for n in by.values()) + f" of {display(sum(by.values()))}"
        for group, by in counts.items()
    }
    layout = lanes(((group, None) for group in counts), notes, labelled=False)
    fills = alt.Scale(domain=names, range=[look.fill for look in looks])
    edges = alt.Scale(domain=names, range=[look.edge for look in looks])
    bars = _bars(layout, _segments(counts, layout), BAR, unit).encode(
        fill=alt.Fill("outcome:N", title="outcome", scale=fills),
        stroke=alt.Stroke("outcome:N", title="outcome", scale=edges),
        tooltip=_tooltips("outcome", unit),
    )
    return finish(
        lane_chart(layout, [bars]),
        name=name,
        title=in_unit(subject, unit),
        notes=[f"At the right: {' / '.join(names)} of all.", *layout.notes],
        description=f"Stacked bars of {unit} by how they ended, for {len(counts):,} groups",
    )


def stop_reasons(
    table: pl.DataFrame,
    *,
    subject: str = "Stop reasons by group",
    unit: str = "rows",
    name: str = "stop_reasons",
) -> alt.LayerChart:
    """Draw `group, stop_reason, n` as one bar a reason, in the order of the table."""
    rows = records(table, ("group", "stop_reason", "n"))
    counts = _counts(rows, "stop_reason")
    notes = {group: f"{display(sum(by.values()))} in all" for group, by in counts.items()}
    every = {(group, reason): n for group, by in counts.items() for reason, n in by.items()}
    layout = lanes(every, notes, labelled=True)
    placed = {key: n for key, n in every.items() if key in layout.places}
    marks = [
        _mark(key, layout, start=0, n=n) | {"reason": clean(key[1])} for key, n in placed.items()
    ]
    texts = [
        {"y": layout.places[key][0], "text": f"{display(n)} · {clean(key[1])}"}
        for key, n in placed.items()
    ]
    bars = _bars(layout, marks, THIN_BAR, unit).encode(tooltip=_tooltips("reason", unit))
    return finish(
        lane_chart(layout, [bars, label_layer(texts, layout.height)]),
        name=name,
        title=in_unit(subject, unit),
        notes=layout.notes,
        description=f"Bars of {unit} by the reason they stopped, for {len(counts):,} groups",
    )


def _counts(rows: Sequence[Record], what: str) -> dict[Any, dict[Any, int]]:
    """Return how many rows of each group ended in each way, both in order of appearance."""
    counts: dict[Any, dict[Any, int]] = {}
    for row in rows:
        group = counts.setdefault(row["group"], {})
        group[row[what]] = group.get(row[what], 0) + (row["n"] or 0)
    return counts


def _segments(counts: dict[Any, dict[str, int]], layout: Lanes) -> list[Record]:
    """Place the outcomes of a group end to end; an outcome that never happened has no segment."""
    marks: list[Record] = []
    for group, by_outcome in counts.items():
        if (group, None) not in layout.places:
            continue
        start = 0
        for outcome, n in by_outcome.items():
            if n:
                mark = _mark((group, None), layout, start=start, n=n)
                marks.append(mark | {"outcome": outcome})
            start += n
    return marks


def _mark(key: tuple[Any, Any], layout: Lanes, *, start: int, n: int) -> Record:
    group, y = clean(key[0]), layout.places[key][1]
    return {"group": group, "y": y, "n": n, "start": start, "end": start + n}


def _bars(layout: Lanes, marks: Sequence[Record], thickness: float, unit: str) -> alt.Chart:
    """Return bars from `start` to `end`, on an axis that starts at zero."""
    half = thickness / 2
    rows = [row | {"y": row["y"] - half, "y2": row["y"] + half} for row in marks]
    most = max((row["end"] for row in rows), default=0)
    # of so few the axis would be divided into halves
    ticks = list(range(most + 1)) if most <= FEW else alt.Undefined
    axis = alt.Axis(title=unit, format=",d", tickMinStep=1, values=ticks)
    bars: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_rect(strokeWidth=1.5)
        .encode(
            x=alt.X("start:Q", axis=axis, scale=alt.Scale(domainMin=0, nice=True)),
            x2="end:Q",
            y=lane_axis(layout.height),
            y2="y2:Q",
        )
    )
    return bars


def _tooltips(what: str, unit: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("group:N"),
        alt.Tooltip(f"{what}:N"),
        alt.Tooltip("n:Q", title=unit, format=TOOLTIP_FORMAT),
    ]
