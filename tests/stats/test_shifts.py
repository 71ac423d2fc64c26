"""Hodges-Lehmann shift and ratio, their intervals, and rows without a value."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdata.stats.ranks import MannWhitney, Rankable, mann_whitney
from benchdata.stats.results import CannotTell, Interval
from benchdata.stats.shifts import Shift, critical, hodges_lehmann, hodges_lehmann_ratio

whole = st.lists(st.integers(-9, 9), min_size=1, max_size=8)
positive = st.lists(st.integers(1, 12), min_size=1, max_size=8)


def shifted(a: Sequence[Rankable], b: Sequence[Rankable]) -> Shift:
    found = hodges_lehmann(a, b)
    assert isinstance(found, Shift)
    return found


@pytest.mark.parametrize(
    ("a", "b", "p", "shift", "ends", "level", "k"),
    [
        (
            [12, 15, 17, 20, 24],
            [14, 19, 22, 28, 31, 36],
            0.177489,
            7,
            (-3, 19),
            0.969697,
            4,
        ),
        (
            [410, 455, 470, 502, 530, 610],
            [395, 400, 420, 431, 440, 462, 480],
            0.073427,
            -57.5,
            (-135, 10),
            0.965035,
            7,
        ),
        ([1, 2, 3, 4], [5, 6, 7, 8], 0.028571, 4, (1, 7), 0.971429, 1),
    ],
)
def test_reference_values(
    a: list[Rankable],
    b: list[Rankable],
    p: float,
    shift: float,
    ends: tuple[float, float],
    level: float,
    k: int,
) -> None:
    test, found = mann_whitney(a, b), shifted(a, b)
    assert isinstance(test, MannWhitney)
    assert round(test.p, 6) == p
    assert (found.estimate, found.k) == (shift, k)
    assert isinstance(found.interval, Interval)
    assert (found.interval.low, found.interval.high) == ends
    assert round(found.interval.level, 6) == level


def test_three_against_three_have_a_shift_and_no_interval() -> None:
    found = shifted([1, 2, 3], [4, 5, 6])
    assert found.estimate == 3
    assert found.interval == CannotTell("no 95% interval exists for 3 against 3 rows")


@pytest.mark.parametrize(
    ("n", "m", "k", "level"),
    [
        (5, 5, 3, 0.968254),
        (3, 10, 4, 0.951049),
        (5, 10, 9, 0.960040),
        (10, 10, 24, 0.956743),
        (10, 30, 88, 0.950185),
    ],
)
def test_k_and_level_of_sizes(n: int, m: int, k: int, level: float) -> None:
    for found in (critical(n, m), critical(m, n)):
        assert found[0] == k
        assert round(found[1], 6) == level


def test_the_approximate_interval_continues_the_exact_one() -> None:
    exact, approximate = critical(50, 50), critical(50, 51)
    assert (exact[2], approximate[2]) == ("Hodges-Lehmann", "Hodges-Lehmann, normal approximation")
    assert 0 < approximate[0] - exact[0] < 25
    assert approximate[1] == pytest.approx(0.95, abs=0.002)


@settings(deadline=None)
@given(whole, whole)
def test_the_shift_is_the_median_of_all_differences(a: list[int], b: list[int]) -> None:
    differences = np.sort(np.subtract.outer(b, a).ravel())
    found = hodges_lehmann(a, b)
    assert isinstance(found, Shift)
    assert found.estimate == float(np.median(differences))
    if isinstance(found.interval, Interval):
        low, high = found.interval.low, found.interval.high
        assert low is not None
        assert high is not None
        kth = differences[found.k - 1], differences[-found.k]
        assert low < high
        assert low <= kth[0]
        assert high >= kth[1]
        assert kth[0] == kth[1] or (low, high) == kth
    elif found.k:
        assert differences[0] == differences[-1]


@settings(deadline=None)
@given(positive, positive)
def test_the_ratio_is_the_median_of_all_ratios_on_logarithms(a: list[int], b: list[int]) -> None:
    ratios = sorted(Fraction(y, x) for x in a for y in b)
    found = hodges_lehmann_ratio(a, b)
    assert isinstance(found, Shift)
    middle = ratios[(len(ratios) - 1) // 2], ratios[len(ratios) // 2]
    assert found.estimate == pytest.approx(math.sqrt(middle[0] * middle[1]), rel=1e-14)
    if isinstance(found.interval, Interval) and ratios[found.k - 1] < ratios[-found.k]:
        ends = float(ratios[found.k - 1]), float(ratios[-found.k])
        assert (found.interval.low, found.interval.high) == ends


@settings(deadline=None)
@given(whole, whole, st.randoms(use_true_random=False))
def test_swapping_the_groups_turns_the_shift_round(
    a: list[int], b: list[int], random_: random.Random
) -> None:
    shuffled = a.copy()
    random_.shuffle(shuffled)
    there, back = hodges_lehmann(a, b), hodges_lehmann(b, shuffled)
    assert isinstance(there, Shift)
    assert isinstance(back, Shift)
    assert isinstance(there.estimate, float)
    assert there.estimate == -back.estimate if isinstance(back.estimate, float) else False
    if isinstance(there.interval, Interval) and isinstance(back.interval, Interval):
        assert there.interval.low is not None
        assert there.interval.low == -(back.interval.high or 0)


def test_decimals_are_subtracted_exactly() -> None:
    assert shifted([0.1, 0.1], [0.3, 0.3]).estimate == 0.2


def test_an_interval_without_width_steps_outwards() -> None:
    found = shifted([1] * 6, [1] * 5 + [2])
    assert isinstance(found.interval, Interval)
    assert (found.interval.low, found.interval.high) == (0, 1)
    none = shifted([1] * 6, [1] * 6)
    assert none.estimate == 0
    assert none.interval == CannotTell("all pairwise differences are equal")


def test_a_step_outwards_may_end_at_zero() -> None:
    found = shifted([0] * 6, [1] * 5 + [0])
    assert isinstance(found.interval, Interval)
    assert (found.interval.low, found.interval.high) == (0, 1)


def test_a_few_nulls_leave_the_shift_and_take_an_end() -> None:
    a, b = [*range(1, 9)], [*range(11, 17), None, None]
    found = shifted([*a], [*b])
    assert found.estimate == 10
    assert isinstance(found.interval, Interval)
    assert (found.interval.low, found.interval.high) == (7, None)
    lowest = hodges_lehmann(b, a, nulls="lowest")
    assert isinstance(lowest, Shift)
    assert isinstance(lowest.interval, Interval)
    assert lowest.interval.high is None


def test_nulls_in_both_groups_are_tied_and_tell_nothing_of_the_shift() -> None:
    a, b = [*range(1, 9), None, None], [*range(11, 19), None, None]
    found = shifted([*a], [*b])
    assert found.estimate == 10
    # 24 is the critical number of 10 against 10; 4 pairs are tied, 2 of them below.
    assert found.k == 24 - 2
    assert isinstance(found.interval, Interval)
    differences = sorted(y - x for x in range(1, 9) for y in range(11, 19))
    beyond = 16  # rows of a without a value, each below all 8 values of b
    assert (found.interval.low, found.interval.high) == (
        differences[22 - beyond - 1],
        differences[-6],
    )
    assert shifted([*a], [*a]).estimate == 0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1, 2, 3, 4], [None, None, None, 4]),
        ([None] * 4, [None] * 4),
        ([None] * 4, [1, 2, 3, 4]),
    ],
)
def test_too_many_nulls_leave_nothing_to_estimate(a: list[Rankable], b: list[Rankable]) -> None:
    assert shifted(a, b).estimate == CannotTell(
        "not estimable: too many rows failed or have no value"
    )


def test_a_group_without_rows_has_no_shift() -> None:
    assert hodges_lehmann([], [1]) == CannotTell("a group has no rows")


def test_a_ratio_needs_values_above_zero() -> None:
    assert hodges_lehmann_ratio([0, 1], [1]) == CannotTell(
        "a value is 0, so its ratio does not exist"
    )
    with pytest.raises(ValueError, match="below 0"):
        hodges_lehmann_ratio([-1], [1])


def test_large_groups_are_selected_from_without_a_table_of_pairs() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.lognormal(0, 1, 300), rng.lognormal(0.2, 1, 200)
    shift, ratio = hodges_lehmann(a, b), hodges_lehmann_ratio(a, b)
    assert isinstance(shift, Shift)
    assert isinstance(ratio, Shift)
    assert shift.estimate == pytest.approx(np.median(np.subtract.outer(b, a)), rel=1e-12)
    logs = np.subtract.outer(np.log(b), np.log(a))
    assert ratio.estimate == pytest.approx(np.exp(np.median(logs)), rel=1e-12)
