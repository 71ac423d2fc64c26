"""Monotone trends over versions: the Mann-Kendall test, exact and right for ties."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np
from scipy.special import ndtr

from benchdata.stats.rationals import Number, Tested, scaled
from benchdata.stats.results import CannotTell

EXACT_TO = 100  # values; above, the normal approximation


@dataclass(frozen=True, slots=True)
class Trend(Tested):
    """Mann-Kendall of n values in order: `s` pairs that rise more than fall, `tau` as a share.

    `floor` is the smallest p that n values without ties can reach.
    """

    s: int
    tau: float
    n: int
    floor: Fraction
    method: str


def mann_kendall(values: Iterable[Number]) -> Trend | CannotTell:
    """Test whether n values in order tend to rise or fall, two-sided: twice the smaller tail.

    Exact to 100 values, with any ties; above, the tie-corrected normal approximation with
    continuity correction. All values equal: p is 1. The values must be independent. Needs two.
    Sources: Mann 1945, "Nonparametric tests against trend"; Kendall 1975, "Rank correlation
    methods"; the exact null counts inversions of a multiset (MacMahon's q-multinomial).

    Raises:
        ValueError: A value is not finite.
    """
    numbers, _ = scaled(values)
    n = len(numbers)
    if n < 2:
        return CannotTell("fewer than 2 values")
    s = _rising_minus_falling(numbers)
    ties = tuple(sorted(Counter(numbers).values()))
    exact = n <= EXACT_TO
    p = _exact_p(s, ties) if exact else _normal_p(s, ties)
    floor = min(Fraction(2, math.factorial(n)), Fraction(1))
    method = "exact" if exact else "normal approximation"
    return Trend(p, s, s / math.comb(n, 2), n, floor, method)


def _rising_minus_falling(numbers: Sequence[int]) -> int:
    places = {number: place for place, number in enumerate(sorted(set(numbers)))}
    ranks = np.array([places[number] for number in numbers])
    return sum(int(np.sign(ranks[i + 1 :] - ranks[i]).sum()) for i in range(len(ranks) - 1))


def _exact_p(s: int, ties: tuple[int, ...]) -> Fraction:
    """Return twice the tail: of all orders of the multiset, those that fall at least as much.

    The distribution is symmetric, so the tail of -|s| serves both directions.
    """
    ways = inversions(ties)
    untied = len(ways) - 1  # pairs of different values
    fewest = (untied - abs(s)) // 2
    return min(Fraction(2 * sum(ways[: fewest + 1]), sum(ways)), Fraction(1))


@lru_cache(maxsize=64)
def inversions(ties: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many orders of a multiset have 0, 1, 2, ... inversions; `ties` its group sizes.

    The product of q-binomials: each group of equal values is mixed into those before it.
    """
    ways = [1]
    placed = 0
    for size in ties:
        for chosen in range(1, size + 1):
            ways = _divided(_times(ways, placed + chosen), chosen)
        placed += size
    return tuple(ways)


def _times(ways: list[int], k: int) -> list[int]:
    """Multiply by 1 + q + ... + q^(k-1)."""
    summed = list(accumulate(ways + [0] * (k - 1)))
    return [each - (summed[i - k] if i >= k else 0) for i, each in enumerate(summed)]


def _divided(ways: list[int], k: int) -> list[int]:
    """Divide by 1 + q + ... + q^(k-1), without a remainder by construction."""
    quotient: list[int] = []
    for i in range(len(ways) - k + 1):
        before = quotient[i - k] if i >= k else 0
        quotient.append(ways[i] - (ways[i - 1] if i else 0) + before)
    return quotient


def _normal_p(s: int, ties: tuple[int, ...]) -> Fraction:
    n = sum(ties)
    scale = n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)
    if s == 0 or not scale:
        return Fraction(1)
    z = (abs(s) - 1) / math.sqrt(scale / 18)
    # Below the smallest double the tail would be 0, which no p is.
    return Fraction(max(min(2 * float(ndtr(-z)), 1.0), 5e-324))
