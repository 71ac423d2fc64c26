"""The smallest p that a design can reach, whatever its rows turn out to be, and the n it takes.

A floor is the design's: ties among the rows that were observed do not raise it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from benchdata.stats.rationals import SIGNIFICANT
from benchdata.stats.results import CannotTell
from benchdata.stats.tables import fisher as fisher_test

ONE = Fraction(1)
LARGEST_N = 10_000


def sign_flip(n: int) -> Fraction:
    """Return 2 / 2^n: all n pairs move the same way. Also that of the sign test and McNemar's.

    Raises:
        ValueError: n is negative.
    """
    return min(ONE, Fraction(2, 1 << _count(n)))


def mann_whitney(n: int, m: int) -> Fraction:
    """Return 2 / C(n+m, n): every row of one group is above every row of the other; 1 without rows.

    Raises:
        ValueError: n or m is negative.
    """
    return min(ONE, Fraction(2, math.comb(_count(n) + _count(m), n)))


def fisher(n: int, m: int) -> Fraction:
    """Return the p of Fisher's most extreme table: n of n against 0 of m; 1 without rows.

    Raises:
        ValueError: n or m is negative.
    """
    extreme = fisher_test(_count(n), n, 0, _count(m))
    return ONE if isinstance(extreme, CannotTell) else extreme.exact_p


def inside_tasks(rows: Iterable[tuple[int, int]]) -> Fraction:
    """Return 2 over the number of ways to permute arm labels inside tasks of (n, m) rows.

    Raises:
        ValueError: A number of rows is negative.
    """
    ways = math.prod(math.comb(_count(n) + _count(m), n) for n, m in rows)
    return min(ONE, Fraction(2, ways))


def suffices(floor: Callable[[int], Fraction], comparisons: int = 1) -> int | CannotTell:
    """Return the smallest n whose floor, times the comparisons of a Holm family, is at most 0.05.

    `floor` never rises with n: `sign_flip`, or `lambda n: mann_whitney(n, n)`.
    Source: the first step of Holm 1979.

    Raises:
        ValueError: Fewer than one comparison.
    """
    if comparisons < 1:
        raise ValueError("a family has at least one comparison")
    reached = (n for n in range(1, LARGEST_N + 1) if floor(n) * comparisons <= SIGNIFICANT)
    return next(reached, CannotTell(f"{LARGEST_N:,} rows do not suffice"))


def _count(n: int) -> int:
    if n < 0:
        raise ValueError(f"{n} is not a number of rows")
    return n
