"""Intervals of rates, means, lifts and ratios: published values, oracles, degenerate data."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from benchdata.stats import intervals
from benchdata.stats.results import CannotTell, Interval

SIX_DECIMALS = 5.1e-7  # half a unit of the sixth decimal
TWELVE_LIFTS = [0.1, -0.05, 0, 0.05, 0.1, -0.1, 0.05, 0, 0.15, -0.05, 0.05, 0.1]


def ends(found: Interval | CannotTell) -> tuple[float, float]:
    assert isinstance(found, Interval)
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 10, 0, 0.277533),
        (10, 10, 0.722467, 1),
        (3, 5, 0.230724, 0.882379),
        (8, 10, 0.490162, 0.943318),
        (81, 263, 0.255289, 0.366210),
        (15, 148, 0.062386, 0.160487),
        (29, 95, 0.221729, 0.403934),
        (51, 94, 0.442154, 0.639610),
    ],
)
def test_wilson_gives_the_published_values(successes: int, n: int, low: float, high: float) -> None:
    assert ends(intervals.wilson(successes, n)) == pytest.approx((low, high), abs=SIX_DECIMALS)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 10, 0, 0.308497), (3, 5, 0.146633, 0.947255), (8, 10, 0.443905, 0.974789)],
)
def test_clopper_pearson_gives_the_published_values(
    successes: int, n: int, low: float, high: float
) -> None:
    found = intervals.clopper_pearson(successes, n)
    assert ends(found) == pytest.approx((low, high), abs=SIX_DECIMALS)


@pytest.mark.parametrize("n", [1, 2, 5, 17, 100, 10_000])
def test_rates_agree_with_statsmodels(n: int) -> None:
    for successes in {0, 1, n // 3, n - 1, n}:
        wilson = proportion_confint(successes, n, method="wilson")
        exact = proportion_confint(successes, n, method="beta")
        assert ends(intervals.wilson(successes, n)) == pytest.approx(wilson, abs=1e-12)
        assert ends(intervals.clopper_pearson(successes, n)) == pytest.approx(exact, abs=1e-10)


@pytest.mark.parametrize("n", [1, 3, 10, 1000])
def test_a_rate_at_its_bound_keeps_that_end_and_has_a_width(n: int) -> None:
    for function in (intervals.wilson, intervals.clopper_pearson):
        assert ends(function(0, n))[0] == 0
        assert ends(function(n, n))[1] == 1


@pytest.mark.parametrize("function", [intervals.wilson, intervals.clopper_pearson])
def test_a_rate_without_trials_cannot_be_told(function: object) -> None:
    assert callable(function)
    assert function(0, 0) == CannotTell("no trials")


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(successes: int, n: int) -> None:
    for function in (intervals.wilson, intervals.clopper_pearson):
        with pytest.raises(ValueError, match="not possible"):
            function(successes, n)


def test_t_gives_the_published_interval_of_three_scores() -> None:
    # dotnet/skills #945: every run wins, and the interval still holds losses
    low, high = ends(intervals.t([0.4, 1.0, 0.4]))
    assert low == pytest.approx(-0.2605, abs=5e-4)
    assert high == pytest.approx(1.46, abs=5e-3)


@pytest.mark.parametrize("n", [2, 3, 10, 200])
def test_t_agrees_with_scipy(n: int) -> None:
    values = np.random.default_rng(n).normal(3, 2, n)
    oracle = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert ends(intervals.t(values)) == pytest.approx((oracle.low, oracle.high), rel=1e-10)


def test_the_t_quantile_at_three_degrees() -> None:
    assert intervals.t_quantile(3) == pytest.approx(3.182446, abs=SIX_DECIMALS)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "fewer than 2 values"),
        ([1.0], "fewer than 2 values"),
        ([2.5] * 9, "all values are equal, so their spread is not known"),
        ([0.1 + 0.2, 0.3], "all values are equal, so their spread is not known"),
    ],
)
def test_t_cannot_tell(values: list[float], reason: str) -> None:
    assert intervals.t(values) == CannotTell(reason)


def test_twelve_lifts_give_the_published_interval() -> None:
    expected = pytest.approx((-0.014239, 0.080906), abs=SIX_DECIMALS)
    assert ends(intervals.lift_t(TWELVE_LIFTS)) == expected


def test_the_paired_standard_error() -> None:
    first, second = [1, 1, 0, 1, 0, 1, 1, 0, 1, 1], [1, 0, 0, 1, 0, 1, 0, 0, 1, 0]
    differences = np.subtract(first, second)
    low, high = ends(intervals.lift_t(differences))
    error = (high - low) / 2 / intervals.t_quantile(9)
    assert (low + high) / 2 == pytest.approx(0.3)
    assert error == pytest.approx(0.152753, abs=SIX_DECIMALS)
    assert 0.3 / error == pytest.approx(1.963961, abs=SIX_DECIMALS)
    p = 2 * stats.t.sf(0.3 / error, 9)
    assert p == pytest.approx(0.081126, abs=SIX_DECIMALS)


@pytest.mark.parametrize("n", [2, 3, 6, 32])
@pytest.mark.parametrize("value", [0.0, 0.25, -1.0])
def test_equal_differences_have_the_floor_width(n: int, value: float) -> None:
    half = 1 - 0.025 ** (1 / n)
    expected = max(value - half, -1.0), min(value + half, 1.0)
    found = intervals.lift_t([value] * n)
    assert ends(found) == pytest.approx(expected)
    assert isinstance(found, Interval)
    assert found.method == "t with floor"


def test_the_floor_scales_with_the_range_of_the_metric() -> None:
    half = (1 - 0.025 ** (1 / 4)) * 3
    assert ends(intervals.lift_t([0.5] * 4, metric_range=3)) == pytest.approx(
        (0.5 - half, 0.5 + half)
    )


def test_differences_that_differ_by_rounding_are_equal() -> None:
    rounded = [0.1 + 0.2 - 0.3, 0.0, 0.0]
    assert ends(intervals.lift_t(rounded)) == pytest.approx(ends(intervals.lift_t([0.0] * 3)))


def test_a_lift_is_clipped_to_the_range() -> None:
    assert ends(intervals.lift_t([1, 1, 0]))[1] == 1
    assert ends(intervals.lift_t([-1, -1, 0]))[0] == -1


@pytest.mark.parametrize("sign", [1, -1])
def test_an_interval_agrees_with_the_test_that_decides(sign: int) -> None:
    differences = [sign * each for each in (0.3, 0.32, 0.34, 0.36, 0.38)]
    plain = intervals.lift_t(differences)
    assert isinstance(plain, Interval)
    assert plain.excludes(0)
    moved = intervals.lift_t(differences, p=0.0625)
    assert isinstance(moved, Interval)
    assert 0 in (moved.low, moved.high)
    assert moved.note == "the end nearer 0 is moved to 0: p > 0.05"
    far = ends(plain)[1] if sign > 0 else ends(plain)[0]
    assert far in (moved.low, moved.high)
    assert intervals.lift_t(differences, p=0.05) == plain


def test_an_interval_that_holds_zero_is_left_alone() -> None:
    assert intervals.lift_t(TWELVE_LIFTS, p=0.209) == intervals.lift_t(TWELVE_LIFTS)


@pytest.mark.parametrize("differences", [[], [0.5]])
def test_a_lift_of_fewer_than_two_tasks_cannot_be_told(differences: list[float]) -> None:
    assert intervals.lift_t(differences) == CannotTell("fewer than 2 tasks")


def test_a_lift_refuses_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="beyond the metric's range"):
        intervals.lift_t([0.5, 1.5])
    with pytest.raises(ValueError, match="positive number"):
        intervals.lift_t([0, 0], metric_range=0)
    with pytest.raises(ValueError, match="probability"):
        intervals.lift_t([0.1, 0.2], p=1.5)


def test_effective_size_is_held_between_tasks_and_trials() -> None:
    assert intervals.effective_size([0.5] * 8, 24) == 8
    assert intervals.effective_size([0, 1, 0, 1], 12) == 4  # all variance lies between tasks
    assert intervals.effective_size([0.5, 0.5, 0.52, 0.48], 12) == 12
    graded = intervals.effective_size([0.5, 0.5, 0.52, 0.48], None)
    assert isinstance(graded, float)
    assert graded > 1000


def test_effective_n_at_the_bounds_uses_the_tasks() -> None:
    low, high = ends(intervals.effective_n([1.0] * 10, 30))
    quantile = intervals.t_quantile(9)
    assert low == pytest.approx(1 / (1 + quantile**2 / 10))
    assert high == 1


@pytest.mark.parametrize("means", [[], [0.4]])
def test_effective_n_needs_two_tasks(means: list[float]) -> None:
    assert intervals.effective_n(means, None) == CannotTell("fewer than 2 tasks")


@pytest.mark.parametrize(
    ("means", "trials", "words"), [([0.5, 1.2], 4, "between 0 and 1"), ([0.5, 0.2], 1, "1 trials")]
)
def test_effective_n_refuses_what_cannot_be(means: list[float], trials: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        intervals.effective_n(means, trials)


def test_the_geometric_mean_of_ratios() -> None:
    before, after = [100, 200, 50, 400], [110, 190, 65, 500]
    found = intervals.geometric_mean_ratio(before, after)
    assert isinstance(found, intervals.RatioMean)
    logs = np.log(np.divide(after, before))
    oracle = stats.ttest_1samp(logs, 0).confidence_interval(0.95)
    assert found.estimate == pytest.approx(stats.gmean(np.divide(after, before)))
    assert ends(found.interval) == pytest.approx((math.exp(oracle.low), math.exp(oracle.high)))
    assert found.n == 4


def test_a_ratio_agrees_with_the_test_that_decides() -> None:
    before, after = [100, 100, 100], [150, 151, 152]
    found = intervals.geometric_mean_ratio(before, after, p=0.25)
    assert isinstance(found, intervals.RatioMean)
    assert ends(found.interval)[0] == 1
    assert isinstance(found.interval, Interval)
    assert found.interval.note == "the end nearer 1 is moved to 1: p > 0.05"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([], [], CannotTell("no tasks")),
        ([1, 0], [2, 2], CannotTell("a value is 0, so its ratio does not exist")),
        ([1], [2], intervals.RatioMean(2.0, CannotTell("fewer than 2 tasks"), 1)),
    ],
)
def test_ratios_cannot_tell(before: ArrayLike, after: ArrayLike, expected: object) -> None:
    found = intervals.geometric_mean_ratio(before, after)
    if isinstance(found, intervals.RatioMean):
        found = intervals.RatioMean(round(found.estimate, 12), found.interval, found.n)
    assert found == expected


def test_equal_ratios_have_an_estimate_and_no_interval() -> None:
    found = intervals.geometric_mean_ratio([1, 2, 4], [2, 4, 8])
    assert isinstance(found, intervals.RatioMean)
    assert found.estimate == pytest.approx(2)
    reason = "all ratios are equal, so their spread is not known"
    assert found.interval == CannotTell(reason)


@pytest.mark.parametrize(("before", "after"), [([1], [1, 2]), ([-1, 1], [1, 1])])
def test_ratios_refuse_what_cannot_be(before: ArrayLike, after: ArrayLike) -> None:
    with pytest.raises(ValueError, match=r"paired|below 0"):
        intervals.geometric_mean_ratio(before, after)
