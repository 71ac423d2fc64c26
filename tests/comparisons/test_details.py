"""What is shown beside a finding and decides nothing; one arm by itself."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from benchdata.comparisons import details
from benchdata.comparisons.findings import Finding, compare
from benchdata.comparisons.summaries import summarize
from benchdata.stats.bootstrap import bootstrap
from benchdata.stats.detectable import detectable_mean, detectable_shift
from benchdata.stats.intervals import effective_n, wilson
from benchdata.stats.order_statistics import median
from benchdata.stats.results import CannotTell, Interval
from tests.support.arms import FIXED_SCORE, FIXED_TIME, PASS, SCORE, TIME, arm, found, one_task


def test_task_pairs_are_sorted_and_hold_means() -> None:
    finding = compare(arm("a", {"y": [0, 1], "x": [1]}), arm("b", {"y": [1, 1], "x": [0]}), PASS)
    pairs = details.task_pairs(finding)
    assert [(p.task, p.baseline, p.treatment, p.effect, p.repeats) for p in pairs] == [
        ("x", 1.0, 0.0, -1.0, (1, 1)),
        ("y", 0.5, 1.0, 0.5, (2, 2)),
    ]


def test_mid_p_is_shown_where_mcnemar_decides() -> None:
    finding = compare(arm("a", [0] * 9 + [1]), arm("b", [1] * 9 + [0]), PASS)
    assert details.mid_p(finding) == pytest.approx(0.011719, abs=5e-7)
    assert float(finding.p) == pytest.approx(0.021484, abs=5e-7)
    assert details.mid_p(compare(arm("a", [0, 1]), arm("b", [1, 0]), SCORE)) is None


def test_the_bootstrap_interval_is_descriptive_and_of_task_differences() -> None:
    a, b = [0.1, 0.4, 0.2, 0.6], [0.3, 0.5, 0.9, 0.5]
    finding = compare(arm("a", a), arm("b", b), SCORE)
    interval = details.descriptive(finding)
    assert isinstance(interval, Interval)
    assert interval.descriptive
    effects = [pair.effect for pair in details.task_pairs(finding)]
    assert interval == bootstrap([effect for effect in effects if effect is not None])
    assert details.descriptive(compare(one_task("a", a), one_task("b", b), FIXED_SCORE)) is None


def test_tendency_speaks_of_pairs() -> None:
    finding = compare(one_task("a", [1, 2, 3, 4]), one_task("b", [3, 4, 5, 6]), FIXED_TIME)
    tendency = details.tendency(finding)
    assert tendency is not None
    assert (tendency.share, tendency.cliffs_delta) == (0.875, 0.75)
    assert tendency.medians == (2.5, 4.5)


def test_a_shift_against_the_medians_is_printed_with_both() -> None:
    a, b = [1.0, 1, 1, 10, 10], [2.0, 2, 9, 9, 9]
    finding = compare(one_task("a", a), one_task("b", b), FIXED_TIME)
    assert details.contradiction(finding) == ""
    a, b = [0.1, 0.1, 5, 6, 6.1], [4.9, 4.9, 4.9, 7, 8]
    against = compare(one_task("a", a), one_task("b", b), FIXED_TIME)
    assert details.contradiction(against).startswith(
        "the shift and the difference of medians differ in sign: 1."
    )


def test_outcomes_stand_beside_a_latency_verdict() -> None:
    finding = compare(one_task("a", [1, 2, 3]), one_task("b", [1, 2, 3]), FIXED_TIME)
    assert outcome_of(finding) == ("Fisher", Fraction(1))
    assert details.outcome(compare(arm("a", [0]), arm("b", [1]), PASS)) is None


def test_outcomes_are_compared_as_the_runs_lie() -> None:
    a, b = arm("a", [1.0] * 9), arm("b", [1.0] * 9)
    b = replace(b, runs=[replace(run, success=False) for run in b.runs[:6]] + [*b.runs[6:]])
    assert outcome_of(compare(a, b, TIME)) == ("McNemar", Fraction(1, 32))
    assert outcome_of(compare(a, b, FIXED_TIME))[0] == "arm labels permuted inside tasks"


def outcome_of(finding: Finding) -> tuple[str, Fraction]:
    found = details.outcome(finding)
    assert found is not None
    return found.test, found.p


def test_an_effect_that_no_double_holds_is_not_told() -> None:
    a, b = [1e-90, 1e90, 1.0] * 3, [1e90, 1e-90, 2.0] * 3
    finding, verdict = found(arm("a", a), arm("b", b), TIME)
    assert details.detectable(finding) == CannotTell("not estimable: the values spread too far")
    assert verdict.kind == "no difference shown"


def test_the_smallest_effect_is_that_of_the_design_at_the_spread_seen() -> None:
    a, b = [0.1 * i for i in range(10)], [0.1 * i + 0.02 * (-1) ** i for i in range(10)]
    finding, _ = found(arm("a", a), arm("b", b), SCORE)
    unit = detectable_mean(10)
    assert isinstance(unit, float)
    spread = 0.02 * math.sqrt(10 / 9)
    assert details.detectable(finding) == pytest.approx(unit * spread)
    runs, _ = found(one_task("a", [1, 2, 4, 8]), one_task("b", [1, 2, 4, 8]), FIXED_TIME)
    shift = detectable_shift(4, 4)
    assert isinstance(shift, float)
    deviation = math.log(2) * math.sqrt(5 / 3)
    assert details.detectable(runs) == pytest.approx(math.exp(shift * deviation))


def test_the_smallest_effect_of_other_designs_comes_from_the_width_of_the_interval() -> None:
    a, b = {"t1": [0.1, 0.3, 0.2], "t2": [0.5, 0.6, 0.4]}, {"t1": [0.2, 0.3, 0.1], "t2": [0.5] * 3}
    finding, _ = found(arm("a", a), arm("b", b), FIXED_SCORE)
    interval = finding.result.interval
    assert isinstance(interval, Interval)
    assert interval.low is not None
    assert interval.high is not None
    error = (interval.high - interval.low) / 2 / 1.959964
    assert details.detectable(finding) == pytest.approx((1.959964 + 0.841621) * error, rel=1e-5)
    few, _ = found(one_task("a", [0.1]), one_task("b", [0.2, 0.3]), FIXED_SCORE)
    assert isinstance(details.detectable(few), CannotTell)


def test_no_spread_and_no_values_have_no_reach() -> None:
    same, _ = found(arm("a", [0.5] * 8), arm("b", [0.5] * 8), SCORE)
    assert isinstance(details.detectable(same), CannotTell)
    holed, _ = found(one_task("a", [1, None, 3]), one_task("b", [1, 2, 3]), FIXED_TIME)
    assert isinstance(details.detectable(holed), CannotTell)


def test_an_arm_of_single_trials_has_wilsons_interval() -> None:
    summary = summarize(arm("a", [1] * 8 + [0] * 2), PASS)
    assert (summary.statistic, summary.estimate, summary.n) == ("rate", 0.8, 10)
    assert summary.interval == wilson(8, 10)


def test_an_arm_of_repeats_has_the_mean_of_task_means_and_n_eff() -> None:
    summary = summarize(arm("a", {"x": [1, 0, 1], "y": [1], "z": [0, 0]}), PASS)
    assert summary.statistic == "mean of task means"
    assert summary.estimate == pytest.approx(5 / 9)
    assert summary.interval == effective_n([2 / 3, 1, 0], 6)
    assert isinstance(summary.descriptive, Interval)
    assert summary.descriptive.descriptive


def test_an_arm_of_one_task_has_its_median_with_the_level_it_reaches() -> None:
    values = [5.0, 1.0, 2.0, 9.0, 4.0, 3.0, 7.0]
    summary = summarize(one_task("a", values), FIXED_TIME)
    assert (summary.statistic, summary.estimate) == ("median", 4.0)
    assert summary.interval == median(values)
    assert isinstance(summary.interval, Interval)
    assert summary.interval.level == pytest.approx(0.984375)
    assert summary.descriptive is None


def test_amounts_over_tasks_have_a_geometric_mean_and_never_a_pooled_median() -> None:
    summary = summarize(arm("a", {"x": [1.0, 3.0], "y": [200.0]}), TIME)
    assert summary.statistic == "geometric mean"
    assert summary.estimate == pytest.approx(20)
    zero = summarize(arm("a", {"x": [0.0], "y": [200.0]}), TIME)
    assert isinstance(zero.estimate, CannotTell)


def test_an_arm_without_a_scored_run_has_no_estimate() -> None:
    for claim in (PASS, SCORE, TIME, FIXED_TIME, FIXED_SCORE):
        summary = summarize(arm("a", {}), claim)
        assert isinstance(summary.estimate, CannotTell)
        assert summary.n == 0
