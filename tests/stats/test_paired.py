"""Lifts and ratios over tasks, with unequal repeats and empty cells."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdata.stats.cells import Cell
from benchdata.stats.paired import Lift, Ratio, lift, ratio
from benchdata.stats.results import CannotTell, Interval
from benchdata.stats.sign_flips import sign_flip

thirds = st.integers(0, 3).map(lambda k: Fraction(k, 3))
tasks = st.lists(st.tuples(thirds, thirds), min_size=1, max_size=10)


def lifted(baseline: Sequence[Cell], treatment: Sequence[Cell]) -> Lift:
    found = lift(baseline, treatment)
    assert isinstance(found, Lift)
    return found


def test_twelve_lifts() -> None:
    found = lifted([0] * 12, [0.1, -0.05, 0, 0.05, 0.1, -0.1, 0.05, 0, 0.15, -0.05, 0.05, 0.1])
    assert (found.exact_mean, found.exact_p) == (Fraction(1, 30), Fraction(214, 1024))
    assert isinstance(found.interval, Interval)
    assert found.interval.low == pytest.approx(-0.014239, abs=5e-7)
    assert found.interval.high == pytest.approx(0.080906, abs=5e-7)
    assert (found.better, found.worse, found.tied) == (7, 3, 2)


def test_ten_pairs_of_which_three_moved() -> None:
    before = [1, 0, 0, 1, 0, 1, 0, 0, 1, 0]
    after = [1, 1, 0, 1, 0, 1, 1, 0, 1, 1]
    found = lifted(before, after)
    assert (found.exact_mean, found.exact_p) == (Fraction(3, 10), Fraction(1, 4))
    assert isinstance(found.interval, Interval)
    assert found.interval.low == pytest.approx(0.3 - 2.262157 * 0.152753, abs=1e-5)


@settings(deadline=None)
@given(tasks)
def test_a_lift_is_symmetric(pairs: list[tuple[Fraction, Fraction]]) -> None:
    before, after = [a for a, _ in pairs], [b for _, b in pairs]
    there, back = lifted(before, after), lifted(after, before)
    assert (there.exact_p, there.exact_mean) == (back.exact_p, -back.exact_mean)
    assert (there.better, there.worse, there.tied) == (back.worse, back.better, back.tied)
    assert there.exact_p == sign_flip(b - a for a, b in pairs).exact_p
    if isinstance(there.interval, Interval) and isinstance(back.interval, Interval):
        assert there.interval.low == pytest.approx(-(back.interval.high or 0))


@settings(deadline=None)
@given(tasks, st.randoms(use_true_random=False))
def test_the_order_of_tasks_does_not_matter(
    pairs: list[tuple[Fraction, Fraction]], random_: random.Random
) -> None:
    shuffled = pairs.copy()
    random_.shuffle(shuffled)
    first, second = ([list(arm) for arm in zip(*rows, strict=True)] for rows in (pairs, shuffled))
    assert lift(*first) == lift(*second)


def test_p_uses_even_repeats_and_the_mean_all() -> None:
    before = [[0], [1, 0, 0], [0, 0, 1]]
    after = [[1, 1, 0, 0], [1, 1, 1], [1]]
    found = lifted(before, after)
    assert found.set_aside == 5
    assert found.exact_mean == (Fraction(1, 2) + Fraction(2, 3) + Fraction(2, 3)) / 3
    assert found.exact_p == sign_flip([1, Fraction(2, 3), 1]).exact_p


def test_task_means_and_repeats_give_the_same() -> None:
    repeats = lifted([[0, 1, 1], [0, 0, 1]], [[1, 1, 1], [0, 1, 1]])
    assert repeats == lifted([2 / 3, 1 / 3], [1, Fraction(2, 3)])


def test_an_empty_cell_leaves_the_pairs_and_is_counted() -> None:
    found = lifted([0, None, [], [0, 1]], [1, 1, [1], None])
    assert (found.n, found.unpaired, found.exact_mean, found.exact_p) == (
        1,
        3,
        Fraction(1),
        Fraction(1),
    )
    assert found.interval == CannotTell("fewer than 2 tasks")


@pytest.mark.parametrize(("before", "after"), [([], []), ([None], [1]), ([[]], [[]])])
def test_without_a_pair_there_is_no_lift(before: list[Cell], after: list[Cell]) -> None:
    assert lift(before, after) == CannotTell("no task has a value in both arms")
    assert ratio(before, after) == CannotTell("no task has a value in both arms")


def test_equal_differences_still_have_an_interval_with_width() -> None:
    found = lifted([0.5] * 4, [0.5] * 4)
    assert (found.exact_p, found.tied) == (Fraction(1), 4)
    assert isinstance(found.interval, Interval)
    half = 1 - 0.025 ** (1 / 4)
    assert (found.interval.low, found.interval.high) == pytest.approx((-half, half))


def test_an_interval_never_excludes_nothing_where_the_test_shows_nothing() -> None:
    found = lifted([0] * 5, [0.2, 0.21, 0.2, 0.19, 0.2])
    assert found.exact_p == Fraction(1, 16)
    assert isinstance(found.interval, Interval)
    assert found.interval.low == 0
    assert "moved to 0" in found.interval.note


def test_unequal_task_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="2 tasks cannot be paired with 1"):
        lift([1, 0], [1])
    with pytest.raises(ValueError, match="beyond the metric's range"):
        lift([0, 0], [5, 1])


def test_a_wider_metric_has_a_wider_range() -> None:
    found = lift([0, 10], [50, 40], metric_range=100)
    assert isinstance(found, Lift)
    assert found.mean == 40


def test_a_ratio_is_a_geometric_mean_tested_on_logarithms() -> None:
    found = ratio([100, 200, 400, 100, 50, 10], [200, 400, 200, 100, 200, 80])
    assert isinstance(found, Ratio)
    assert found.estimate == pytest.approx(2 ** (6 / 6))
    assert found.exact_p == sign_flip([1, 1, -1, 2, 3]).exact_p
    assert (found.higher, found.lower, found.tied) == (4, 1, 1)
    assert isinstance(found.interval, Interval)
    assert found.interval.low is not None
    assert found.interval.high is not None
    assert math.sqrt(found.interval.low * found.interval.high) == pytest.approx(found.estimate)


def test_a_ratio_uses_even_repeats_for_p() -> None:
    found = ratio([[10, 90], [10]], [[20], [20, 70, 90]])
    assert isinstance(found, Ratio)
    assert (found.exact_p, found.set_aside) == (Fraction(1, 2), 3)
    assert found.estimate == pytest.approx(math.sqrt(20 / 50 * 60 / 10))


def test_a_ratio_needs_means_above_zero() -> None:
    assert ratio([0, 1], [1, 1]) == CannotTell("a value is 0, so its ratio does not exist")
    with pytest.raises(ValueError, match="below 0"):
        ratio([-1], [1])


def test_one_ratio_has_no_interval() -> None:
    found = ratio([2], [4])
    assert isinstance(found, Ratio)
    assert found.estimate == pytest.approx(2)
    assert found.exact_p == 1
    assert isinstance(found.interval, CannotTell)
