"""A measure over versions: values and medians, shifts, changes of level, spread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt
import polars as pl

from benchdata.charts.effects import FIELDS, Effect
from benchdata.charts.ends import end_layers, has_ends
from benchdata.charts.placement import LABEL_WIDTH, LINE, Align, side_of
from benchdata.charts.records import Record, inline, records
from benchdata.charts.references import band, line_at
from benchdata.charts.samples import point_limit, samples
from benchdata.charts.theme import LETTER, WIDTH, in_unit
from benchdata.charts.versions import Versions, by_version, versions_of
from benchdata.errors import counted
from benchdata.numbers import TOOLTIP_FORMAT, display
from benchdata.stats.percentiles import SWING

LEVEL_TICK = "M-1,0L1,0"
SIDES: tuple[tuple[Align, int], ...] = (("left", 5), ("right", -5))


def version_runs(
    table: pl.DataFrame,
    medians: pl.DataFrame,
    *,
    subject: str,
    unit: str,
    middle: str = "median",
    interval: str = "interval of the median",
    name: str = "version_runs",
) -> alt.LayerChart:
    """Draw `version, value` as dots, and `version, p50, low, high` as a tick and a bar a version.

    All numbers are in `unit`; `middle` and `interval` say what they are. The versions stand in the
    order of `medians`. A null value is a row that never got there: it is counted in a note.
    """
    rows = records(medians, ("version", "p50", "low", "high"))
    shown = versions_of(rows)
    marks = shown.of(rows)
    groups = samples(table.rename({"version": "group"}))
    limit = point_limit(len(shown.names))
    dots = [
        {"version": shown.names[version], "value": value}
        for version, sample in groups.items()
        if version in shown.names
        for value in sample.dots(limit)
    ]
    missing = sum(
        sample.n - len(sample.reached)
        for version, sample in groups.items()
        if version in shown.names
    )
    bar = f" Bar: {interval}." if any(has_ends(row) for row in marks) else ""
    notes = [f"Open dot: one row. Level tick: {middle}.{bar}"]
    notes += [f"Rows not reached: {display(missing)}."] if missing else []
    layers: list[alt.Chart] = []
    if marks:
        x = shown.axis()
        layers = [
            alt.Chart(inline(dots))
            .mark_point(size=shown.size / 2, opacity=0.6, strokeWidth=1.2, aria=False)
            .encode(x=x, y=_y("value", unit), tooltip=_tooltips(unit, "value")),
            *end_layers(
                marks, "y", lambda end: _y(end, unit), x, strokeWidth=1.6 * shown.bar, opacity=0.3
            ),
            alt.Chart(inline(row for row in marks if row["p50"] is not None))
            .mark_point(shape=LEVEL_TICK, size=3 * shown.size, strokeWidth=2.5, opacity=1)
            .encode(x=x, y=_y("p50", unit), tooltip=_tooltips(unit, "p50", "low", "high")),
        ]
    numbers = [*(dot["value"] for dot in dots), *_numbers(marks, "p50", "low", "high")]
    return by_version(shown, layers, numbers, subject, unit, notes, name)


def version_shifts(
    table: pl.DataFrame,
    *,
    subject: str,
    unit: str,
    min_effect: float = 0.0,
    ratio: bool = False,
    interval: str = "95% interval",
    name: str = "version_shifts",
) -> alt.LayerChart:
    """Draw `version, estimate, low, high, [verdict]`: the shift against the baseline by version.

    The numbers are differences in `unit`, or ratios with `ratio`; a shift without interval is a dot
    alone. `min_effect` is M, the grey band around no shift. Filled are `better` and `worse`.
    """
    rows = records(table, ("version", "estimate", "low", "high"), ("verdict",))
    effect = Effect(ratio, min_effect)
    shown = versions_of(rows)
    marks = [row for row in map(effect.drawable, shown.of(rows)) if row["estimate"] is not None]
    layers: list[alt.Chart] = []
    if marks:
        x = shown.axis()
        tooltip = [*_tooltips(unit, *FIELDS), alt.Tooltip("verdict:N")]

        def y(field: str) -> alt.Y:
            return alt.Y(f"{field}:Q", axis=alt.Axis(title=unit), scale=effect.scale)

        layers = [
            *([band("y", *effect.band)] if min_effect else []),
            line_at("y", effect.none),
            *end_layers(marks, "y", y, x, strokeWidth=shown.bar / 2, opacity=0.6),
            *(
                alt.Chart(inline(row for row in marks if row["shown"] is filled))
                .mark_point(filled=filled, size=shown.size, strokeWidth=1.8, opacity=1)
                .encode(x=x, y=y("estimate"), tooltip=tooltip)
                for filled in (True, False)
            ),
        ]
    notes = [effect.note(rows, interval)]
    return by_version(shown, layers, _numbers(marks, *FIELDS), subject, unit, notes, name)


def version_changes(
    table: pl.DataFrame,
    changes: pl.DataFrame,
    found: Sequence[str],
    *,
    subject: str,
    unit: str,
    name: str = "version_changes",
) -> alt.LayerChart:
    """Draw `version, p50` as a line and the `version, before, after` of `changes` as upright lines.

    `before` and `after` are the medians of the levels on either side, in `unit`; `found` says what
    the tests over all versions found, and why there is no change where there is none.
    """
    rows = records(table, ("version", "p50"))
    shown = versions_of(rows)
    marks = [row for row in shown.of(rows) if row["p50"] is not None]
    turns = shown.of(records(changes, ("version", "before", "after")))
    lines = [f"Upright lines: {counted(len(turns), 'change')} of level."] if turns else []
    layers: list[alt.Chart] = []
    if marks:
        x = shown.axis()
        layers = [
            alt.Chart(inline(turns)).mark_rule(style="reference", strokeDash=[5, 4]).encode(x=x),
            alt.Chart(inline(marks))
            .mark_line(strokeWidth=1.8, point={"size": shown.size / 2, "filled": True})
            .encode(x=x, y=_y("p50", unit), tooltip=_tooltips(unit, "p50")),
            *_turn_layers(turns, shown, x),
        ]
    numbers = _numbers(marks, "p50")
    return by_version(shown, layers, numbers, subject, unit, [*found, *lines], name)


def version_spread(
    table: pl.DataFrame,
    *,
    subject: str = "Spread by version: p75 / p25",
    unit: str = "ratio",
    name: str = "version_spread",
) -> alt.LayerChart:
    """Draw `version, spread` (p75 / p25 of its rows) as a dot a version, with a line at 2.

    A null spread, of a p25 of 0 or too few rows, is counted in a note.
    """
    rows = records(table, ("version", "spread"))
    shown = versions_of(rows)
    marks = [row for row in shown.of(rows) if row["spread"] is not None]
    missing = len(shown.names) - len(marks)
    notes = [f"Dashed: {display(SWING)}. What lies above is unstable."]
    notes += [f"Versions without such a ratio: {missing:,}."] if missing else []
    layers: list[alt.Chart] = []
    if marks:
        scale = alt.Scale(domainMin=1, zero=False, nice=True)
        y = alt.Y("spread:Q", axis=alt.Axis(title=unit), scale=scale)
        layers = [
            line_at("y", SWING, dashed=True),
            alt.Chart(inline(marks))
            .mark_point(filled=True, size=shown.size, opacity=1)
            .encode(x=shown.axis(), y=y, tooltip=_tooltips(unit, "spread")),
        ]
    return by_version(shown, layers, _numbers(marks, "spread"), subject, unit, notes, name)


def _turn_layers(turns: Sequence[Record], shown: Versions, x: alt.X) -> list[alt.Chart]:
    """Return what each change says beside its line, one line lower where two would overlap."""
    taken: list[tuple[int, float, float]] = []  # the line, start and end of each text
    texts: list[Record] = []
    for turn in turns:
        text = f"{turn['version']}: {display(turn['before'])} to {display(turn['after'])}"
        at = shown.pixel(turn["version"])
        align, way = side_of(at, WIDTH)
        left, right = sorted((at, at + way * len(text) * LETTER))
        full = {row for row, start, end in taken if start <= right and left <= end}
        line = next(row for row in range(len(turns)) if row not in full)
        taken.append((line, left, right))
        texts.append({"version": turn["version"], "row": line * LINE, "text": text, "align": align})
    return [
        alt.Chart(inline(text for text in texts if text["align"] == align))
        .mark_text(style="label", align=align, dx=dx, baseline="top", limit=LABEL_WIDTH)
        .encode(x=x, y=alt.Y("row:Q", axis=None, scale=None), text="text:N")
        for align, dx in SIDES
    ]


def _y(field: str, unit: str) -> alt.Y:
    return alt.Y(f"{field}:Q", axis=alt.Axis(title=unit), scale=alt.Scale(zero=True))


def _numbers(marks: Iterable[Record], *fields: str) -> list[float | None]:
    return [row[field] for row in marks for field in fields]


def _tooltips(unit: str, *fields: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("version:O"),
        *(
            alt.Tooltip(f"{field}:Q", title=in_unit(field, unit), format=TOOLTIP_FORMAT)
            for field in fields
        ),
    ]
