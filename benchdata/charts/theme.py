"""One look for every chart: colours, type, light and dark configuration, titles, descriptions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import altair as alt

from benchdata.charts.records import clean, labels
from benchdata.errors import ReportError

WIDTH = 640
# These three have the same metrics, so the static layout fits on any machine.
FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"
# Okabe and Ito's colours, darkest contrasts first; yellow is left out, it vanishes on white.
SERIES_LIGHT = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333")
SERIES_DARK = ("#4DA6DB", "#FF8A3D", "#2CC295", "#E09CC4", "#F2B632", "#8FD0F5", "#DDDDDD")
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES = ((1, 0), (6, 3), (2, 2), (10, 3, 2, 3), (10, 5), (2, 5), (6, 2, 1, 2, 1, 2))
INK = {False: ("#1b1f24", "#57606a", "#e3e6ea"), True: ("#eceff2", "#a3adb8", "#363c44")}
TICK = "M0,-1L0,1"
DOT_SIZE = 90
TITLE_COLUMNS = 74
NOTE_COLUMNS = 100
LETTER, LEGEND_SYMBOL, LEGEND_LIMIT = 7, 40, 260
NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class OutcomeLook:
    """How one outcome is drawn: bars differ by filling and points by shape, not by colour alone."""

    name: str
    edge: str
    fill: str
    shape: str


OUTCOMES = (
    OutcomeLook("success", "#009E73", "rgba(0,158,115,1)", "circle"),
    OutcomeLook("partial", "#E69F00", "rgba(230,159,0,0.5)", "triangle-up"),
    OutcomeLook("failed", "#D55E00", "rgba(213,94,0,0.08)", "M-.8,-.8L.8,.8M-.8,.8L.8,-.8"),
    OutcomeLook("unscored", "#8C959F", "rgba(140,149,159,0.25)", "M-.9,0L.9,0"),
)
ALWAYS_NAMED = 3

AnyChart = TypeVar("AnyChart", alt.Chart, alt.LayerChart, alt.FacetChart, alt.VConcatChart)


def outcome_looks(present: Iterable[Any]) -> list[OutcomeLook]:
    """Return the looks a legend names: the three of every contract, and unscored where present."""
    found = set(present)
    if unknown := found - {look.name for look in OUTCOMES}:
        known = ", ".join(look.name for look in OUTCOMES)
        raise ReportError(f"outcome {clean(min(unknown, key=str))!r}: a chart knows {known}")
    return [
        look for place, look in enumerate(OUTCOMES) if place < ALWAYS_NAMED or look.name in found
    ]


def series_labels(values: Iterable[Any]) -> dict[Any, str]:
    """Return a label for each distinct value; those beyond the looks there are share the last."""
    named = labels(values)
    if len(named) <= len(SYMBOLS):
        return named
    own = len(SYMBOLS) - 1
    others = f"{len(named) - own:,} others"
    return {value: label if at < own else others for at, (value, label) in enumerate(named.items())}


def config(*, dark: bool = False) -> dict[str, Any]:
    """Return the Vega-Lite configuration of all charts, for a white or a dark page."""
    series = SERIES_DARK if dark else SERIES_LIGHT
    ink, muted, grid = INK[dark]
    axis = {
        "labelColor": muted,
        "titleColor": muted,
        "gridColor": grid,
        "domainColor": muted,
        "tickColor": muted,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelOverlap": True,
        "labelSeparation": 8,
    }
    legend = {
        "orient": "top",
        "direction": "horizontal",
        "columnPadding": 16,
        "titleOrient": "left",
        "titlePadding": 10,
        "labelColor": ink,
        "titleColor": muted,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": LEGEND_LIMIT,
        "symbolStrokeWidth": 2,
    }
    return {
        "background": None if dark else "#ffffff",
        "font": FONT,
        "padding": {"left": 6, "top": 6, "right": 22, "bottom": 6},
        "view": {"stroke": None},
        "mark": {"color": series[0]},
        "rule": {"color": series[0]},
        "axis": axis,
        "axisX": {"tickCount": 7},
        "legend": legend,
        "header": {
            "labelColor": ink,
            "labelAnchor": "start",
            "labelFontWeight": "bold",
            "labelFontSize": 12,
        },
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "color": ink,
            "fontSize": 15,
            "subtitleColor": muted,
            "subtitleFontSize": 12,
            "subtitlePadding": 5,
            "offset": 14,
        },
        "range": {
            "category": list(series),
            "symbol": list(SYMBOLS),
        },
        "style": {
            "reference": {"color": muted},
            "head": {"color": ink, "fontSize": 13, "fontWeight": "bold"},
            "label": {"color": muted, "fontSize": 12},
        },
    }


def finish(
    chart: AnyChart,
    *,
    name: str,
    title: str,
    notes: Sequence[str],
    description: str,
    legend: Sequence[str] = (),
) -> AnyChart:
    """Give a chart its name, title, explaining notes, alternative text and look.

    `name` is also the file name of the chart: lower-case letters, digits and underscores.
    `legend` holds the entries of a long legend, which decide how many stand beside each other.
    """
    if not NAME.fullmatch(name):
        raise ReportError(f"chart name {name!r}: use lower-case letters, digits and underscores")
    look = config()
    longest = min(max((len(entry) for entry in legend), default=0) * LETTER, LEGEND_LIMIT)
    look["legend"]["columns"] = max(WIDTH // (longest + LEGEND_SYMBOL), 1)
    if isinstance(chart, alt.FacetChart):
        look["header"]["labelLimit"] = chart.spec.width  # a longer head would push panels apart
    subtitle = [line for note in notes for line in _wrapped(note, NOTE_COLUMNS)]
    finished: AnyChart = chart.properties(
        name=name,
        description=f"{title}. {description}",
        title=alt.TitleParams(
            text=_wrapped(title, TITLE_COLUMNS),
            subtitle=subtitle or alt.Undefined,
        ),
    ).configure(**look)
    return finished


def in_unit(words: str, unit: str) -> str:
    """Return `words (unit)`; the words alone where a measure has no unit."""
    return f"{words} ({unit})" if unit else words


def _wrapped(text: str, columns: int) -> list[str]:
    """Return lines that break between words: joined by blanks they are the text again."""
    return textwrap.wrap(text, columns, break_on_hyphens=False)
