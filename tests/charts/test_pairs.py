"""Pairs of task means: dumbbells with counts, slopes by direction."""

from __future__ import annotations

from typing import Any

from benchdata import charts
from tests.support.charted import data, frame, marks, notes, said

COUNTED = "group task baseline baseline_k baseline_n treatment treatment_k treatment_n"
LOOK: dict[str, Any] = {"subject": "Pass rate", "unit": "share"}


def test_a_pair_says_both_ends_their_counts_and_the_difference() -> None:
    rows = [
        ("skill", "t1", 1 / 4, 1, 4, 0.75, 3, 4),
        ("skill", "t2", 0.5, None, 3, 0.25, None, 2),
        ("skill", "t3", 1.0, 3, 3, None, None, None),
    ]
    texts = said(charts.dumbbell(frame(COUNTED, rows), **LOOK))
    assert "t1 · 1 of 4 → 3 of 4 (+0.5)" in texts
    assert "t2 · 0.5 (n 3) → 0.25 (n 2) (−0.25)" in texts
    assert "t3 · 3 of 3 → not run" in texts


def test_an_arm_that_did_not_run_has_no_dot_and_no_line() -> None:
    rows = [("s", "t1", 0.5, 0.75), ("s", "t2", None, 0.5), ("s", "t3", 0.5, None)]
    chart = charts.dumbbell(frame("group task baseline treatment", rows), **LOOK)
    spec = charts.compact_spec(chart)
    drawn = [
        [row["task"] for row in spec["datasets"][layer["data"]["name"]]]
        for kind in ("rule", "point")
        for layer in marks(spec, kind)
    ]
    assert drawn == [["t1"], ["t1", "t2"], ["t1", "t3"]]
    assert all(layer["encoding"]["x"]["scale"] == {"zero": True} for layer in marks(spec, "point"))


def test_the_notes_name_the_arms() -> None:
    table = frame("group task baseline treatment", [("s", "t1", 0.5, 0.75)])
    chart = charts.dumbbell(table, arms=("none", "acme/tools@pdf"), **LOOK)
    assert "Hollow: none. Filled: acme/tools@pdf." in notes(chart)


def test_slopes_count_the_ways_tasks_moved() -> None:
    rows = [("t1", 0.1, 0.5), ("t2", 0.5, 0.1), ("t3", 0.4, 0.9), ("t4", 0.2, 0.2), ("t5", 1, None)]
    chart = charts.slopes(frame("task baseline treatment", rows), arms=("A", "B"), **LOOK)
    texts = said(chart)
    assert {"up: 2 of 4", "down: 1 of 4", "level: 1 of 4", "A", "B"} <= set(texts)
    assert "Tasks without one arm: 1." in notes(chart)
    line, *_ = marks(charts.compact_spec(chart), "line")
    assert line["encoding"]["color"]["field"] == line["encoding"]["strokeDash"]["field"] == "way"
    assert line["encoding"]["y"]["scale"]["domain"][0] == 0


def test_few_slopes_are_named_where_they_end_and_close_ones_share_a_line() -> None:
    rows = [("t1", 0.1, 0.5), ("t2", 0.5, 0.5), ("t3", 0.4, 0.9)]
    table = frame("task baseline treatment", rows)
    assert {"t1, t2", "t3"} <= set(said(charts.slopes(table, **LOOK)))
    many = frame("task baseline treatment", [(f"t{at}", 0.1, at / 20) for at in range(13)])
    assert "t3" not in said(charts.slopes(many, **LOOK))


def test_two_arms_of_one_name_stay_two() -> None:
    table = frame("task baseline treatment", [("t1", 0.1, 0.5)])
    spec = charts.compact_spec(charts.slopes(table, arms=("A", "A"), **LOOK))
    assert {row["side"] for row in data(spec)} == {"A", "A (2)"}
