"""Two measures against each other: intervals of both, fillings, what has no place is counted."""

from __future__ import annotations

from typing import Any

from benchdata import charts
from tests.support.charted import data, frame, marks, notes, said

TRADED = "group ratio ratio_low ratio_high lift lift_low lift_high"


def test_both_intervals_are_drawn_where_they_exist() -> None:
    rows = [("A", 1.2, 1.0, 1.5, 0.1, 0.0, 0.2), ("B", 2.0, None, None, 0.3, None, None)]
    chart = charts.tradeoff(frame(TRADED, rows), unit="points")
    spec = charts.compact_spec(chart)
    bars = {
        along: [row["group"] for row in spec["datasets"][layer["data"]["name"]]]
        for layer in marks(spec, "rule")
        for along in ("x2", "y2")
        if "field" in layer["encoding"].get(along, {})
    }
    assert bars == {"x2": ["A"], "y2": ["A"]}
    assert {"A", "B"} <= set(said(chart))


def test_no_change_is_on_both_axes() -> None:
    rows = [("A", 3.0, 2.5, 3.5, 0.3, 0.2, 0.4)]
    spec = charts.compact_spec(charts.tradeoff(frame(TRADED, rows), unit="points"))
    point = next(marks(spec, "point"))["encoding"]
    assert point["x"]["scale"]["type"] == "log"
    for axis, least, most in (("x", 1, 3.5), ("y", 0, 0.4)):
        low, high = point[axis]["scale"]["domain"]
        assert low < least
        assert high > most
    lines = [layer["encoding"] for layer in marks(spec, "rule")]
    fixed = {
        along: line[along]["datum"] for line in lines for along in line if "datum" in line[along]
    }
    assert fixed == {"x": 1, "y": 0}


def test_groups_without_a_ratio_are_counted() -> None:
    rows = [("A", 0.0, None, None, 0.1, 0.0, 0.2), ("B", 1.1, 1.0, 1.2, 0.3, 0.2, 0.4)]
    chart = charts.tradeoff(frame(TRADED, rows), unit="points")
    assert "1 without ratio or lift are not drawn." in notes(chart)


def runs(rows: list[tuple[Any, ...]]) -> Any:
    return charts.cost_against_wall(frame("group wall cost green", rows))


def test_runs_are_filled_where_green_and_lanes_say_their_n() -> None:
    chart = runs([("L1", 300.0, 1.5, True), ("L1", 400.0, 2.5, False), ("L2", 500.0, None, False)])
    encoding = charts.compact_spec(chart)["encoding"]
    assert encoding["fillOpacity"] == {
        "condition": {"test": "datum.green", "value": 0.7},
        "value": 0,
    }
    assert {"L1 (n 2)", "L2 (n 1)"} <= set(said(chart))
    assert "1 without wall time or cost are not drawn." in notes(chart)
    fields = {encoding[channel]["field"] for channel in ("color", "shape", "fill")}
    assert fields == {"group"}


def test_both_amounts_start_at_zero() -> None:
    encoding = charts.compact_spec(runs([("L1", 300.0, 1.5, True)]))["encoding"]
    assert [encoding[axis]["scale"]["zero"] for axis in ("x", "y")] == [True, True]
    assert [row["wall"] for row in data(charts.compact_spec(runs([("L1", 3.0, 1.5, True)])))] == [
        3.0
    ]
