"""The sign-flip test: counted in integers, equal to enumeration, the same in any order."""

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

from benchdata.stats.draws import DRAWS
from benchdata.stats.exact import joined
from benchdata.stats.sign_flips import sign_flip, sign_flip_of_ratios, sign_flips

THIRD = 1 / 3
lattice = st.lists(st.integers(-6, 6).map(lambda k: Fraction(k, 3)), max_size=9)
reals = st.lists(st.floats(-1e6, 1e6), max_size=9)


def enumerated(differences: Sequence[Fraction]) -> Fraction:
    """Look at every sign pattern of every difference."""
    observed = abs(sum(differences, Fraction(0)))
    signs = itertools.product((1, -1), repeat=len(differences))
    flipped = ([s * d for s, d in zip(row, differences, strict=True)] for row in signs)
    sums = [abs(sum(row, Fraction(0))) for row in flipped]
    return Fraction(sum(total >= observed for total in sums), len(sums))


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([-0.3, 0.5, 0.6, -0.1, 0.5, 0.1, 0.7, 0.7], Fraction(14, 256)),
        ([0.2, 0.3, 0.1, 0.4, -0.2, 0.7, 0.6], Fraction(8, 128)),
        ([THIRD, 2 / 3, THIRD, -THIRD, 1, 2 / 3, THIRD], Fraction(10, 128)),
        ([Fraction(k, 3) for k in (1, 2, 1, -1, 3, 2, 1)], Fraction(10, 128)),
        ([0.1, -0.05, 0, 0.05, 0.1, -0.1, 0.05, 0, 0.15, -0.05, 0.05, 0.1], Fraction(214, 1024)),
        ([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], Fraction(2, 16)),
        ([0.4], Fraction(1)),
        ([], Fraction(1)),
        ([0, 0, 0], Fraction(1)),
        ([1, -1], Fraction(1)),
        ([1] * 6, Fraction(1, 32)),
        ([3] * 80, Fraction(2, 2**80)),
    ],
)
def test_reference_values(differences: list[float | Fraction], p: Fraction) -> None:
    found = sign_flip(differences)
    assert (found.exact_p, found.method) == (p, "exact")
    assert found.p == float(p)
    assert found.significant == (p <= Fraction(1, 20))
    assert found.moved == len(differences) - differences.count(0)


@settings(deadline=None)
@given(lattice)
def test_lattice_differences_equal_enumeration(differences: list[Fraction]) -> None:
    assert sign_flip(differences).exact_p == enumerated(differences)


@settings(deadline=None)
@given(reals)
def test_real_differences_equal_enumeration(differences: list[float]) -> None:
    assert sign_flip(differences).exact_p == enumerated([Fraction(repr(d)) for d in differences])


@settings(deadline=None)
@given(lattice, st.randoms(use_true_random=False))
def test_order_and_direction_do_not_matter(
    differences: list[Fraction], random_: random.Random
) -> None:
    shuffled = [-each for each in differences]
    random_.shuffle(shuffled)
    assert sign_flip(shuffled) == sign_flip(differences)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), min_size=17, max_size=24), st.randoms(use_true_random=False))
def test_draws_depend_on_the_values_alone(values: list[float], random_: random.Random) -> None:
    first = sign_flip(values)
    shuffled = values.copy()
    random_.shuffle(shuffled)
    assert sign_flip(shuffled) == first
    assert 0 < first.p <= 1


def test_draws_agree_with_the_generating_function() -> None:
    """The same 18 steps, once on a lattice and once moved off it by too little to matter."""
    steps = [(1 if k % 4 else -1) * (k * k * 977 % 99_991) for k in range(1, 19)]
    drawn = sign_flip(step + math.sqrt(k) / 1e9 for k, step in enumerate(steps, 2))
    exact = sign_flip(steps)
    assert (drawn.method, exact.method) == ("100,000 draws", "exact")
    error = math.sqrt(exact.p * (1 - exact.p) / DRAWS)
    assert abs(drawn.p - exact.p) < 4 * error


def test_a_drawn_p_is_never_zero() -> None:
    found = sign_flip(1 + math.sqrt(n) * 1e-3 for n in range(2, 42))
    assert found.exact_p == Fraction(1, DRAWS + 1)


def test_ties_among_draws_are_decided_as_integers() -> None:
    """Huge steps and tiny ones: in doubles every sum of as many huge ones is the same."""
    huge = [10**12 + 2**n for n in range(8)] + [-(10**12) - 2**n for n in range(8, 16)]
    found = sign_flip([*huge, 1, 1, 1])
    assert found.method == "100,000 draws"
    ways = {0: 1}
    for step in [*huge, 1, 1, 1]:
        ways = joined(ways, {step: 1, -step: 1})
    observed = abs(sum(huge) + 3)
    exact = sum(n for total, n in ways.items() if abs(total) >= observed) / 2**19
    assert abs(found.p - exact) < 4 * math.sqrt(exact * (1 - exact) / DRAWS)
    balanced = [10**15 + n for n in range(10)] + [-(10**15) - n for n in range(10)]
    assert sign_flip(balanced).exact_p == 1


def test_a_value_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        sign_flip([1.0, math.nan])
    with pytest.raises(ValueError, match="finite"):
        sign_flips([[1.0, math.inf]])


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3), Fraction(9, 2)]
        ),
        max_size=9,
    )
)
def test_ratios_equal_enumeration_of_products(ratios: list[Fraction]) -> None:
    moved = [max(r, 1 / r) for r in ratios]
    observed = math.prod(ratios, start=Fraction(1))
    observed = max(observed, 1 / observed)
    flips = itertools.product((1, -1), repeat=len(ratios))
    every = [
        math.prod((r**s for r, s in zip(moved, row, strict=True)), start=Fraction(1))
        for row in flips
    ]
    p = Fraction(sum(max(each, 1 / each) >= observed for each in every), len(every))
    assert sign_flip_of_ratios(ratios).exact_p == p


def test_powers_of_one_ratio_are_differences() -> None:
    steps = [1, 3, -2, 4, 1, 0, 2, -1]
    ratios = sign_flip_of_ratios(Fraction(3, 2) ** step for step in steps)
    assert ratios.exact_p == sign_flip(steps).exact_p
    assert (ratios.n, ratios.moved) == (8, 7)


def test_many_ratios_are_drawn_and_ties_stay_ties() -> None:
    """20 steps of one factor: sums of logarithms tie, so the binomial distribution comes out."""
    found = sign_flip_of_ratios([1.1] * 15 + [1 / Fraction(11, 10)] * 5)
    exact = sign_flip([1] * 15 + [-1] * 5).p
    assert found.method == "100,000 draws"
    assert abs(found.p - exact) < 4 * math.sqrt(exact * (1 - exact) / DRAWS)


@pytest.mark.parametrize("ratio", [0, -1.0, Fraction(-1, 2)])
def test_a_ratio_that_is_not_positive_is_refused(ratio: float | Fraction) -> None:
    with pytest.raises(ValueError, match="above 0"):
        sign_flip_of_ratios([2, ratio])


def test_ratios_near_one_of_long_numbers_are_told_apart() -> None:
    base = 10**15
    ratios = [Fraction(base + n, base) for n in (1, 2, 4, 8, 16)]
    assert sign_flip_of_ratios(ratios).exact_p == Fraction(2, 32)


@settings(max_examples=40, deadline=None)
@given(st.lists(lattice | reals, max_size=12))
def test_a_batch_gives_what_single_tests_give(groups: list[list[float | Fraction]]) -> None:
    rows = [[float(each) for each in group] for group in groups]
    assert sign_flips(rows) == tuple(sign_flip(row).exact_p for row in rows)


def test_a_batch_equals_scipy() -> None:
    groups = np.random.default_rng(11).normal(0.3, 1, (5, 10))
    for group, p in zip(groups, sign_flips([*groups]), strict=True):
        theirs = stats.permutation_test(
            (group,), np.sum, permutation_type="samples", n_resamples=10**6
        )
        assert float(p) == theirs.pvalue


def test_groups_of_a_batch_may_differ_in_size() -> None:
    assert sign_flips([[], [0.5], [1, 1], [1.0] * 20]) == (
        Fraction(1),
        Fraction(1),
        Fraction(1, 2),
        Fraction(2, 2**20),
    )
