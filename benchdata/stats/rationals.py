"""Numbers as the fractions they stand for, so that ties and tail probabilities are counted."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from numbers import Integral

Number = int | float | Fraction

SIGNIFICANT = Fraction(1, 20)
"""The largest p that is significant, two-sided, equality included."""

SIMPLE = 1_000_000  # the largest denominator of a fraction that a double may stand for

# Fractions with denominators up to q lie about 3 / q^2 apart, so a double meets one by chance with
# a probability of about q^2 times its precision. Large values have less precision.
BY_CHANCE = 1e-4


@dataclass(frozen=True, slots=True)
class Tested:
    """What every test gives: its p as a fraction.

    A p from a normal approximation is the fraction equal to that double.
    """

    exact_p: Fraction

    @property
    def p(self) -> float:
        """The double nearest to `exact_p`, in (0, 1]."""
        return float(self.exact_p)

    @property
    def significant(self) -> bool:
        """Whether p <= 0.05, decided on the fraction."""
        return self.exact_p <= SIGNIFICANT


def rational(value: Number) -> Fraction:
    """Return the fraction that a number stands for.

    An integer or a fraction is itself. A double is the simple fraction that rounds to it, with a
    denominator of at most a million (0.1 is 1/10, 0.3333333333333333 is 1/3; less for values above
    1, lest one fits by chance), else its shortest decimal form. So .1 + .2 = .3 holds. A difference
    that was rounded before (.7 - .4 in doubles) is not .3 any more: pass the values, not their
    differences.
    Source: best approximations by continued fractions (`Fraction.limit_denominator`).

    Raises:
        ValueError: The number is not finite.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, Integral):
        return Fraction(int(value))
    return _of_double(float(value))


def scaled(values: Iterable[Number]) -> tuple[list[int], int]:
    """Return integers and the common denominator that they are to be divided by (1 for no values).

    Raises:
        ValueError: A number is not finite.
    """
    fractions = [rational(value) for value in values]
    denominator = math.lcm(*(each.denominator for each in fractions))
    return [each.numerator * (denominator // each.denominator) for each in fractions], denominator


@lru_cache(maxsize=1 << 16)
def _of_double(value: float) -> Fraction:
    if not math.isfinite(value):
        raise ValueError("a value is not a finite number")
    largest = min(SIMPLE, math.isqrt(int(BY_CHANCE / math.ulp(max(abs(value), 1e-9)))))
    simple = Fraction(value).limit_denominator(max(1, largest))
    return simple if float(simple) == value else Fraction(repr(value))
