"""Fisher's test, the sign test and McNemar's, counted in integers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar

from benchdata.stats.results import CannotTell
from benchdata.stats.tables import Fisher, fisher, mcnemar, sign_test

counts = st.integers(0, 12)


@pytest.mark.parametrize(
    ("b", "c", "exact", "mid"),
    [
        (5, 0, 0.0625, 0.03125),
        (1, 9, 0.021484, 0.011719),
        (2, 10, 0.038574, 0.022461),
        (10, 25, 0.016674, 0.011331),
        (121, 59, 4.434e-6, 3.267e-6),
        (0, 0, 1, 1),
        (4, 4, 1, 1),
    ],
)
def test_mcnemar_reference_values(b: int, c: int, exact: float, mid: float) -> None:
    found = mcnemar(b, c)
    tolerance = 5e-10 if exact < 1e-3 else 5e-7
    assert found.p == pytest.approx(exact, abs=tolerance)
    assert found.mid_p == pytest.approx(mid, abs=tolerance)
    assert mcnemar(c, b).exact_p == found.exact_p
    assert found.exact_p == sign_test(b, c).exact_p


@pytest.mark.parametrize(("b", "c"), [(5, 1), (1, 9), (10, 25), (60, 40)])
def test_mcnemar_equals_statsmodels(b: int, c: int) -> None:
    theirs = their_mcnemar([[3, b], [c, 7]], exact=True).pvalue
    assert mcnemar(b, c).p == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize(
    ("n", "p"),
    [(1, 1), (2, 0.5), (3, 0.25), (4, 0.125), (5, 0.0625), (6, 0.03125), (7, 0.015625), (8, 2**-7)],
)
def test_a_sign_test_reaches_two_of_all_patterns(n: int, p: float) -> None:
    assert sign_test(n, 0).exact_p == Fraction(p)


@settings(deadline=None)
@given(counts, counts)
def test_a_sign_test_equals_the_binomial_test(better: int, worse: int) -> None:
    p = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert sign_test(better, worse).p == pytest.approx(p, rel=1e-12)


def enumerated(a: int, n: int, b: int, m: int) -> Fraction:
    passes = a + b
    ways = [math.comb(n, k) * math.comb(m, passes - k) for k in range(passes + 1)]
    return Fraction(sum(w for w in ways if w <= ways[a]), math.comb(n + m, passes))


@settings(deadline=None)
@given(counts, counts, counts, counts)
def test_fisher_equals_enumeration(a: int, left: int, b: int, right: int) -> None:
    n, m = a + left, b + right
    found, mirrored = fisher(a, n, b, m), fisher(b, m, a, n)
    if n and m:
        assert isinstance(found, Fisher)
        assert isinstance(mirrored, Fisher)
        assert found.exact_p == enumerated(a, n, b, m) == mirrored.exact_p
        assert 0 < found.p <= 1
    else:
        assert found == CannotTell("a group has no rows")


@pytest.mark.parametrize(
    ("a", "n", "b", "m", "p"),
    [
        (2, 10, 7, 10, 0.0698),
        (0, 10, 4, 10, 0.0867),
        (0, 10, 0, 10, 1),
        (10, 10, 10, 10, 1),
        (3, 3, 0, 3, 0.1),
    ],
)
def test_fisher_reference_values(a: int, n: int, b: int, m: int, p: float) -> None:
    found = fisher(a, n, b, m)
    assert isinstance(found, Fisher)
    assert round(found.p, 4) == p


@pytest.mark.parametrize(("a", "n", "b", "m"), [(29, 95, 51, 94), (1, 30, 9, 31), (400, 900, 1, 5)])
def test_fisher_equals_scipy(a: int, n: int, b: int, m: int) -> None:
    found = fisher(a, n, b, m)
    assert isinstance(found, Fisher)
    theirs = stats.fisher_exact(np.array([[a, n - a], [b, m - b]])).pvalue
    assert found.p == pytest.approx(theirs, rel=1e-9)


def test_counts_that_are_no_table_are_refused() -> None:
    with pytest.raises(ValueError, match="4 of 3 against 0 of 2 is no table"):
        fisher(4, 3, 0, 2)
    with pytest.raises(ValueError, match="not a count"):
        sign_test(-1, 3)
