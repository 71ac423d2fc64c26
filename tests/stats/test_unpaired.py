"""Intervals without pairs, against statsmodels and scipy, and their degenerate cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

from benchdata.stats.intervals import wilson
from benchdata.stats.results import CannotTell, Interval
from benchdata.stats.unpaired import Estimate, difference, inside_tasks, mean_over_tasks


def ends(found: Interval | CannotTell) -> tuple[float | None, float | None]:
    assert isinstance(found, Interval), found
    return found.low, found.high


@pytest.mark.parametrize(("x", "n", "y", "m"), [(2, 10, 7, 10), (56, 70, 48, 80), (0, 10, 0, 20)])
def test_a_difference_of_rates_is_newcombes(x: int, n: int, y: int, m: int) -> None:
    sides = [Estimate(k / size, wilson(k, size)) for k, size in ((x, n), (y, m))]
    expected = confint_proportions_2indep(y, m, x, n, method="newcomb", compare="diff")
    assert ends(difference(*sides, metric_range=1)) == pytest.approx(expected, abs=1e-12)


def test_newcombes_own_example() -> None:
    # Newcombe 1998, table II, (a): 56/70 - 48/80, method 10: 0.0524 to 0.3339.
    sides = [Estimate(k / size, wilson(k, size)) for k, size in ((48, 80), (56, 70))]
    assert ends(difference(*sides, metric_range=1)) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_a_difference_is_moved_to_0_where_the_test_shows_none() -> None:
    sides = [Estimate(k / 10, wilson(k, 10)) for k in (2, 7)]
    found = difference(*sides, metric_range=1, p=0.07)
    assert ends(found)[0] == 0
    assert isinstance(found, Interval)
    assert found.note


def test_a_side_without_an_interval_leaves_none() -> None:
    side = Estimate(0.5, wilson(1, 2))
    none = Estimate(0.5, CannotTell("fewer than 2 tasks"))
    assert difference(none, side, metric_range=1) == CannotTell("fewer than 2 tasks")
    half = Estimate(0.5, Interval(0.1, None, 0.95, "order statistics"))
    assert difference(side, half, metric_range=1) == CannotTell("an interval has one end only")


def test_one_task_is_welchs_interval() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(0, 1, 7), rng.normal(1, 3, 12)
    expected = stats.ttest_ind(b, a, equal_var=False).confidence_interval(0.95)
    found = ends(inside_tasks([(a.tolist(), b.tolist())]))
    assert found == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_one_arm_of_one_task_is_students_interval() -> None:
    values = [1.0, 2.0, 4.0, 8.0]
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert ends(mean_over_tasks([values])) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_tasks_do_not_add_their_own_spread() -> None:
    near = [([0.0, 0.1], [0.2, 0.3]), ([0.0, 0.1], [0.2, 0.3])]
    far = [([0.0, 0.1], [0.2, 0.3]), ([100.0, 100.1], [100.2, 100.3])]
    assert ends(inside_tasks(far)) == pytest.approx(ends(inside_tasks(near)), abs=1e-9)


def test_equal_rows_have_the_floor_of_the_range() -> None:
    half = 1 - 0.025 ** (1 / 4)
    task = ([0.5, 0.5], [0.5, 0.5, 0.5])
    assert ends(inside_tasks([task, task], metric_range=1)) == pytest.approx((-half, half))
    assert isinstance(inside_tasks([task]), CannotTell)
    assert isinstance(mean_over_tasks([[0.5, 0.5]]), CannotTell)
    low, high = ends(mean_over_tasks([[0.5, 0.5], [0.5, 0.5]], metric_range=1))
    assert (low, high) == pytest.approx((0.5 - half, 0.5 + half))


def test_a_single_row_shows_no_spread() -> None:
    assert isinstance(inside_tasks([([0.5], [0.5, 0.6])], metric_range=1), CannotTell)
    assert isinstance(mean_over_tasks([[0.5], [0.5, 0.6]]), CannotTell)


@pytest.mark.parametrize("call", [inside_tasks, mean_over_tasks])
def test_no_task_is_a_misuse(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match="needs a task"):
        call([])


def test_the_interval_inside_tasks_covers() -> None:
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(500):
        tasks = [(rng.normal(10 * t, 1, 5), rng.normal(10 * t + 1, 2, 4)) for t in range(3)]
        low, high = ends(inside_tasks([(a.tolist(), b.tolist()) for a, b in tasks]))
        hits += (low or -math.inf) <= 1 <= (high or math.inf)
    assert hits / 500 >= 0.93
