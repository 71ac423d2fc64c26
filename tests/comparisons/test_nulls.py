"""Runs without a value: they rank worst, tied, and what lies among them is not estimable."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from benchdata.comparisons.arms import Arm, Run
from benchdata.comparisons.findings import compare
from benchdata.comparisons.summaries import summarize
from benchdata.stats.results import CannotTell
from tests.support.arms import FIXED_TIME, SCORE, TIME, arm, found, one_task


def test_nulls_rank_worst_and_tied() -> None:
    result = compare(
        one_task("a", [1, 2, 3, 4]), one_task("b", [5, 6, None, None]), FIXED_TIME
    ).result
    assert (result.p, result.tends) == (Fraction(2, 70), 1)


def test_an_arm_of_nulls_alone_is_worse_and_its_shift_beyond_all() -> None:
    finding, verdict = found(one_task("a", [1, 2, 3, 4, 5]), one_task("b", [None] * 5), FIXED_TIME)
    assert isinstance(finding.result.estimate, CannotTell)
    assert (verdict.kind, finding.result.beyond) == ("worse", 1)
    alone = summarize(finding.treatment, FIXED_TIME)
    assert alone.estimate == CannotTell("not reached")


def test_nulls_in_both_arms_are_tied_and_leave_the_ratio_of_the_others() -> None:
    a, b = [10, 11, 12, 13, 14, None], [20, 22, 24, 26, 28, None]
    finding, verdict = found(one_task("a", a), one_task("b", b), FIXED_TIME)
    assert (finding.result.estimate, verdict.kind) == (2.0, "worse")
    same, verdict = found(one_task("a", a), one_task("b", a), FIXED_TIME)
    assert (same.p, verdict.kind) == (Fraction(1), "no difference shown")


def test_a_p75_among_runs_without_a_value_is_unstable() -> None:
    mixed = [10, 11, 12, None, None]
    _, verdict = found(one_task("a", mixed), one_task("b", mixed), FIXED_TIME)
    assert verdict.kind == "unstable"


def test_a_run_that_failed_ranks_worst_in_a_latency_verdict_however_fast_it_was() -> None:
    slow = one_task("a", [10, 11, 12, 13])
    quick = Arm("b", [Run("t", i, 1.0, success=False) for i in range(4)])
    _, verdict = found(slow, quick, FIXED_TIME)
    assert verdict.kind == "worse"
    measured = replace(FIXED_TIME, metric=replace(FIXED_TIME.metric, failure_ranks="measured"))
    assert found(slow, quick, measured)[1].kind == "better"


def test_a_null_that_is_no_rank_is_no_run() -> None:
    unknown = replace(TIME, metric=replace(TIME.metric, null_ranks="absent"))
    values = {f"t{i}": [10, None] for i in range(6)}
    finding = compare(arm("a", values), arm("b", values), unknown)
    assert finding.result.n == (6, 6)
    assert "6 scored rows of b without a value" in finding.notes


def test_a_task_without_a_value_in_one_arm_outweighs_all_others() -> None:
    a = {f"t{i}": [10.0] for i in range(8)}
    b = {f"t{i}": [5.0] for i in range(7)} | {"t7": [None]}
    finding = compare(arm("a", a), arm("b", b), TIME)
    assert finding.result.p > Fraction(1, 2)
    assert finding.result.tends == 1
    assert isinstance(finding.result.estimate, CannotTell)


def test_tasks_without_a_value_decide_by_their_number() -> None:
    a = {f"t{i:02}": [10.0] for i in range(11)} | {"t11": [None]}
    b = {f"t{i:02}": [None] for i in range(11)} | {"t11": [10.0]}
    finding, verdict = found(arm("a", a), arm("b", b), TIME)
    assert (finding.result.beyond, verdict.kind) == (1, "worse")


def test_a_score_without_a_value_that_ranks_worst_is_the_worst_score() -> None:
    worst = replace(SCORE, metric=replace(SCORE.metric, null_ranks="worst"))
    finding = compare(arm("a", [1.0] * 6), arm("b", [None] * 6), worst)
    assert (finding.result.estimate, finding.result.p) == (-1.0, Fraction(2, 64))


def test_rows_of_the_infrastructure_are_counted_and_never_scored() -> None:
    lost = Run("t000", 2, None, scored=False, success=False)
    base = arm("a", [0.5] * 6)
    other = replace(arm("b", [0.5] * 6), runs=[*arm("b", [0.5] * 6).runs, lost])
    finding = compare(base, other, SCORE)
    assert finding.result.moved is not None
    assert finding.result.moved.tied == 6
    assert "1 row of b not scored" in finding.notes


def test_an_arm_of_which_half_is_beyond_all_numbers_differs_by_more_than_any() -> None:
    a, b = [5, 6, 7, None, None, None], [3, 3, 3, 3, 4, 4]
    finding, verdict = found(one_task("a", a), one_task("b", b), FIXED_TIME)
    assert isinstance(finding.result.estimate, CannotTell)
    assert (finding.result.beyond, verdict.kind) == (-1, "better")
    half = [1, 2, 3, None, None, None]
    assert compare(one_task("a", half), one_task("b", half), FIXED_TIME).result.beyond == 0


def test_where_any_difference_counts_the_test_alone_says_what_cannot_be_estimated() -> None:
    a = arm("a", {"t1": [5, 6, 7, 8, None, None], "t2": [4.0, 5, 4, 5, 4, 5]})
    b = arm("b", {"t1": [3.0, 3, 3, 3, 4, 4], "t2": [3.0, 3, 3, 3, 3, 3]})
    finding, verdict = found(a, b, FIXED_TIME)
    assert isinstance(finding.result.estimate, CannotTell)
    assert (finding.result.beyond, verdict.kind) == (0, "no difference shown")
    assert found(a, b, replace(FIXED_TIME, min_effect=0.0))[1].kind == "better"


def test_a_null_of_a_throughput_ranks_below_nothing_at_all() -> None:
    more = replace(TIME, metric=replace(TIME.metric, better="higher"))
    a, b = arm("a", [0.0, 5, 5, 5, 5, 5, 5]), arm("b", [None, 4, 4, 4, 4, 4, 4])
    finding, verdict = found(a, b, more)
    assert (finding.result.scale, finding.result.p) == ("shift", Fraction(2, 2**7))
    assert verdict.kind == "worse"
