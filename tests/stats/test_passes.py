"""pass@k and pass^k as exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from benchdata.stats.passes import pass_at_k, pass_hat_k
from benchdata.stats.results import CannotTell


@pytest.mark.parametrize(
    ("n", "c", "k", "at", "hat"),
    [
        (10, 3, 2, Fraction(8, 15), Fraction(1, 15)),
        (10, 3, 5, Fraction(11, 12), Fraction(0)),
        (5, 4, 3, Fraction(1), Fraction(2, 5)),
        (3, 2, 2, Fraction(1), Fraction(1, 3)),
    ],
)
def test_the_published_values(n: int, c: int, k: int, at: Fraction, hat: Fraction) -> None:
    assert pass_at_k(n, c, k) == at
    assert pass_hat_k(n, c, k) == hat
    assert float(Fraction(1, 15)) == pytest.approx(0.066667, abs=5.1e-7)


def test_they_are_the_shares_of_all_draws_without_replacement() -> None:
    for n in range(1, 7):
        for c in range(n + 1):
            trials = [1] * c + [0] * (n - c)
            for k in range(1, n + 1):
                draws = list(combinations(trials, k))
                assert pass_at_k(n, c, k) == Fraction(sum(map(any, draws)), len(draws))
                assert pass_hat_k(n, c, k) == Fraction(sum(map(all, draws)), len(draws))


@pytest.mark.parametrize(("n", "k"), [(3, 4), (0, 1)])
def test_more_trials_than_there_are_cannot_be_told(n: int, k: int) -> None:
    reason = CannotTell(f"k = {k} is more than the {n} trials")
    assert pass_at_k(n, n, k) == pass_hat_k(n, n, k) == reason


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    for function in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match="not possible"):
            function(n, c, k)
