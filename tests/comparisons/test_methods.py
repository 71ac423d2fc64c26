"""Which method: one test a line of the specification's table, by hand-computed values."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from benchdata.comparisons.arms import Arm, Run
from benchdata.comparisons.claims import Claim, cells
from benchdata.comparisons.findings import compare
from benchdata.comparisons.methods import METHODS, shape_of
from benchdata.comparisons.results import Moved, Result
from benchdata.stats.results import CannotTell, Interval
from tests.support.arms import (
    FIXED_PASS,
    FIXED_SCORE,
    FIXED_TIME,
    PASS,
    SCORE,
    TIME,
    Values,
    arm,
    one_task,
)


def result(claim: Claim, baseline: Values, treatment: Values) -> Result:
    return compare(arm("a", baseline), arm("b", treatment), claim).result


def ends(found: Result) -> tuple[float | None, float | None]:
    assert isinstance(found.interval, Interval)
    return found.interval.low, found.interval.high


def test_every_kind_and_shape_has_a_method() -> None:
    shapes = ("one task", "fixed tasks", "paired tasks", "other tasks")
    assert METHODS.keys() == set(product(("pass", "score", "amount"), shapes))


def test_one_trial_a_task_paired_is_mcnemar() -> None:
    found = result(PASS, [0] * 7 + [1, 0, 1], [1] * 7 + [0, 0, 1])
    assert (found.test, found.n, found.unit) == ("McNemar", (10, 10), "task")
    assert found.p == Fraction(2 * (1 + 8), 2**8)
    assert found.floor == Fraction(2, 2**10)
    assert found.estimate == 0.6
    assert found.moved == Moved(7, 1, 2)


def test_one_trial_of_other_tasks_is_fisher() -> None:
    a = {f"a{i}": [int(i < 2)] for i in range(10)}
    b = {f"b{i}": [int(i < 7)] for i in range(10)}
    found = result(PASS, a, b)
    assert (found.test, found.shape, found.unit) == ("Fisher", "other tasks", "task")
    assert float(found.p) == pytest.approx(0.0698, abs=5e-5)
    assert found.estimate == 0.5


def test_repeats_in_sampled_tasks_are_averaged_and_their_differences_flipped() -> None:
    a = {f"t{i}": [0, 0, 1] for i in range(6)}
    b = {f"t{i}": [1, 1, 1] for i in range(6)}
    found = result(PASS, a, b)
    assert found.test == "sign-flip over task differences"
    assert (found.p, found.floor, found.estimate) == (Fraction(2, 64), Fraction(2, 64), 2 / 3)
    # All differences are equal: half-width (1 - .025^(1/6)) of the range.
    half = 1 - 0.025 ** (1 / 6)
    assert ends(found) == pytest.approx((2 / 3 - half, 1.0))


def test_scores_of_other_tasks_are_compared_by_ranks_of_task_means() -> None:
    a = {f"a{i}": [i / 10, i / 10] for i in range(4)}
    b = {f"b{i}": [0.6 + i / 10] for i in range(4)}
    found = result(SCORE, a, b)
    assert (found.test, found.n) == ("Mann-Whitney on task means", (4, 4))
    assert found.p == found.floor == Fraction(2, 70)
    assert found.estimate == pytest.approx(0.6)
    assert not isinstance(found.interval, CannotTell)


def test_amounts_across_tasks_are_ratios_of_task_means() -> None:
    a = {f"t{i}": [10**i, 3 * 10**i] for i in range(6)}
    b = {f"t{i}": [3 * 10**i, 5 * 10**i] for i in range(6)}
    found = result(TIME, a, b)
    assert (found.scale, found.test) == ("ratio", "sign-flip on log ratios of task means")
    assert found.estimate == pytest.approx(2)
    assert found.p == Fraction(2, 64)
    assert found.moved == Moved(0, 6, 0)


def test_a_value_of_0_turns_the_ratio_into_a_shift_and_m_into_a_share_of_the_median() -> None:
    found = result(TIME, [0, 10, 20, 30, 40, 100], [1, 11, 21, 31, 41, 101])
    assert (found.scale, found.estimate, found.p) == ("shift", 1.0, Fraction(2, 64))
    assert found.reference == 25
    assert found.margin(0.05).high == pytest.approx(1.25)
    assert found.direction(0.05) == 0
    assert found.direction(0.04) == 1


def test_amounts_inside_one_task_are_mann_whitney_and_hodges_lehmann() -> None:
    a, b = (one_task(*each) for each in (("a", [1, 2, 3, 4]), ("b", [5, 6, 7, 8])))
    found = compare(a, b, FIXED_TIME).result
    assert (found.test, found.unit, found.n) == ("Mann-Whitney", "run", (4, 4))
    assert found.p == found.floor == Fraction(2, 70)
    ratios = sorted(y / x for x in (1, 2, 3, 4) for y in (5, 6, 7, 8))
    assert found.estimate == pytest.approx(math.sqrt(ratios[7] * ratios[8]))
    assert isinstance(found.interval, Interval)
    assert found.interval.level == pytest.approx(1 - 2 / 70)


def test_pass_or_fail_inside_one_task_is_fisher_never_ranks() -> None:
    a, b = one_task("a", [1] * 2 + [0] * 8), one_task("b", [1] * 7 + [0] * 3)
    found = compare(a, b, FIXED_PASS).result
    assert (found.test, found.unit) == ("Fisher", "run")
    assert float(found.p) == pytest.approx(0.0698, abs=5e-5)


def test_fixed_tasks_permute_labels_inside_each_task() -> None:
    a = {"t1": [0.1, 0.2], "t2": [0.5, 0.6]}
    b = {"t1": [0.3, 0.4], "t2": [0.7, 0.8]}
    found = result(FIXED_SCORE, a, b)
    assert (found.test, found.unit) == ("arm labels permuted inside tasks", "run")
    assert found.p == found.floor == Fraction(2, 36)
    assert found.estimate == pytest.approx(0.2)


def test_amounts_over_fixed_tasks_are_ranked_inside_each_task() -> None:
    a = {"t1": [1, 2, 3], "t2": [1000, 2000, 3000]}
    b = {"t1": [4, 5, 6], "t2": [4000, 5000, 6000]}
    found = result(FIXED_TIME, a, b)
    assert found.p == Fraction(2, 400)
    assert found.estimate == pytest.approx((4 * 5 * 6 / 6) ** (1 / 3))
    low, high = ends(found)
    assert low is not None
    assert high is not None
    assert isinstance(found.estimate, float)
    assert 1 < low < found.estimate < high


def test_tasks_of_unlike_length_are_never_pooled() -> None:
    # B is slower in each task, and looks faster pooled: it ran the short task more often.
    a = {"short": [1.0, 1.1], "long": [100 + i / 10 for i in range(10)]}
    b = {"short": [2 + i / 10 for i in range(10)], "long": [200.0, 201.0]}
    found = result(FIXED_TIME, a, b)
    assert found.tends == 1
    assert isinstance(found.estimate, float)
    assert found.estimate > 1.5


@pytest.mark.parametrize(
    ("claim", "a", "b", "shape"),
    [
        (SCORE, "xyz", "xyz", "paired tasks"),
        (SCORE, "xyz", "xy", "paired tasks"),
        (SCORE, "xyz", "xyw", "other tasks"),
        (SCORE, "xyz", "", "other tasks"),
        (FIXED_SCORE, "x", "x", "one task"),
        (FIXED_SCORE, "x", "y", "fixed tasks"),
        (FIXED_SCORE, "xyz", "xy", "fixed tasks"),
    ],
)
def test_tasks_are_paired_when_one_arm_attempted_all_of_the_others(
    claim: Claim, a: str, b: str, shape: str
) -> None:
    assert shape_of(claim, frozenset(a), frozenset(b)) == shape


def test_unequal_repeats_p_of_the_first_estimate_of_all() -> None:
    a = {f"t{i}": [0] for i in range(6)}
    b = {f"t{i}": [0, 1, 1, 1] for i in range(6)}
    found = result(PASS, a, b)
    assert (found.p, found.estimate, found.set_aside) == (Fraction(1), 0.75, 18)
    assert found.tends == 0
    assert found.direction(0.05) == 0


def test_an_interval_never_excludes_no_difference_when_the_test_shows_none() -> None:
    a = {"t": [10.0, 10.1, 10.2, 10.3, 10.3]}
    b = {"t": [10.3, 10.3, 10.3, 10.4, 10.5]}
    found = result(FIXED_TIME, a, b)
    assert isinstance(found.interval, Interval)
    assert found.p <= Fraction(1, 20) or not found.interval.excludes(1)


def test_scores_on_another_range_have_intervals_on_it() -> None:
    claim = Claim(metric=SCORE.metric, kind="score", tasks="sampled", min_effect=0.25)
    wide = {f"t{i}": [float(i % 4)] for i in range(8)}
    other = {f"u{i}": [float(i % 4)] for i in range(8)}
    quality = Claim(
        metric=type(SCORE.metric)("q", "q", "", "higher", bounds=(0, 3)),
        kind=claim.kind,
        tasks=claim.tasks,
        min_effect=claim.min_effect,
    )
    low, high = ends(result(quality, wide, other))
    assert low is not None
    assert high is not None
    assert -3 < low < -0.5
    assert 0.5 < high < 3


def test_rows_of_one_cell_are_averaged_before_repeats() -> None:
    judged = Arm("b", [Run("t", "run-1", 1), Run("t", "run-1", 0), Run("t", "run-2", 1)])
    assert cells(judged, PASS) == {"t": [Fraction(1, 2), 1]}
    mixed = Arm("b", [Run("t", 10, 3), Run("t", 2, 2), Run("t", "x", 4), Run("t", 1, 1)])
    assert cells(mixed, TIME) == {"t": [1, 2, 3, 4]}
