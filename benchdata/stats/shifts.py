"""How far two unpaired groups lie apart: Hodges-Lehmann shift and ratio, with exact intervals."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from scipy.special import ndtri

from benchdata.stats.exact import rank_sums
from benchdata.stats.ranks import EXACT_ROWS, NO_ROWS, Rankable, Worst
from benchdata.stats.rationals import SIGNIFICANT, scaled
from benchdata.stats.results import CannotTell, Interval, interval

NOT_ESTIMABLE = CannotTell("not estimable: too many rows failed or have no value")
SHIFT = "Hodges-Lehmann"


@dataclass(frozen=True, slots=True)
class Shift:
    """The median of all pairwise differences (or ratios), treatment against baseline.

    The interval goes from the k-th smallest to the k-th largest of them. An end among rows without
    a value is None.
    """

    estimate: float | CannotTell
    interval: Interval | CannotTell
    k: int


@dataclass(frozen=True, slots=True)
class _Scale:
    """How a value of b lies against one of a, on integers.

    `value` is what a pair gives; a pair is at most (at least) v when its b is at most `floor(a, v)`
    (at least `ceiling(a, v)`).
    """

    value: Callable[[int, int], Fraction]
    floor: Callable[[int, Fraction], int]
    ceiling: Callable[[int, Fraction], int]


DIFFERENCES = _Scale(
    lambda a, b: Fraction(b - a),
    lambda a, v: a + math.floor(v),
    lambda a, v: a + math.ceil(v),
)
RATIOS = _Scale(
    lambda a, b: Fraction(b, a),
    lambda a, v: a * v.numerator // v.denominator,
    lambda a, v: -(-a * v.numerator // v.denominator),
)


def hodges_lehmann(
    a: Iterable[Rankable], b: Iterable[Rankable], *, nulls: Worst = "highest"
) -> Shift | CannotTell:
    """Return the shift from a (baseline) to b (treatment), in the unit of the values.

    The interval has the level of the exact Mann-Whitney test without ties (above 100 rows in both
    groups: of its normal approximation); sizes too small for 95% have none. Where ties leave it
    without width, its ends step outwards to the next different value.
    Rows without a value (None) rank worst, tied: a pair of two such rows tells nothing of the shift
    and is left out, each half of k. When the median lies among differences to them, the shift is
    not estimable.
    Source: Hodges and Lehmann 1963, "Estimates of location based on rank tests"; interval: Moses in
    Hollander and Wolfe 1973, "Nonparametric statistical methods".

    Raises:
        ValueError: A value is not finite.
    """
    return _apart([*a], [*b], nulls, DIFFERENCES)


def hodges_lehmann_ratio(
    a: Iterable[Rankable], b: Iterable[Rankable], *, nulls: Worst = "highest"
) -> Shift | CannotTell:
    """Return the ratio b / a (treatment over baseline): the shift of the logarithms, without unit.

    As `hodges_lehmann`; none exists where a value is 0, the shift serves there.

    Raises:
        ValueError: A value is not finite, or below 0.
    """
    first, second = [*a], [*b]
    present = [value for value in [*first, *second] if value is not None]
    if any(value < 0 for value in present):
        raise ValueError("a value below 0 has no ratio")
    if not all(present):
        return CannotTell("a value is 0, so its ratio does not exist")
    return _apart(first, second, nulls, RATIOS)


@lru_cache(maxsize=256)
def critical(n: int, m: int) -> tuple[int, float, str]:
    """Return k, the level and the method of the interval for n and m rows; k = 0 when none exists.

    k is the number of values of U without ties in the lower rejection tail at 0.05, two-sided.
    """
    if n + m > EXACT_ROWS:
        centre, spread = n * m / 2, math.sqrt(n * m * (n + m + 1) / 12)
        k = max(0, math.floor(centre + 0.5 + float(ndtri(0.025)) * spread))
        level = 1 - math.erfc((centre + 0.5 - k) / spread / math.sqrt(2))
        return k, level, f"{SHIFT}, normal approximation"
    n, m = sorted((n, m))
    ways = rank_sums(tuple(range(2, 2 * (n + m) + 1, 2)), n)
    k, reached = 0, Fraction(0)
    while k <= n * m:
        tail = Fraction(2 * ways.at_most(2 * k + n * (n + 1)), ways.total)
        if tail > SIGNIFICANT:
            break
        k, reached = k + 1, 1 - tail
    return k, float(reached), SHIFT


@dataclass(frozen=True, slots=True)
class _Differences:
    """All pairs of sorted integers a and b on a scale, without the list of them.

    `below` and `above` count the pairs that lie beyond all values, as one of their rows has none.
    """

    a: Sequence[int]
    b: Sequence[int]
    scale: _Scale
    below: int
    above: int

    @property
    def total(self) -> int:
        return self.below + len(self.a) * len(self.b) + self.above

    def at(self, rank: int) -> Fraction | None:
        """Return the rank-th smallest value from 1, exactly; None when it lies beyond all.

        Every row of the matrix (one value of a against all of b) is sorted. The weighted median of
        the rows' middles splits what is left.
        Source: Johnson and Mizoguchi 1978, "Selecting the kth element in X + Y and X1 + ... + Xm".
        """
        rank -= self.below
        if not 0 < rank <= len(self.a) * len(self.b):
            return None
        first, last = [0] * len(self.a), [len(self.b)] * len(self.a)
        while True:
            pivot = self._pivot(first, last)
            smaller = self.fewer(pivot)
            at_most = [bisect_right(self.b, self.scale.floor(x, pivot)) for x in self.a]
            if rank <= sum(smaller):
                last = smaller
            elif rank > sum(at_most):
                first = at_most
            else:
                return pivot

    def fewer(self, value: Fraction) -> list[int]:
        """Return for each value of a how many of b give less than `value`."""
        return [bisect_left(self.b, self.scale.ceiling(x, value)) for x in self.a]

    def beside(self, value: Fraction, side: int) -> Fraction | None:
        """Return the next different value below (side -1) or above (1), `value` when there is none.

        None when what comes next lies beyond all values.
        """
        if side < 0:
            rank = self.below + sum(self.fewer(value))
        else:
            upto = (bisect_right(self.b, self.scale.floor(x, value)) for x in self.a)
            rank = self.below + sum(upto) + 1
        return self.at(rank) if 0 < rank <= self.total else value

    def _pivot(self, first: Sequence[int], last: Sequence[int]) -> Fraction:
        middles = sorted(
            (self.scale.value(x, self.b[(low + high) // 2]), high - low)
            for x, low, high in zip(self.a, first, last, strict=True)
            if low < high
        )
        half = sum(weight for _, weight in middles) / 2
        for value, weight in middles:
            half -= weight
            if half <= 0:
                return value
        raise AssertionError("the weights add up to more than half of themselves")


def _apart(
    a: Sequence[Rankable], b: Sequence[Rankable], nulls: Worst, scale: _Scale
) -> Shift | CannotTell:
    if not a or not b:
        return NO_ROWS
    n, m = len(a), len(b)
    present = [[value for value in group if value is not None] for group in (a, b)]
    integers, denominator = scaled([*present[0], *present[1]])
    unit = denominator if scale is DIFFERENCES else 1
    first, second = sorted(integers[: len(present[0])]), sorted(integers[len(present[0]) :])
    lost = (n - len(first), m - len(second))
    k, level, method = critical(n, m)
    k = max(0, k - -(-lost[0] * lost[1] // 2))
    beyond = (lost[0] * len(second), lost[1] * len(first))
    below, above = beyond if nulls == "highest" else beyond[::-1]
    differences = _Differences(first, second, scale, below, above)
    estimate = _middle(differences, unit)
    if not k:
        return Shift(estimate, CannotTell(f"no 95% interval exists for {n} against {m} rows"), k)
    return Shift(estimate, _interval(differences, k, unit, level, method), k)


def _middle(differences: _Differences, unit: int) -> float | CannotTell:
    total = differences.total
    low, high = differences.at((total + 1) // 2), differences.at(total // 2 + 1)
    if low is None or high is None:
        return NOT_ESTIMABLE
    if differences.scale is RATIOS and low != high:
        return math.sqrt(low) * math.sqrt(high)  # halfway on logarithms
    return float((low + high) / 2 / unit)


def _interval(
    differences: _Differences, k: int, unit: int, level: float, method: str
) -> Interval | CannotTell:
    low, high = differences.at(k), differences.at(differences.total + 1 - k)
    if low is not None and low == high:
        tied = low
        low, high = differences.beside(tied, -1), differences.beside(tied, 1)
        if low == high:
            return CannotTell("all pairwise differences are equal")
    first, last = (None if end is None else float(end / unit) for end in (low, high))
    return interval(first, last, level, method)
