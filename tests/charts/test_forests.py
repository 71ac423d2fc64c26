"""Forests: estimate, interval, p and verdict of a row, around the line of no difference."""

from __future__ import annotations

from typing import Any

import pytest

from benchdata import charts
from benchdata.numbers import p_text
from tests.support.charted import data, frame, marks, notes, said

NAMES = "group estimate low high n p verdict"
LOOK: dict[str, Any] = {"subject": "Lift", "unit": "points"}
LIFT = ("A", 0.24, 0.1, 0.38, 32, 0.004, "better")


def fixed(spec: dict[str, Any]) -> set[float]:
    """Return the values of the x axis that layers are fixed at."""
    channels = [layer["encoding"].get(x, {}) for layer in spec["layer"] for x in ("x", "x2")]
    return {channel["datum"] for channel in channels if "datum" in channel}


def test_a_row_says_estimate_interval_p_n_and_verdict() -> None:
    texts = said(charts.forest(frame(NAMES, [LIFT]), **LOOK))
    assert "A" in texts
    assert "+0.24 (+0.1 to +0.38) · p 0.0040 after Holm · n 32 · better" in texts


@pytest.mark.parametrize("p", [0.0009766, 0.0957, 0.5, 1.0, 2.13e-05])
def test_a_p_is_written_as_in_the_tables(p: float) -> None:
    chart = charts.forest(frame(NAMES, [(*LIFT[:5], p, "better")]), **LOOK)
    assert f"p {p_text(p)} after Holm" in " ".join(said(chart))
    assert {row["p"] for row in data(charts.compact_spec(chart)) if "p" in row} == {p_text(p)}


def test_without_interval_or_estimate_the_row_says_so() -> None:
    rows = [
        ("A", 0.24, None, None, 3, 0.25, "cannot tell: 3 tasks"),
        ("B", 0.1, 0.1, 0.1, 3, None, None),
        ("C", None, None, None, None, None, "cannot tell: no rows"),
    ]
    chart = charts.forest(frame(NAMES, rows), **LOOK)
    texts = said(chart)
    assert "+0.24 (no interval) · p 0.25 after Holm · n 3 · cannot tell: 3 tasks" in texts
    assert "+0.1 (no interval) · n 3" in texts
    assert "no estimate · cannot tell: no rows" in texts
    spec = charts.compact_spec(chart)
    assert not [layer for layer in marks(spec, "rule") if "high" in str(layer["encoding"])]
    assert {row["group"] for row in data(spec) if row.get("estimate")} == {"A", "B"}


def test_what_is_shown_is_filled_and_the_rest_hollow() -> None:
    rows = [LIFT, ("B", -0.2, -0.3, -0.1, 9, 0.01, "worse"), ("C", 0, -1, 1, 9, 1, "within M")]
    chart = charts.forest(frame(NAMES, rows), **LOOK)
    spec = charts.compact_spec(chart)
    filled, hollow = (
        [row["group"] for row in spec["datasets"][layer["data"]["name"]]]
        for layer in marks(spec, "point")
    )
    assert (filled, hollow) == (["A", "B"], ["C"])
    assert "Hollow: neither is shown." in notes(chart)


@pytest.mark.parametrize(
    ("ratio", "minimum", "lines"),
    [(False, 0.0, {0.0}), (False, 0.05, {-0.05, 0.0, 0.05}), (True, 0.25, {0.8, 1.0, 1.25})],
)
def test_the_line_of_no_difference_and_the_band_of_the_minimum_effect(
    ratio: bool, minimum: float, lines: set[float]
) -> None:
    chart = charts.forest(frame(NAMES, [LIFT]), ratio=ratio, min_effect=minimum, **LOOK)
    assert fixed(charts.compact_spec(chart)) == lines
    assert ("Grey: less than the minimum effect" in notes(chart)) is bool(minimum)


def test_ratios_are_on_a_log_axis_and_none_below_zero_is_drawn() -> None:
    rows = [("A", 1.5, 1.2, 1.9, 6, 0.03, "worse"), ("B", 0.0, -1.0, 2.0, 6, 1, None)]
    chart = charts.forest(frame(NAMES, rows), ratio=True, **LOOK)
    spec = charts.compact_spec(chart)
    scales = {layer["encoding"]["x"]["scale"]["type"] for layer in marks(spec, "point")}
    assert scales == {"log"}
    assert "×1.5 (×1.2 to ×1.9) · p 0.030 after Holm · n 6 · worse" in said(chart)
    assert [row["group"] for row in data(spec) if row.get("estimate")] == ["A"]


def test_a_group_may_have_several_series() -> None:
    rows = [("t1", arm, 0.1, 0.0, 0.2) for arm in ("plain", "context")]
    texts = said(charts.forest(frame("group series estimate low high", rows), **LOOK))
    assert texts.count("t1") == 1
    assert {"plain · +0.1 (0 to +0.2)", "context · +0.1 (0 to +0.2)"} <= set(texts)
