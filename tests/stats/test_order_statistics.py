"""Quantile intervals from ranks: published ranks and levels, and where no interval exists."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from benchdata.stats.order_statistics import Ranks, median, quantile, ranks, smallest_n
from benchdata.stats.results import CannotTell, Interval

SIX_DECIMALS = 5.1e-7
HALF = Fraction(1, 2)


def assert_ranks(
    found: Ranks, low: int | None, high: int | None, level: float, within: float = SIX_DECIMALS
) -> None:
    assert (found.low, found.high) == (low, high)
    assert found.level == pytest.approx(level, abs=within)


@pytest.mark.parametrize(
    ("n", "low", "high", "level"),
    [
        (6, 1, 6, 0.96875),
        (7, 1, 7, 0.98438),
        (8, 1, 8, 0.99219),
        (9, 2, 8, 0.96094),
        (10, 2, 9, 0.97852),
        (12, 3, 10, 0.96143),
        (15, 4, 12, 0.96484),
        (20, 6, 15, 0.95861),
    ],
)
def test_the_published_ranks_of_the_median(n: int, low: int, high: int, level: float) -> None:
    assert_ranks(ranks(n, HALF), low, high, level, within=5.1e-6)
    found = median(np.arange(1, n + 1))
    assert isinstance(found, Interval)
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize(
    ("n", "p", "low", "high", "level"),
    [
        (10, 0.95, 8, None, 0.988496),
        (59, 0.95, 52, None, 0.991136),
        (72, 0.95, 64, 72, 0.965490),
        (100, 0.95, 90, 100, 0.982607),
        (300, 0.95, 277, 293, 0.967188),
        (300, 0.5, 133, 168, 0.956872),
    ],
)
def test_the_published_ranks_of_percentiles(
    n: int, p: float, low: int, high: int | None, level: float
) -> None:
    assert_ranks(ranks(n, p), low, high, level)


def test_the_high_end_appears_between_71_and_72() -> None:
    assert (ranks(71, 0.95).low, ranks(71, 0.95).high) == (63, None)
    assert (ranks(72, 0.95).low, ranks(72, 0.95).high) == (64, 72)


@pytest.mark.parametrize(
    ("p", "one_sided", "two_sided"),
    [(0.9, 29, 36), (0.95, 59, 72), (0.99, 299, 368), (0.999, 2995, 3688)],
)
def test_from_which_n_an_upper_limit_exists(p: float, one_sided: int, two_sided: int) -> None:
    assert smallest_n(p, tail=0.05, end="high") == one_sided
    assert smallest_n(p, end="high") == two_sided
    assert ranks(two_sided, p).high == two_sided
    assert ranks(two_sided - 1, p).high is None


@pytest.mark.parametrize("n", range(6))
def test_no_median_interval_exists_below_six(n: int) -> None:
    assert median(range(n)) == CannotTell(f"{n} values hold no 95% interval; 6 suffice")
    assert smallest_n(HALF) == 6


@pytest.mark.parametrize(("n", "p"), [*itertools.product((6, 11, 40, 73), (0.05, 0.25, 0.5, 0.95))])
def test_ranks_follow_their_definition_by_scipys_binomial(n: int, p: float) -> None:
    drawn = stats.binom(n, p)
    low = max((rank for rank in range(1, n + 1) if drawn.cdf(rank - 1) <= 0.025), default=None)
    high = min((rank for rank in range(1, n + 1) if drawn.sf(rank - 1) <= 0.025), default=None)
    level = drawn.cdf((high or n + 1) - 1) - (drawn.cdf(low - 1) if low else 0)
    assert_ranks(ranks(n, p), low, high, level, within=1e-12)


def test_quantiles_mirror() -> None:
    for n in (10, 40, 100):
        lower, upper = ranks(n, 0.1), ranks(n, 0.9)
        assert upper.low == (n + 1 - lower.high if lower.high else None)
        assert upper.high == (n + 1 - lower.low if lower.low else None)
        assert lower.level == pytest.approx(upper.level, abs=1e-12)


def test_ties_at_both_ranks_step_outwards_and_the_level_grows() -> None:
    values = [1, *[5] * 8, 9]
    found = median(values)
    assert isinstance(found, Interval)
    assert (found.low, found.high) == (1, 9)
    assert found.level == pytest.approx(1 - 2 / 2**10)
    upper_only = median([*[5] * 9, 9])
    assert isinstance(upper_only, Interval)
    assert (upper_only.low, upper_only.high) == (5, 9)


def test_equal_values_hold_no_interval() -> None:
    assert median([4.0] * 30) == CannotTell("all values are equal")


@pytest.mark.parametrize(
    ("reached", "low", "high", "note"),
    [
        (10, 2, 9, ""),
        (9, 2, 9, ""),
        (8, 2, None, "the high end is not reached"),
        (2, 2, None, "the high end is not reached"),
        (1, 1, None, "the high end is not reached"),
    ],
)
def test_rows_without_a_value_rank_beyond_all(
    reached: int, low: float, high: float | None, note: str
) -> None:
    values = [*range(1, reached + 1), *[None] * (10 - reached)]
    found = median(values)
    assert isinstance(found, Interval)
    assert (found.low, found.high, found.note) == (low, high, note)
    mirrored = median([None if each is None else -each for each in values], nulls="lowest")
    assert isinstance(mirrored, Interval)
    assert mirrored.high == -low
    assert mirrored.low == (None if high is None else -high)
    assert mirrored.level == pytest.approx(found.level)


def test_rows_without_any_value_reach_nothing() -> None:
    assert median([None] * 12) == CannotTell("not reached")
    assert quantile([*range(5), *[None] * 15], 0.9) == CannotTell("not reached")


def test_an_end_that_does_not_exist_is_none() -> None:
    found = quantile(range(10), 0.95)
    assert isinstance(found, Interval)
    assert (found.low, found.high) == (7, None)


def test_order_does_not_matter() -> None:
    values = np.random.default_rng(1).normal(size=50)
    assert median(values) == median(values[::-1])


@pytest.mark.parametrize("p", [0, 1, -0.5, 2])
def test_no_quantile_lies_outside(p: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile([1, 2, 3], p)


def test_a_wrong_end_is_refused() -> None:
    with pytest.raises(ValueError, match="`upper` is none of low, high, either"):
        smallest_n(0.5, end="upper")
    with pytest.raises(ValueError, match="cannot hold -1 values"):
        ranks(-1, 0.5)
