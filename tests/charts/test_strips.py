"""Every value as a dot: ties side by side, the median with its interval in marks and in words."""

from __future__ import annotations

import polars as pl

from benchdata import charts
from tests.support.charted import data, frame, marks, notes, said

LEVELS = frame(
    "group p50 low high level",
    [
        ("both", 20.0, 10.0, 30.0, 0.979),
        ("open", 20.0, 10.0, None, 0.961),
        ("none", 20.0, None, None, None),
        ("flat", 20.0, 20.0, 20.0, None),
        ("gone", None, 10.0, None, 0.9),
    ],
)
VALUES = frame("group value", [(group, 20.0) for group in LEVELS["group"]])


def test_the_median_is_said_with_its_interval_and_the_level_that_it_reaches() -> None:
    texts = said(charts.strip(VALUES, LEVELS, subject="Time", unit="ms"))
    assert "median 20 · 10 to 30, level 97.9%" in texts
    assert "median 20 · 10, upper end not reached, level 96.1%" in texts
    assert texts.count("median 20 · no interval") == 2
    assert "median not reached · 10, upper end not reached, level 90.0%" in texts


def test_an_end_that_does_not_exist_runs_to_the_edge_and_no_width_is_no_bar() -> None:
    spec = charts.compact_spec(charts.strip(VALUES, LEVELS, subject="Time", unit="ms"))
    closed, opened = list(marks(spec, "rule"))
    drawn = {
        kind: [row["group"] for row in spec["datasets"][layer["data"]["name"]]]
        for kind, layer in (("closed", closed), ("open", opened))
    }
    assert drawn == {"closed": ["both"], "open": ["open", "gone"]}
    assert opened["encoding"]["x2"] == {"value": "width"}
    assert closed["encoding"]["x2"]["field"] == "high"


def test_without_medians_no_tick_is_explained() -> None:
    chart = charts.strip(VALUES, subject="Time", unit="ms")
    assert notes(chart) == "Open dot: one row."
    assert "Tick: median." in notes(charts.strip(VALUES, LEVELS, subject="Time", unit="ms"))


def test_equal_values_stand_apart() -> None:
    table = frame("group value", [("G1", 1.0)] * 3 + [("G1", 2.0)])
    spec = charts.compact_spec(charts.strip(table, subject="Pass rate", unit="share"))
    places = [(row["value"], row["y"]) for row in data(spec) if "value" in row]
    assert len(set(places)) == 4
    ones = [y for value, y in places if value == 1.0]
    assert sum(ones) / 3 == next(y for value, y in places if value == 2.0)


def test_curves_stand_above_their_dots_and_below_the_name() -> None:
    table = pl.DataFrame({"group": ["G1"] * 4, "value": [1.0, 2.0, 3.0, None]})
    spec = charts.compact_spec(charts.strip(table, subject="Time", unit="ms", curves=True))
    steps = [row for row in data(spec) if "share" in row]
    dot = next(row["y"] for row in data(spec) if "value" in row and "share" not in row)
    head = next(row["y"] for row in data(spec) if row.get("text") == "G1")
    assert [row["share"] for row in steps] == [0, 0.25, 0.5, 0.75]
    assert [row["y"] for row in steps] == sorted((row["y"] for row in steps), reverse=True)
    assert head < min(row["y"] for row in steps) < max(row["y"] for row in steps) < dot


def test_the_axis_of_values_starts_at_zero() -> None:
    spec = charts.compact_spec(charts.strip(VALUES, LEVELS, subject="Time", unit="ms"))
    scales = [
        layer["encoding"]["x"]["scale"] for kind in ("rule", "point") for layer in marks(spec, kind)
    ]
    assert scales == [{"zero": True}] * 4
