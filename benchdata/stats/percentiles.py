"""Percentiles by nearest rank in integer arithmetic, and the spread that makes a group unstable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from benchdata.stats.results import CannotTell
from benchdata.stats.samples import FloatArray, sample

SWING = 2.0  # a ratio above this is named (max/min) or makes a group unstable (p75/p25)


def nearest_rank(values: ArrayLike, numerator: int, denominator: int = 100) -> float | CannotTell:
    """Return the value at rank ceil(p * n) of n sorted values, p = numerator / denominator.

    Always one of the values. In floating point ceil(0.28 * 25) is 8, not 7: hence integers.
    Source: Hyndman and Fan 1996, "Sample quantiles in statistical packages", definition 1.

    Raises:
        ValueError: A value is not finite, or not 0 < p <= 1.
    """
    ordered = np.sort(sample(values))
    rank = rank_of(len(ordered), numerator, denominator)
    return float(ordered[rank - 1]) if rank else CannotTell("no values")


def rank_of(n: int, numerator: int, denominator: int = 100) -> int:
    """Return the 1-based nearest rank ceil(p * n); 0 for n = 0.

    Raises:
        ValueError: n is negative, or not 0 < p <= 1.
    """
    if n < 0 or not 0 < numerator <= denominator:
        raise ValueError(f"no rank {numerator}/{denominator} of {n} values")
    return -(-numerator * n // denominator)


def is_maximum(n: int, numerator: int, denominator: int = 100) -> bool:
    """Return whether the percentile of n >= 1 values is their maximum, and must be marked so.

    Raises:
        ValueError: n is negative, or not 0 < p <= 1.
    """
    return n > 0 and rank_of(n, numerator, denominator) == n


@dataclass(frozen=True, slots=True)
class Spread:
    """How far n values of one group lie apart, as ratios; None where the divisor is 0."""

    max_over_min: float | None
    p75_over_p25: float | None
    minimum_zero: bool  # the minimum is 0 and the maximum is not

    @property
    def swing(self) -> str:
        """Return what is named beside a verdict: `max/min 2.2`, `minimum 0`, or nothing."""
        if self.minimum_zero:
            return "minimum 0"
        wide = self.max_over_min is not None and self.max_over_min > SWING
        return f"max/min {self.max_over_min:.3g}" if wide else ""

    @property
    def unstable(self) -> bool:
        """Return whether the middle half spreads by more than a factor 2, or a zero hides it."""
        wide = self.p75_over_p25 is not None and self.p75_over_p25 > SWING
        return wide or self.minimum_zero


def spread(values: ArrayLike) -> Spread | CannotTell:
    """Return the ratios max/min and nearest-rank p75/p25 of n >= 1 values >= 0.

    All values 0 is no spread; a ratio over 0 is None and `minimum_zero` says why.

    Raises:
        ValueError: A value is not finite or below 0.
    """
    ordered = np.sort(sample(values))
    if not len(ordered):
        return CannotTell("no values")
    if ordered[0] < 0:
        raise ValueError("a spread as a ratio needs values of 0 or more")
    return Spread(
        max_over_min=_ratio(ordered, len(ordered), 1),
        p75_over_p25=_ratio(ordered, rank_of(len(ordered), 75), rank_of(len(ordered), 25)),
        minimum_zero=bool(ordered[0] == 0 < ordered[-1]),
    )


def _ratio(ordered: FloatArray, upper: int, lower: int) -> float | None:
    """Return the ratio of the values at two ranks; None over 0, or beyond double precision."""
    high, low = float(ordered[upper - 1]), float(ordered[lower - 1])
    # A divisor below 1e-200 under a value of up to 1e100 may leave double precision.
    return high / low if low > 0 and high <= low * 1e300 else None
