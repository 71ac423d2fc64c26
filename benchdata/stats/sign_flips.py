"""The sign-flip test of paired differences and ratios, one at a time and for many groups."""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce

import numpy as np

from benchdata.stats.draws import (
    DRAWN,
    NEAR,
    BoolArray,
    FloatArray,
    against,
    numbers,
    p_of_draws,
)
from benchdata.stats.exact import ENUMERATED, EXACT, Combine, Sums, subset_sums, totals
from benchdata.stats.rationals import Number, Tested, rational, scaled

TABLE_BITS = 1 << 26  # the largest generating function: 8 MiB
CELLS = 1 << 20  # sums of a batch that are held at a time


@dataclass(frozen=True, slots=True)
class SignFlip(Tested):
    """A sign-flip test of `n` values, of which `moved` are not zero (ratios: not one)."""

    n: int
    moved: int
    method: str


@dataclass(frozen=True, slots=True)
class _Arms:
    """What flipping chooses from: pair i adds (or multiplies by) its first number or its second.

    `larger` and `smaller` are the totals of the observed arrangement and of its mirror image. In
    doubles: `weights` is what the first number of each pair is worth above the second, `high` and
    `low` are the sums of what the observed arrangement and its mirror image pick.
    """

    pairs: Sequence[tuple[int, int]]
    larger: int
    smaller: int
    weights: FloatArray
    high: float
    low: float
    combine: Combine = operator.add
    start: int = 0

    def total(self, pattern: BoolArray) -> int:
        """Return the exact total when the pairs marked give their first number."""
        picked = (pair[0 if first else 1] for pair, first in zip(self.pairs, pattern, strict=True))
        return reduce(self.combine, picked, self.start)


def sign_flip(differences: Iterable[Number]) -> SignFlip:
    """Test whether n differences lie around 0, two-sided.

    p is the share of the 2^n sign patterns, the observed one included, with an absolute sum at
    least as large as the observed. Zeros leave p as it is and are dropped. Differences on a lattice
    use a generating function at any n; others are enumerated to 16 differences, then 100,000 draws
    give (b + 1) / (B + 1). Without a difference, or with none that moved, p is 1.
    Source: Fisher 1935, "The design of experiments", section 21; Pagano and Tritchler 1983.

    Raises:
        ValueError: A difference is not finite.
    """
    values, _ = scaled(differences)
    p, method = _of_integers(values)
    return SignFlip(p, len(values), sum(map(bool, values)), method)


def sign_flip_of_ratios(ratios: Iterable[Number]) -> SignFlip:
    """Test whether n positive ratios lie around 1: the sign-flip of their logarithms, two-sided.

    Sums of logarithms are compared as products of integers, so ties are ties. Exact to 16 ratios
    other than 1, then 100,000 draws. Without such a ratio p is 1.
    Source: as `sign_flip`.

    Raises:
        ValueError: A ratio is not finite or not above 0.
    """
    fractions = [rational(ratio) for ratio in ratios]
    if any(each <= 0 for each in fractions):
        raise ValueError("a ratio is above 0")
    moved = [each for each in fractions if each != 1]
    pairs = sorted((max(each.as_integer_ratio()), min(each.as_integer_ratio())) for each in moved)
    ups = math.prod(each.numerator for each in moved)
    downs = math.prod(each.denominator for each in moved)
    logarithms = [math.log1p((high - low) / low) for high, low in pairs]
    distance = abs(math.fsum(math.log(each) for each in moved))
    whole = math.fsum(logarithms)
    arms = _Arms(
        pairs,
        max(ups, downs),
        min(ups, downs),
        np.array(logarithms),
        (whole + distance) / 2,
        (whole - distance) / 2,
        operator.mul,
        1,
    )
    p, method = _flipped(arms)
    return SignFlip(p, len(fractions), len(moved), method)


def sign_flips(groups: Sequence[Sequence[float] | FloatArray]) -> tuple[Fraction, ...]:
    """Return the p of `sign_flip` for every group of differences, much faster than one by one.

    Groups of up to 16 differences are enumerated together in doubles; those in which a sum is too
    near the observed one for doubles (ties, as a rule) are done again exactly.

    Raises:
        ValueError: A difference is not finite.
    """
    by_size: dict[int, list[int]] = defaultdict(list)
    for index, group in enumerate(groups):
        by_size[len(group)].append(index)
    found: dict[int, Fraction] = {}
    for size, members in by_size.items():
        if 1 < size <= ENUMERATED.bit_length() - 1:
            step = max(1, CELLS >> (size - 1))
            for first in range(0, len(members), step):
                part = members[first : first + step]
                block = np.array([groups[index] for index in part], dtype=np.float64)
                found.update(_without_ties(part, block))
    return tuple(
        found[index] if index in found else sign_flip(group).exact_p
        for index, group in enumerate(groups)
    )


def _without_ties(members: Sequence[int], block: FloatArray) -> dict[int, Fraction]:
    """Return p for the rows of `block`, shape (groups, n), that doubles can decide."""
    n = block.shape[1]
    patterns = np.arange(1 << (n - 1))[:, None] >> np.arange(n - 1) & 1
    signs = np.concatenate([np.ones((len(patterns), 1)), 1.0 - 2.0 * patterns], axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        gaps = np.abs(block @ signs.T)
        gaps -= gaps[:, :1]  # the first pattern is the one observed
        tolerance = NEAR * np.abs(block).sum(axis=1, keepdims=True)
        above = np.count_nonzero(gaps > tolerance, axis=1)
        below = np.count_nonzero(gaps < -tolerance, axis=1)
    near = len(patterns) - above - below  # a sum that is not a number is near as well
    return {
        member: Fraction(int(count) + 1, 1 << (n - 1))
        for member, count, alone in zip(members, above, near == 1, strict=True)
        if alone
    }


def _of_integers(values: Sequence[int]) -> tuple[Fraction, str]:
    """Return p and the method for differences that are integers on a common scale."""
    moved = [value for value in values if value]
    observed = abs(sum(moved))
    if not observed:
        return Fraction(1), EXACT
    unit = math.gcd(*moved)
    sizes = tuple(sorted(abs(value) // unit for value in moved))
    whole = sum(sizes)
    larger = (whole + observed // unit) // 2
    if whole * (len(sizes) + 2) <= TABLE_BITS:
        return Fraction(2 * _signs(sizes).at_least(larger), 1 << len(sizes)), EXACT
    smaller = whole - larger
    shares = np.array([size / whole for size in sizes])
    pairs = [(size, 0) for size in sizes]
    return _flipped(_Arms(pairs, larger, smaller, shares, larger / whole, smaller / whole))


@lru_cache(maxsize=256)
def _signs(sizes: tuple[int, ...]) -> Sums:
    return subset_sums(sizes)


def _flipped(arms: _Arms) -> tuple[Fraction, str]:
    """Return p and the method by enumeration or, beyond 2^16 patterns, by draws."""
    n = len(arms.pairs)
    if arms.larger == arms.smaller:
        return Fraction(1), EXACT
    if 1 << n <= ENUMERATED:
        ways = totals(arms.pairs, arms.combine, arms.start)
        upper = sum(count for total, count in ways.items() if total >= arms.larger)
        return Fraction(2 * upper, 1 << n), EXACT
    extreme = 0
    for block in numbers("sign-flip", arms.pairs, n):
        patterns = (block >> np.uint64(63)).astype(np.bool_)
        above = against(
            patterns, arms.weights, arms.high, lambda one: arms.total(one) - arms.larger
        )
        below = against(
            patterns, arms.weights, arms.low, lambda one: arms.total(one) - arms.smaller
        )
        extreme += int(np.count_nonzero((above >= 0) | (below <= 0)))
    return p_of_draws(extreme), DRAWN
