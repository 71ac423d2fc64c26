"""Intervals for quantiles from the ranks of the values alone, with the level they really have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.special import bdtr, bdtrc

from benchdata.stats.ranks import Worst
from benchdata.stats.results import CannotTell, Interval, interval
from benchdata.stats.samples import FloatArray, sample

TAIL = 0.025
METHOD = "order statistics"
NOT_REACHED = "not reached"
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The 1-based ranks of the ends (None: that end does not exist) and the level they reach."""

    low: int | None
    high: int | None
    level: float


def ranks(n: int, p: float | Fraction) -> Ranks:
    """Return the ranks whose values enclose the `p` quantile in at least 95% of samples of size n.

    Equal tails: the largest l with P(B <= l-1) <= .025 and the smallest u with P(B >= u) <= .025,
    B binomial(n, p); level P(l <= B <= u-1).
    Source: David and Nagaraja 2003, "Order statistics", section 7.1.

    Raises:
        ValueError: n is negative, or p is not between 0 and 1.
    """
    chance = float(_probability(p))
    if n < 0:
        raise ValueError(f"a sample cannot hold {n} values")
    if not n:
        return Ranks(None, None, 0.0)
    successes = np.arange(n + 1, dtype=np.float64)
    below = bdtr(successes, n, chance)  # P(B <= k)
    above = np.concatenate([[1.0], bdtrc(successes[:-1], n, chance)])  # P(B >= k)
    low = int(np.count_nonzero(below[:n] <= TAIL)) or None
    high = n + 1 - int(np.count_nonzero(above[1:] <= TAIL))
    return _with_level(low, None if high > n else high, n, chance)


def quantile(
    values: Iterable[float | None], p: float | Fraction, *, nulls: Worst = "highest"
) -> Interval | CannotTell:
    """Return the interval of the `p` quantile of n rows, in the unit of the values.

    Rows without a value (None) rank beyond all others on the side `nulls`, tied. An end among them
    is None and the note says "not reached"; an end that no rank gives is None as well. Where both
    ranks hold the same value (ties), both ends step outwards to the next different one and the
    level grows with them. No interval exists when neither end does, or all values are equal.
    Source: David and Nagaraja 2003, "Order statistics", section 7.1.

    Raises:
        ValueError: A value is not finite, or p is not between 0 and 1.
    """
    ordered = _ordered(values, nulls)
    n = len(ordered)
    found = ranks(n, p)
    if found.low is None and found.high is None:
        return CannotTell(f"{n} values hold no 95% interval; {smallest_n(p)} suffice")
    if n and ordered[0] == ordered[-1]:
        return CannotTell("all values are equal" if np.isfinite(ordered[0]) else NOT_REACHED)
    if found.low is not None and found.high is not None:
        found = _apart(ordered, found.low, found.high, float(_probability(p)))
    sides = {"low": found.low, "high": found.high}
    ends = {side: float(ordered[rank - 1]) for side, rank in sides.items() if rank is not None}
    reached = {side: end for side, end in ends.items() if np.isfinite(end)}
    if not reached:
        return CannotTell(NOT_REACHED)
    note = "".join(f"the {side} end is {NOT_REACHED}" for side in ends if side not in reached)
    return interval(reached.get("low"), reached.get("high"), found.level, METHOD, note=note)


def median(values: Iterable[float | None], *, nulls: Worst = "highest") -> Interval | CannotTell:
    """Return the order-statistic interval of the median; none exists below 6 rows.

    Raises:
        ValueError: A value is not finite.
    """
    return quantile(values, HALF, nulls=nulls)


def smallest_n(p: float | Fraction, *, tail: float = TAIL, end: str = "either") -> int:
    """Return the sample size from which the `low`, the `high` or `either` end exists.

    The high end exists once p^n <= tail, the low one once (1-p)^n <= tail.

    Raises:
        ValueError: p is not between 0 and 1, or `end` is not one of the three.
    """
    chance = float(_probability(p))
    bases = {"low": 1 - chance, "high": chance, "either": min(chance, 1 - chance)}
    if end not in bases:
        raise ValueError(f"`{end}` is none of {', '.join(bases)}")
    n = max(1, int(np.ceil(np.log(tail) / np.log(bases[end]))))
    return n if bases[end] ** n <= tail else n + 1


def _ordered(values: Iterable[float | None], nulls: Worst) -> FloatArray:
    """Return the values in rising order; rows without one are an infinity on their side."""
    given = [*values]
    present = np.sort(sample([value for value in given if value is not None]))
    missing = np.full(len(given) - len(present), np.inf)
    return np.concatenate([present, missing] if nulls == "highest" else [-missing, present])


def _apart(ordered: FloatArray, low: int, high: int, chance: float) -> Ranks:
    """Return ranks of different values: those given or the next ones outwards, of one at least."""
    n = len(ordered)
    if ordered[low - 1] < ordered[high - 1]:
        return _with_level(low, high, n, chance)
    tied = ordered[low - 1]
    first = int(np.searchsorted(ordered, tied, side="left"))  # values below the tied one
    last = int(np.searchsorted(ordered, tied, side="right"))
    return _with_level(first or low, last + 1 if last < n else high, n, chance)


def _with_level(low: int | None, high: int | None, n: int, chance: float) -> Ranks:
    at_most = 1.0 if high is None else float(bdtr(high - 1, n, chance))
    missed = 0.0 if low is None else float(bdtr(low - 1, n, chance))
    return Ranks(low, high, at_most - missed)


def _probability(p: float | Fraction) -> Fraction:
    """Return p exactly as written: 0.07 is 7/100, not the double nearest to it."""
    exact = p if isinstance(p, Fraction) else Fraction(repr(float(p)))
    if not 0 < exact < 1:
        raise ValueError(f"a quantile lies between 0 and 1, not at {float(exact):g}")
    return exact
