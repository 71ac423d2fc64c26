"""The rates that the scenarios expect, by other ways than drawing."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from benchdata.stats.shifts import critical
from benchdata.stats.sign_flips import sign_flip
from tests.calibration.single_tests import EXACT_REPEATS, RANK_RATES, SIGN_FLIP_RATES


def moves_of_three(rate: Fraction) -> dict[int, Fraction]:
    """Return the chance of each difference of passes of two cells of three trials."""
    cell = [math.comb(3, k) * rate**k * (1 - rate) ** (3 - k) for k in range(4)]
    found: dict[int, Fraction] = {}
    for a, first in enumerate(cell):
        for b, second in enumerate(cell):
            found[b - a] = found.get(b - a, Fraction(0)) + first * second
    return found


@pytest.mark.parametrize("tasks", [3, 5, 6, 10])
def test_repeats_by_every_result_of_all_tasks(tasks: int) -> None:
    chances = moves_of_three(Fraction(4, 5))
    total = Fraction(0)
    for results in combinations_with_replacement(sorted(chances), tasks):
        if sign_flip(results).significant:
            orders = math.factorial(tasks)
            for move in {*results}:
                orders //= math.factorial(results.count(move))
            total += orders * math.prod(chances[move] for move in results)
    assert float(total) == pytest.approx(EXACT_REPEATS[tasks], abs=5e-5)


@pytest.mark.parametrize(("n", "m"), RANK_RATES)
def test_ranks_by_the_level_of_the_shift_interval(n: int, m: int) -> None:
    k, level, _ = critical(n, m)
    assert RANK_RATES[n, m] == pytest.approx(1 - level if k else 0.0, abs=5e-5)


@pytest.mark.parametrize("n", SIGN_FLIP_RATES)
def test_sign_flips_by_the_patterns_that_a_twentieth_admits(n: int) -> None:
    patterns = 2**n // 20 // 2 * 2  # they come in mirrored pairs
    assert SIGN_FLIP_RATES[n] == pytest.approx(patterns / 2**n, abs=5e-6)
