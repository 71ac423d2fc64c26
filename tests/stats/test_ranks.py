"""Mann-Whitney with ties, unequal sizes and rows without a value."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchdata.stats.ranks import (
    MannWhitney,
    Pairs,
    Rankable,
    _approximate,
    cliffs_delta,
    mann_whitney,
    mann_whitneys,
    median,
    midranks,
    pairs,
    places,
)
from benchdata.stats.results import CannotTell

small = st.lists(st.integers(0, 4), min_size=1, max_size=5)


def compared(a: Sequence[Rankable], b: Sequence[Rankable]) -> MannWhitney:
    found = mann_whitney(a, b)
    assert isinstance(found, MannWhitney)
    return found


def approximated(a: Sequence[float], b: Sequence[float]) -> float:
    """Give the p of the normal approximation, which small groups never use."""
    ranked = places(a, b)
    doubled, sizes = midranks(sorted([*ranked[0], *ranked[1]]))
    twice_u = sum(doubled[place] for place in ranked[0]) - len(a) * (len(a) + 1)
    return float(_approximate(sizes, twice_u, len(a), len(b)))


def enumerated(a: Sequence[float], b: Sequence[float]) -> Fraction:
    """Give twice the smaller tail of U over every assignment of the pooled values."""
    pooled = [*a, *b]

    def doubled_u(chosen: Sequence[int]) -> int:
        rest = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        return sum(2 * (pooled[i] > y) + (pooled[i] == y) for i in chosen for y in rest)

    every = [*map(doubled_u, itertools.combinations(range(len(pooled)), len(a)))]
    observed = doubled_u(range(len(a)))
    tail = min(sum(u <= observed for u in every), sum(u >= observed for u in every))
    return min(Fraction(1), Fraction(2 * tail, len(every)))


@pytest.mark.parametrize(
    ("a", "b", "u", "p"),
    [
        ([1, 2, 2], [2, 3, 3, 3, 4, 4, 4], 1, Fraction(1, 20)),
        ([5, 5, 5], [1, 2, 5, 5, 6, 7, 8, 9], 9, Fraction(36, 55)),
        ([1, 2, 3], [4, 5, 6], 0, Fraction(1, 10)),
        ([1, 2, 3, 4], [5, 6, 7, 8], 0, Fraction(2, 70)),
        (range(1, 6), range(6, 11), 0, Fraction(2, 252)),
        ([19, 22, 16, 29, 24], [20, 11, 17, 12], 17, Fraction(1, 9)),
        ([1, 1, 2, 2], [2, 2, 3, 3], 2, Fraction(6, 35)),
        ([115, 114, 115, 115, 115], [78.8] * 5, 25, Fraction(2, 252)),
        ([1] * 5, [1] * 5, Fraction(25, 2), Fraction(1)),
        ([7], [9], 0, Fraction(1)),
    ],
)
def test_reference_values(a: Sequence[float], b: Sequence[float], u: float, p: Fraction) -> None:
    found = compared(a, b)
    assert found.u == u
    assert (found.exact_p, found.method) == (p, "exact")
    assert found.significant == (p <= Fraction(1, 20))


@pytest.mark.parametrize(
    ("a", "b", "p"),
    [
        ([1, 2, 2], [2, 3, 3, 3, 4, 4, 4], 0.033154),
        ([5, 5, 5], [1, 2, 5, 5, 6, 7, 8, 9], 0.592499),
        ([19, 22, 16, 29, 24], [20, 11, 17, 12], 0.1113469),
        ([1, 1, 2, 2], [2, 2, 3, 3], 0.086359),
        ([115, 114, 115, 115, 115], [78.8] * 5, 0.0055836),
        ([0] * 8 + [1] * 2, [0] * 3 + [1] * 7, 0.0318),
    ],
)
def test_reference_values_of_the_approximation(a: list[float], b: list[float], p: float) -> None:
    digits = len(str(p)) - 2
    assert round(approximated(a, b), digits) == p


@pytest.mark.parametrize("n", range(2, 9))
def test_the_least_reachable_p_is_two_of_all_arrangements(n: int) -> None:
    assert compared(range(n), range(n, 2 * n)).exact_p == Fraction(2, math.comb(2 * n, n))


@settings(deadline=None)
@given(small, small)
def test_p_equals_enumeration(a: list[int], b: list[int]) -> None:
    assert compared(a, b).exact_p == enumerated(a, b)


@settings(deadline=None)
@given(small, small, st.randoms(use_true_random=False))
def test_groups_may_be_swapped_and_rows_shuffled(
    a: list[int], b: list[int], random_: random.Random
) -> None:
    found, swapped = compared(a, b), compared(b, a)
    assert found.exact_p == swapped.exact_p
    assert found.u + swapped.u == len(a) * len(b)
    shuffled = a.copy()
    random_.shuffle(shuffled)
    assert compared(shuffled, b) == found


@settings(deadline=None)
@given(small, small)
def test_a_rising_function_of_the_values_changes_nothing(a: list[int], b: list[int]) -> None:
    assert compared([math.exp(x) for x in a], [math.exp(x) for x in b]) == compared(a, b)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 60), st.integers(60, 140), st.integers(2, 400))
def test_large_groups_equal_scipy(seed: int, n: int, m: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, levels, n).tolist(), rng.integers(0, levels + 3, m).tolist()
    ours = compared(a, b)
    theirs = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=True)
    assert float(ours.u) == theirs.statistic
    assert (ours.method == "exact") == (n + m <= 100)
    if n + m > 100:
        assert ours.method.startswith("normal approximation")
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-12)


@pytest.mark.parametrize(("n", "m"), [(50, 50), (3, 97), (10, 30)])
def test_exact_p_without_ties_equals_scipy_to_a_hundred_rows(n: int, m: int) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.normal(0, 1, n), rng.normal(0.4, 1, m)
    ours = compared([*a], [*b])
    assert ours.method == "exact"
    assert ours.p == pytest.approx(stats.mannwhitneyu(a, b, method="exact").pvalue, rel=1e-9)


def test_more_than_a_hundred_rows_that_are_all_equal_have_a_p_of_one() -> None:
    assert compared([3] * 60, [3] * 60).exact_p == 1


def test_p_never_becomes_zero() -> None:
    assert 0 < compared(range(5000), range(5000, 10_000)).p < 1e-300


@pytest.mark.parametrize(("a", "b"), [([], [1]), ([1], []), ([], [])])
def test_a_group_without_rows_cannot_be_compared(a: list[float], b: list[float]) -> None:
    assert mann_whitney(a, b) == CannotTell("a group has no rows")
    assert cliffs_delta(a, b) == CannotTell("a group has no rows")


def test_rows_without_a_value_rank_worst_and_tied() -> None:
    a, b = [1, 2, 3, None, None], [4, 5, None]
    assert mann_whitney(a, b) == mann_whitney([1, 2, 3, 9, 9], [4, 5, 9])
    lowest = mann_whitney(a, b, nulls="lowest")
    assert lowest == mann_whitney([1, 2, 3, 0, 0], [4, 5, 0])


@pytest.mark.parametrize("nulls", ["highest", "lowest"])
def test_groups_of_nulls_only_are_tied(nulls: str) -> None:
    found = mann_whitney(
        [None] * 3, [None] * 4, nulls="highest" if nulls == "highest" else "lowest"
    )
    assert isinstance(found, MannWhitney)
    assert found.exact_p == 1


def test_equal_fractions_and_doubles_tie() -> None:
    assert compared([Fraction(1, 3), Fraction(1, 10)], [1 / 3, 0.1]).u == 2


def test_a_value_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        mann_whitney([1.0, math.inf], [2.0])


@pytest.mark.parametrize(
    ("a", "b", "delta"),
    [
        ([12, 15, 17, 20, 24], [14, 19, 22, 28, 31, 36], Fraction(8, 15)),
        ([410, 455, 470, 502, 530, 610], [395, 400, 420, 431, 440, 462, 480], Fraction(-13, 21)),
        ([1, 2, 3, 4], [5, 6, 7, 8], Fraction(1)),
        ([1, 1], [1], Fraction(0)),
    ],
)
def test_cliffs_delta_reads_b_over_a(a: list[float], b: list[float], delta: Fraction) -> None:
    assert cliffs_delta(a, b) == float(delta)


@settings(deadline=None)
@given(small, small)
def test_pairs_are_counted_once(a: list[int], b: list[int]) -> None:
    found = pairs(a, b)
    assert isinstance(found, Pairs)
    assert found.a_above == sum(x > y for x in a for y in b)
    assert found.b_above == sum(x < y for x in a for y in b)
    assert found.tied == sum(x == y for x in a for y in b)
    assert found.share_above == found.a_above / (len(a) * len(b))
    assert compared(a, b).u == found.a_above + Fraction(found.tied, 2)


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ([3, 1, 2], 2.0),
        ([0.8] * 5 + [1.0] * 5, 0.9),
        ([1, 2, None], 2.0),
        ([1, None, None], CannotTell("not reached")),
        ([1, 2, None, None], CannotTell("not reached")),
        ([None], CannotTell("not reached")),
        ([], CannotTell("no rows")),
    ],
)
def test_a_median_among_nulls_is_not_reached(
    values: list[Rankable], answer: float | CannotTell
) -> None:
    assert median(values) == answer


def test_nulls_of_a_score_are_at_the_low_end() -> None:
    assert median([None, 0.2, 0.4], nulls="lowest") == 0.2


def test_a_batch_equals_single_tests_and_scipy() -> None:
    rng = np.random.default_rng(5)
    groups = [(rng.integers(0, 5, 5).tolist(), rng.integers(1, 6, 6).tolist()) for _ in range(20)]
    found = mann_whitneys(groups)
    assert found == tuple(mann_whitney(a, b) for a, b in groups)
    for (a, b), ours in zip(groups[:3], found[:3], strict=True):
        assert isinstance(ours, MannWhitney)
        ranks = stats.rankdata([*a, *b])
        theirs = stats.permutation_test(
            (ranks[:5], ranks[5:]), lambda x, _: x.sum(), n_resamples=10**6
        )
        assert ours.p == pytest.approx(theirs.pvalue)
