"""Nearest rank in integers, the mark of a maximum, and the spread with its zeros."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from benchdata.stats.percentiles import Spread, is_maximum, nearest_rank, rank_of, spread
from benchdata.stats.results import CannotTell


def test_the_published_case_that_floating_point_gets_wrong() -> None:
    assert nearest_rank(range(1, 26), 28) == 7
    assert math.ceil(0.28 * 25) == 8


@pytest.mark.parametrize("percent", [7, 14, 28, 55, 56])
def test_the_ranks_that_numpy_gets_wrong(percent: int) -> None:
    assert nearest_rank(range(100), percent) == percent - 1


@pytest.mark.parametrize(
    ("n", "rank"),
    [(10, 10), (19, 19), (20, 19), (59, 57), (71, 68), (72, 69), (100, 95), (300, 285)],
)
def test_the_published_ranks_of_p95(n: int, rank: int) -> None:
    assert rank_of(n, 95) == rank


def test_every_rank_is_the_exact_ceiling() -> None:
    for n in range(1, 101):
        for percent in (1, 5, 7, 10, 14, 25, 28, 50, 55, 56, 75, 90, 95, 99, 100):
            assert rank_of(n, percent) == math.ceil(Fraction(percent, 100) * n)


@pytest.mark.parametrize(
    ("numerator", "denominator", "last"), [(95, 100, 19), (99, 100, 99), (999, 1000, 999)]
)
def test_up_to_which_n_a_percentile_is_the_maximum(
    numerator: int, denominator: int, last: int
) -> None:
    assert is_maximum(last, numerator, denominator)
    assert not is_maximum(last + 1, numerator, denominator)
    assert is_maximum(300, 999, 1000)
    assert not is_maximum(0, numerator, denominator)


def test_nearest_rank_is_always_a_value() -> None:
    rates = [0.8] * 5 + [1.0] * 5
    assert nearest_rank(rates, 50) == 0.8
    assert nearest_rank([3], 1) == nearest_rank([3], 100) == 3
    assert nearest_rank([9, 1, 5], 50) == 5


def test_no_values_have_no_percentile() -> None:
    assert nearest_rank([], 50) == CannotTell("no values")
    assert spread([]) == CannotTell("no values")


@pytest.mark.parametrize(("numerator", "denominator"), [(0, 100), (101, 100), (-1, 2), (1, 0)])
def test_what_is_no_percentile_is_refused(numerator: int, denominator: int) -> None:
    with pytest.raises(ValueError, match="no rank"):
        nearest_rank([1, 2], numerator, denominator)


@pytest.mark.parametrize(
    ("values", "max_over_min", "p75_over_p25", "swing", "unstable"),
    [
        ([100, 110, 120, 130, 140, 150, 160, 170, 180, 220], 2.2, 170 / 120, "max/min 2.2", False),
        ([10, 15, 21], 2.1, 2.1, "max/min 2.1", True),
        ([0, 0, 5], None, None, "minimum 0", True),
        ([0, 0, 0], None, None, "", False),
        ([0, 4, 5, 6], None, None, "minimum 0", True),
        ([7], 1, 1, "", False),
        ([1, 2], 2, 2, "", False),
    ],
)
def test_the_spread_and_what_it_is_called(
    values: list[float],
    max_over_min: float | None,
    p75_over_p25: float | None,
    swing: str,
    unstable: bool,
) -> None:
    found = spread(values)
    assert isinstance(found, Spread)
    assert found.max_over_min == max_over_min
    assert found.p75_over_p25 == p75_over_p25
    assert (found.swing, found.unstable) == (swing, unstable)


def test_a_ratio_beyond_double_precision_is_none() -> None:
    found = spread([5e-324, 1e100])
    assert isinstance(found, Spread)
    assert found.max_over_min is None


def test_a_spread_of_negative_values_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        spread([-1, 1])
