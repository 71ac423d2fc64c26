"""Means and variances in any order, and what is no sample (NIST's hard cases: test_nist.py)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchdata.stats.samples import is_constant, mean, sample, variance


def test_order_does_not_change_a_bit() -> None:
    random = np.random.default_rng(3)
    values = random.lognormal(0, 5, 500)
    shuffled = random.permutation(values)
    assert mean(values) == mean(shuffled)
    assert variance(values) == variance(shuffled)


@pytest.mark.parametrize("values", [[math.nan], [1.0, math.inf], [1e101], [[1.0]], 3.0])
def test_what_is_no_sample_is_refused(values: object) -> None:
    with pytest.raises(ValueError, match="sample"):
        sample(values)  # type: ignore[arg-type]


def test_equal_but_for_rounding_is_constant() -> None:
    assert is_constant(sample([]))
    assert is_constant(sample([0.1 + 0.2, 0.3]))
    assert not is_constant(sample([1.0, 1.000001]))
    assert is_constant(sample([1e-13, 0.0]), 1.0)
    assert not is_constant(sample([1e-13, 0.0]))
