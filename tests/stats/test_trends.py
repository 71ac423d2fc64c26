"""Mann-Kendall: enumeration of all orders, scipy's exact tau, and the normal approximation."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import stats

from benchdata.stats.results import CannotTell
from benchdata.stats.trends import Trend, inversions, mann_kendall


def score(values: tuple[float, ...] | list[float]) -> int:
    return sum((b > a) - (b < a) for a, b in combinations(values, 2))


def by_enumeration(values: list[float]) -> Fraction:
    scores = [score(order) for order in permutations(values)]
    observed = score(values)
    tails = (sum(s <= observed for s in scores), sum(s >= observed for s in scores))
    return min(Fraction(2 * min(tails), len(scores)), Fraction(1))


@pytest.mark.parametrize(
    "values",
    [
        [1.00, 1.04, 1.08],
        [1, 2, 3, 4, 5],
        [1, 1, 2, 3, 2],
        [1, 2, 2, 2],
        [3, 3, 1, 1, 2, 2, 5],
        [0, 0, 1, 1, 1, 2, 0],
        [4, 4, 4],
    ],
)
def test_p_is_the_share_of_all_orders(values: list[float]) -> None:
    found = mann_kendall(values)
    assert isinstance(found, Trend)
    assert found.exact_p == by_enumeration(values)
    assert found.s == score(values)
    assert found.method == "exact"


def test_creep_of_three_versions_is_named_and_cannot_be_shown() -> None:
    found = mann_kendall([1.00, 1.04, 1.08])
    assert isinstance(found, Trend)
    assert (found.tau, found.exact_p, found.floor) == (1.0, Fraction(1, 3), Fraction(1, 3))


@pytest.mark.parametrize("n", [2, 7, 20, 60])
def test_it_agrees_with_scipys_exact_tau(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n) + np.arange(n) * 0.03
    found = mann_kendall(values)
    oracle = stats.kendalltau(np.arange(n), values, method="exact")
    assert isinstance(found, Trend)
    assert found.tau == pytest.approx(oracle.statistic)
    assert found.p == pytest.approx(oracle.pvalue)


def test_equal_values_are_no_trend() -> None:
    found = mann_kendall([5.0] * 12)
    assert isinstance(found, Trend)
    assert (found.s, found.tau, found.p) == (0, 0.0, 1.0)


def test_above_a_hundred_values_the_approximation_is_named_and_close() -> None:
    values = [int(each) for each in np.random.default_rng(3).integers(0, 3, 101)]
    found = mann_kendall(values)
    assert isinstance(found, Trend)
    assert found.method == "normal approximation"
    sizes = tuple(sorted(values.count(each) for each in set(values)))
    ways = inversions(sizes)
    falls = (len(ways) - 1 - abs(found.s)) // 2
    exact = Fraction(2 * sum(ways[: falls + 1]), sum(ways))
    assert found.p == pytest.approx(float(exact), rel=0.01)  # without the tie correction: 19% off


def test_a_hopelessly_clear_trend_has_a_p_above_zero() -> None:
    found = mann_kendall(range(5000))
    assert isinstance(found, Trend)
    assert 0 < found.exact_p < Fraction(1, 10**100)


def test_the_counts_are_all_orders() -> None:
    assert inversions((1, 1, 1, 1)) == (1, 3, 5, 6, 5, 3, 1)
    assert inversions((2, 2)) == (1, 1, 2, 1, 1)
    assert inversions((3,)) == (1,)
    assert sum(inversions((1, 2, 3, 4))) == math.factorial(10) // (2 * 6 * 24)


@pytest.mark.parametrize("values", [[], [1.0]])
def test_fewer_than_two_values_cannot_be_told(values: list[float]) -> None:
    assert mann_kendall(values) == CannotTell("fewer than 2 values")
