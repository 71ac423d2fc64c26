"""Numbers stand for the fractions they were written as."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdata.stats import rationals
from benchdata.stats.rationals import Number, rational, scaled


@pytest.mark.parametrize(
    ("value", "fraction"),
    [
        (0.1, Fraction(1, 10)),
        (-0.3, Fraction(-3, 10)),
        (1 / 3, Fraction(1, 3)),
        (29 / 96, Fraction(29, 96)),
        (1e-9, Fraction(1, 10**9)),
        (0.1234567, Fraction(1234567, 10**7)),
        (1234.567890123, Fraction(1234567890123, 10**9)),
        (True, Fraction(1)),
        (np.int64(7), Fraction(7)),
        (np.float64(0.05), Fraction(1, 20)),
        (Fraction(2, 3), Fraction(2, 3)),
        (12345.678901, Fraction(12345678901, 10**6)),
        (1e6 + 1 / 3, Fraction(3_000_001, 3)),
        (0.7 - 0.4, Fraction(29999999999999993, 10**17)),
    ],
)
def test_a_number_is_the_fraction_it_was_written_as(value: Number, fraction: Fraction) -> None:
    assert rational(value) == fraction


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_fraction_rounds_to_the_double_it_came_from(value: float) -> None:
    assert float(rational(value)) == value


@settings(deadline=None)
@given(st.fractions(max_denominator=9_999, min_value=-100, max_value=100))
def test_the_double_of_a_simple_fraction_comes_back(fraction: Fraction) -> None:
    assert rational(float(fraction)) == fraction


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        rational(value)


def test_scaled_numbers_share_the_smallest_denominator() -> None:
    assert scaled([0.1, Fraction(1, 3), 2]) == ([3, 10, 60], 30)
    assert scaled([]) == ([], 1)


def test_a_p_of_exactly_one_in_twenty_is_significant() -> None:
    assert rationals.Tested(Fraction(1, 20)).significant
    assert not rationals.Tested(Fraction(50_001, 1_000_000)).significant
