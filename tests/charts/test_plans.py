"""What a plan can find: its reach by tasks, the chance by effect, the plan and M marked."""

from __future__ import annotations

from typing import Any

import polars as pl

from benchdata import charts
from tests.support.charted import frame, marks, notes, said

PLANS = frame(
    "tasks smallest_p effect",
    [(5, 0.0625, None), (6, 0.03125, 0.5), (10, 0.002, 0.35), (None, None, 0.1)],
)


def fixed(spec: dict[str, Any], axis: str) -> list[float]:
    """Return the values that lines across the chart stand at."""
    lines = (layer["encoding"].get(axis, {}) for layer in marks(spec, "rule"))
    return [line["datum"] for line in lines if "datum" in line]


def test_the_plan_is_marked_and_what_it_reaches_is_said() -> None:
    chart = charts.reach(PLANS, 10, unit="points")
    assert fixed(charts.compact_spec(chart), "x") == [10]
    told = notes(chart)
    assert "10 tasks with a smallest p of 0.0020, the plan; 0.35 points is found 8 times" in told
    assert "Grey: never significant; 5 tasks with a smallest p of 0.062." in told
    assert "The fewest that can be: 6 tasks with a smallest p of 0.031." in told


def test_a_plan_without_a_row_or_an_effect_is_said_plainly() -> None:
    assert "the plan, 7 tasks." in notes(charts.reach(PLANS, 7, unit="points"))
    assert "no effect is found 8 times in 10" in notes(charts.reach(PLANS, 5, unit="points"))


def test_too_few_tasks_for_a_verdict_are_grey_and_the_axis_starts_at_zero() -> None:
    spec = charts.compact_spec(charts.reach(PLANS, 10, unit="points"))
    (area,) = marks(spec, "rect")
    assert (area["encoding"]["x"]["datum"], area["encoding"]["x2"]["datum"]) == (4.5, 5.5)
    (line,) = marks(spec, "line")
    assert line["encoding"]["y"]["scale"]["domain"][0] == 0
    assert [row["tasks"] for row in spec["datasets"][line["data"]["name"]]] == [6, 10]
    enough = PLANS.filter(pl.col("tasks") > 5)
    assert not [*marks(charts.compact_spec(charts.reach(enough, 10, unit="points")), "rect")]


def test_every_number_of_tasks_has_a_tick_even_where_no_effect_is_found() -> None:
    spec = charts.compact_spec(charts.reach(PLANS.head(1), 10, unit="points"))
    (ticks,) = marks(spec, "point")
    assert [row["tasks"] for row in spec["datasets"][ticks["data"]["name"]]] == [5]
    assert ticks["encoding"]["x"]["scale"]["domain"] == [4.5, 10.5]
    assert not [*marks(spec, "line")]


def test_a_power_curve_marks_80_percent_and_the_minimum_effect() -> None:
    table = frame("effect chance", [(0.0, 0.03), (0.1, 0.4), (0.2, 0.9)])
    chart = charts.power_curve(table, unit="points", min_effect=0.05)
    spec = charts.compact_spec(chart)
    assert fixed(spec, "y") == [0.8]
    assert fixed(spec, "x") == [0.05]
    assert next(marks(spec, "line"))["encoding"]["y"]["scale"]["domain"] == [0, 1]
    assert "the minimum effect of 0.05 points" in notes(chart)
    assert fixed(charts.compact_spec(charts.power_curve(table, unit="points")), "x") == []


def test_several_designs_differ_by_dash_and_are_named() -> None:
    rows = [(tasks, effect / 10, effect / 20) for tasks in ("6", "12") for effect in range(5)]
    chart = charts.power_curve(frame("group effect chance", rows), unit="points")
    (line,) = marks(charts.compact_spec(chart), "line")
    assert line["encoding"]["strokeDash"]["field"] == line["encoding"]["color"]["field"] == "group"
    assert {"6", "12"} <= set(said(chart))
