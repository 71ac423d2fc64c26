"""Differences piled up around zero: every task a dot, those that did not move apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchdata import charts
from tests.support.charted import data, frame, marks, notes, said

LOOK: dict[str, Any] = {"subject": "Lift", "unit": "points"}
MEAN = frame("estimate low high", [(0.25, 0.1, 0.4)])


def differences(values: Sequence[float | None], **more: Any) -> Any:
    rows = [(f"t{at}", value) for at, value in enumerate(values)]
    return charts.differences(frame("task difference", rows), **LOOK, **more)


def test_tasks_are_counted_by_the_way_they_moved() -> None:
    chart = differences([0.5, 0.5, -0.25, 0.0, None])
    assert "Above 0: 2. Below: 1. No difference: 1. Tasks: 4." in notes(chart)
    assert "Tasks without one arm: 1." in notes(chart)


def test_the_mean_stands_below_with_its_interval() -> None:
    chart = differences([0.5, 0.0], mean=MEAN, min_effect=0.05)
    told = notes(chart)
    assert "Tick: mean +0.25. Bar: 95% interval, +0.1 to +0.4." in told
    assert "Grey: less than the minimum effect of 0.05." in told
    spec = charts.compact_spec(chart)
    dots = [row["y"] for row in data(spec) if "place" in row]
    assert next(row["y"] for row in data(spec) if "estimate" in row) < min(dots)
    zero = [rule for rule in marks(spec, "rule") if rule["encoding"]["x"].get("datum") == 0]
    assert len(zero) == 1


def test_a_task_that_did_not_move_is_never_piled_with_one_that_did() -> None:
    spec = charts.compact_spec(differences([0.0, 0.0, 0.001, 1.0, -1.0, 0.999]))
    piles = sorted((row["pile"], row["place"]) for row in data(spec) if "place" in row)
    assert piles == [(-1.0, 0), (0.0, 0), (0.0, 1), (0.001, 0), (0.999, 0), (0.999, 1)]


def test_a_high_pile_says_how_many_it_is_and_stays_in_the_picture() -> None:
    chart = differences([0.0] * 300 + [0.5] * 9)
    assert "300" in said(chart)
    assert "9" not in said(chart)
    assert charts.compact_spec(chart)["height"] < 340
