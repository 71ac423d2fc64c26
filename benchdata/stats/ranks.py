"""Two unpaired groups compared by ranks: who tends to be larger, and how sure that is."""

from __future__ import annotations

import math
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from benchdata.stats.exact import EXACT, rank_sums
from benchdata.stats.rationals import Number, Tested, rational
from benchdata.stats.results import CannotTell

Rankable = Number | None
"""A value, or None for a row without one: a null, a time-out at the cap, a row that failed."""

Worst = Literal["highest", "lowest"]
"""Where rows without a value rank, tied: highest for latency and cost, lowest for scores."""

EXACT_ROWS = 100
"""Rows in both groups together up to which the Mann-Whitney test is exact."""

NORMAL = "normal approximation, corrected for ties and continuity"
NO_ROWS = CannotTell("a group has no rows")


@dataclass(frozen=True, slots=True)
class MannWhitney(Tested):
    """A Mann-Whitney test: `u` counts the pairs in which `a` is above `b`, ties by half.

    `n` and `m` are the rows of a and b. It speaks of tendency, never of medians.
    """

    u: Fraction
    n: int
    m: int
    method: str

    @property
    def share_above(self) -> float:
        """P(a > b) + P(a = b) / 2 over all pairs: "A tends to be higher, in 78% of pairs"."""
        return float(self.u / (self.n * self.m))


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of one row of a with one of b, counted by which is higher."""

    a_above: int
    b_above: int
    tied: int

    @property
    def share_above(self) -> float:
        """P(a > b), ties left out of the numerator."""
        return self.a_above / (self.a_above + self.b_above + self.tied)

    @property
    def cliffs_delta(self) -> float:
        """P(b > a) - P(a > b), from -1 to 1: above 0 where b (the treatment) is higher."""
        return (self.b_above - self.a_above) / (self.a_above + self.b_above + self.tied)


def mann_whitney(
    a: Iterable[Rankable], b: Iterable[Rankable], *, nulls: Worst = "highest"
) -> MannWhitney | CannotTell:
    """Test whether rows of a tend to be above or below rows of b.

    p is two-sided: twice the smaller tail, at most 1. Up to 100 rows in both groups it is exact,
    with ties, over all assignments of the observed midranks; above, it comes from the normal
    approximation corrected for ties and continuity. When all rows are equal p is 1. A None ranks
    worst, tied: `nulls` says which end that is.
    Source: Mann and Whitney 1947; exact with ties: Streitberg and Roehmel 1986; variance with ties:
    Lehmann 1975, "Nonparametrics", section 1.4.

    Raises:
        ValueError: A value is not finite.
    """
    ranked = places([*a], [*b], nulls)
    n, m = map(len, ranked)
    if not n or not m:
        return NO_ROWS
    doubled, sizes = midranks(sorted([*ranked[0], *ranked[1]]))
    twice_u = sum(doubled[place] for place in ranked[0]) - n * (n + 1)
    spread = [doubled[place] for place, size in enumerate(sizes) for _ in range(size)]
    p, method = (
        (_exact(tuple(spread), twice_u, n, m), EXACT)
        if n + m <= EXACT_ROWS
        else (_approximate(sizes, twice_u, n, m), NORMAL)
    )
    return MannWhitney(p, Fraction(twice_u, 2), n, m, method)


def mann_whitneys(
    pairs: Iterable[tuple[Iterable[Rankable], Iterable[Rankable]]], *, nulls: Worst = "highest"
) -> tuple[MannWhitney | CannotTell, ...]:
    """Return `mann_whitney` for many pairs of groups; those tied alike share one distribution."""
    return tuple(mann_whitney(a, b, nulls=nulls) for a, b in pairs)


def pairs(
    a: Iterable[Rankable], b: Iterable[Rankable], *, nulls: Worst = "highest"
) -> Pairs | CannotTell:
    """Count the pairs of a row of a and a row of b in which either is higher.

    Source: Cliff 1993, "Dominance statistics: ordinal analyses to answer ordinal questions".

    Raises:
        ValueError: A value is not finite.
    """
    first, second = places([*a], [*b], nulls)
    if not first or not second:
        return NO_ROWS
    second.sort()
    below = sum(bisect_left(second, place) for place in first)
    above = sum(len(second) - bisect_right(second, place) for place in first)
    return Pairs(below, above, len(first) * len(second) - below - above)


def cliffs_delta(
    a: Iterable[Rankable], b: Iterable[Rankable], *, nulls: Worst = "highest"
) -> float | CannotTell:
    """Return P(b > a) - P(a > b), from -1 to 1; above 0 where b (the treatment) is higher."""
    counted = pairs(a, b, nulls=nulls)
    return counted if isinstance(counted, CannotTell) else counted.cliffs_delta


def median(values: Iterable[Rankable], *, nulls: Worst = "highest") -> float | CannotTell:
    """Return the median of rows of which some have no value: "not reached" when it lies among them.

    Source: the convention of survival analysis (Brookmeyer and Crowley 1982).

    Raises:
        ValueError: A value is not finite.
    """
    given = [*values]
    present = sorted(rational(value) for value in given if value is not None)
    if not given:
        return CannotTell("no rows")
    missing: list[Fraction | None] = [None] * (len(given) - len(present))
    ordered = [*present, *missing] if nulls == "highest" else [*missing, *present]
    middle = (ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2])
    if middle[0] is None or middle[1] is None:
        return CannotTell("not reached")
    return float((middle[0] + middle[1]) / 2)


def places(
    a: Sequence[Rankable], b: Sequence[Rankable], nulls: Worst = "highest"
) -> tuple[list[int], list[int]]:
    """Return, for each row of both groups, the place of its value among the different ones, from 0.

    Raises:
        ValueError: A value is not finite.
    """
    first, second = ([None if x is None else rational(x) for x in group] for group in (a, b))
    different = sorted({value for value in [*first, *second] if value is not None})
    shift = int(nulls == "lowest" and None in {*first, *second})
    place: dict[Fraction | None, int] = {x: i + shift for i, x in enumerate(different)}
    place[None] = 0 if nulls == "lowest" else len(different)
    return [place[value] for value in first], [place[value] for value in second]


def midranks(ordered: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the doubled midrank and the number of rows of each place 0, 1, ... in sorted places.

    Doubled midranks are integers: a run from rank r to s has r + s.
    """
    sizes = [0] * (ordered[-1] + 1 if ordered else 0)
    for place in ordered:
        sizes[place] += 1
    doubled, below = [], 0
    for size in sizes:
        doubled.append(2 * below + size + 1)
        below += size
    return doubled, sizes


def _exact(doubled: tuple[int, ...], twice_u: int, n: int, m: int) -> Fraction:
    """Return twice the smaller tail, from the sums of the smaller group."""
    if m < n:
        n, m, twice_u = m, n, 2 * n * m - twice_u
    ways = rank_sums(doubled, n)
    observed = twice_u + n * (n + 1)
    tail = min(ways.at_most(observed), ways.at_least(observed))
    return min(Fraction(1), Fraction(2 * tail, ways.total))


def _approximate(sizes: Sequence[int], twice_u: int, n: int, m: int) -> Fraction:
    rows = n + m
    ties = sum(size**3 - size for size in sizes)
    variance = Fraction(n * m, 12) * (rows + 1 - Fraction(ties, rows * (rows - 1)))
    distance = abs(twice_u - n * m) - 1  # doubled, and less the correction for continuity
    if distance <= 0:  # all rows equal have no variance, and no distance
        return Fraction(1)
    tail = math.erfc(distance / 2 / math.sqrt(2 * variance))
    return Fraction(max(tail, sys.float_info.min))
