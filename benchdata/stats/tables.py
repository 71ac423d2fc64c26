"""Two by two tables: pass/fail of two unpaired groups, and of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from benchdata.stats.rationals import Tested
from benchdata.stats.results import CannotTell


@dataclass(frozen=True, slots=True)
class Fisher(Tested):
    """Fisher's exact test of `a` passes in `n` against `b` passes in `m`."""

    a: int
    n: int
    b: int
    m: int


@dataclass(frozen=True, slots=True)
class SignTest(Tested):
    """An exact sign test of `better` against `worse` pairs; tied pairs have no part in it."""

    better: int
    worse: int


@dataclass(frozen=True, slots=True)
class McNemar(Tested):
    """McNemar's test of `b` against `c` discordant pairs; `mid_p` is shown and never decides."""

    b: int
    c: int
    exact_mid_p: Fraction

    @property
    def mid_p(self) -> float:
        """The double nearest to the mid-p, in (0, 1]."""
        return float(self.exact_mid_p)


def fisher(a: int, n: int, b: int, m: int) -> Fisher | CannotTell:
    """Test whether a passes in n rows and b in m come from equal rates, two-sided.

    p adds the probability of all tables with these margins that are no likelier than the observed,
    counted in integers. None exists when a group has no rows.
    Source: Fisher 1922; two-sided by probability: Irwin 1935, as R's `fisher.test`.

    Raises:
        ValueError: Not 0 <= a <= n or not 0 <= b <= m.
    """
    if not (0 <= a <= n and 0 <= b <= m):
        raise ValueError(f"{a} of {n} against {b} of {m} is no table")
    if not n or not m:
        return CannotTell("a group has no rows")
    first, ways = max(0, a + b - m), [*_ways(n, m, a + b)]
    observed = ways[a - first]
    as_unlikely = sum(count for count in ways if count <= observed)
    return Fisher(Fraction(as_unlikely, math.comb(n + m, a + b)), a, n, b, m)


def sign_test(better: int, worse: int) -> SignTest:
    """Test whether pairs move either way equally often.

    p is two-sided: twice the smaller tail, at most 1. Without a pair that moved it is 1.
    Source: Arbuthnott 1710; Conover 1999, "Practical nonparametric statistics", section 3.4.

    Raises:
        ValueError: A count is negative.
    """
    return SignTest(min(Fraction(1), 2 * _half_tail(better, worse)), better, worse)


def mcnemar(b: int, c: int) -> McNemar:
    """Test pairs of pass/fail of which b only the one arm passes and c only the other.

    p is that of the sign test; mid-p counts the observed table by half, 1 when b = c.
    Source: McNemar 1947; mid-p: Fagerland, Lydersen and Laake 2013.

    Raises:
        ValueError: A count is negative.
    """
    tail = 2 * _half_tail(b, c)
    observed = Fraction(math.comb(b + c, b), 1 << (b + c))
    return McNemar(min(Fraction(1), tail), b, c, min(Fraction(1), tail - observed))


def _half_tail(b: int, c: int) -> Fraction:
    """Return P(X <= min(b, c)), X binomial(b + c, 1/2)."""
    if b < 0 or c < 0:
        raise ValueError(f"{b} against {c} pairs is not a count")
    n, term, total = b + c, 1, 0
    for k in range(min(b, c) + 1):
        total += term
        term = term * (n - k) // (k + 1)
    return Fraction(total, 1 << n)


def _ways(n: int, m: int, passes: int) -> Iterator[int]:
    """Yield the tables with 0, 1, ... passes in n, as far as the margins allow."""
    a = max(0, passes - m)
    count = math.comb(n, a) * math.comb(m, passes - a)
    for k in range(a, min(n, passes) + 1):
        yield count
        count = count * (n - k) * (passes - k) // ((k + 1) * (m - passes + k + 1))
