"""Means and variances on NIST's hard cases, and what is no sample."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchdata.stats.samples import is_constant, mean, sample, variance

# NIST Statistical Reference Datasets, univariate: certified mean and standard deviation.
NUM_ACC_1 = [10_000_001, 10_000_003, 10_000_002]
NUM_ACC_4 = [10_000_000.2, *[10_000_000.1, 10_000_000.3] * 500]


def test_num_acc_1_is_exact() -> None:
    values = sample(NUM_ACC_1)
    assert (mean(values), variance(values)) == (10_000_002, 1)


def test_num_acc_4_keeps_the_digits_that_its_doubles_hold() -> None:
    values = sample(NUM_ACC_4)
    # The doubles nearest to the data are off by up to 1e-9; so are their mean and deviation.
    assert mean(values) == pytest.approx(10_000_000.2, abs=2e-9)
    assert math.sqrt(variance(values)) == pytest.approx(0.1, abs=1e-9)


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
