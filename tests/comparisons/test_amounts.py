"""Amounts that are 0, below 0, out of any range, or of tasks that only one arm ran."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchdata
from benchdata.comparisons import claims, tables
from benchdata.comparisons.arms import Plan
from benchdata.comparisons.findings import compare
from benchdata.errors import InputError
from benchdata.stats.results import CannotTell
from tests.support.armed import skills
from tests.support.arms import FIXED_TIME, TIME, arm, found, one_task
from tests.support.drawn import write


def test_an_amount_below_0_has_a_shift_and_no_ratio() -> None:
    a, b = [-5.0, -6, -7, -8, -9, -10], [3.0] * 6
    finding, verdict = found(arm("a", a), arm("b", b), TIME)
    assert (finding.result.scale, finding.result.estimate) == ("shift", 10.5)
    assert verdict.kind == "worse"
    margin = finding.result.margin(0.05)
    assert (margin.low, margin.high) == (-0.375, 0.375)
    assert found(one_task("a", a), one_task("b", b), FIXED_TIME)[1].kind == "worse"


def test_a_value_that_no_ratio_can_hold_is_refused_by_row(tmp_path: Path) -> None:
    rows = skills({"none": 0.2, "a/b@c": 0.8})
    rows[3]["total_cost_usd"] = 1e-200
    dataset = benchdata.open(write(tmp_path / "rows.ndjson", rows))
    claim = claims.of_contract(dataset.contract, "cost")
    with pytest.raises(InputError, match=f"cost: row {rows[3]['run_id']} has a value"):
        tables.by_field(dataset, claim, "arm")
    score = claims.of_contract(dataset.contract)
    assert len(tables.by_field(dataset, score, "arm").findings) == 1


def test_amounts_of_other_tasks_are_never_compared() -> None:
    a, b = (arm(name, {f"{name}{i}": [i + 1] for i in range(9)}) for name in "ab")
    finding, verdict = found(a, b, TIME)
    assert str(verdict) == "cannot tell: fewer than 2 units: no task has a value in both arms"
    assert finding.notes[-1].startswith("the arms share no task")


def test_amounts_are_paired_over_the_tasks_that_both_arms_ran() -> None:
    a = arm("a", {f"t{i}": [10.0 + i] for i in range(9)})
    b = arm("b", {f"t{i}": [20.0 + 2 * i] for i in range(2, 12)})
    finding, verdict = found(a, b, TIME)
    assert finding.result.n == (7, 7)
    assert finding.result.estimate == pytest.approx(2.0)
    assert verdict.kind == "worse"
    assert "5 tasks in one arm only, left out" in finding.notes


def test_no_row_has_a_value_and_the_number_of_each_arm_is_said() -> None:
    nothing = one_task("a", [])
    _, verdict = found(nothing, one_task("b", [1, 2, 3, 4, 5]), FIXED_TIME)
    assert str(verdict) == "cannot tell: fewer than 2 units: 0 against 5 repeats"


def test_a_plan_beyond_all_rows_is_interim_and_costs_nothing() -> None:
    plan = Plan(2**53 - 1, 2**53 - 1)
    finding = compare(arm("a", [1.0] * 6, plan=plan), arm("b", [2.0] * 6, plan=plan), TIME)
    assert finding.interim.startswith("6 of 81,129,638,414,606,6")
    assert finding.rescored is None


def test_swings_inside_fixed_tasks_are_named_by_task_and_make_nothing_unstable() -> None:
    a = arm("a", {"t1": [1.0, 2, 9, 9], "t2": [5.0, 5, 5, 6]})
    finding = compare(a, arm("b", {"t1": [3.0, 3, 3, 3], "t2": [0.0, 1, 1, 1]}), FIXED_TIME)
    assert [swing.words for swing in finding.swings] == ["t1 max/min 9", "t2 minimum 0"]
    assert not any(swing.unstable for swing in finding.swings)
    assert not isinstance(finding.result.estimate, CannotTell)
