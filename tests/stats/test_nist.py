"""NIST's reference data, univariate: certified mean, standard deviation and lag-1 correlation."""

from __future__ import annotations

import math

import pytest

from benchdata.stats.independence import Independence, independence
from benchdata.stats.intervals import t
from benchdata.stats.results import Interval
from benchdata.stats.samples import mean, sample, variance

NUM_ACC_1 = [10_000_001.0, 10_000_003.0, 10_000_002.0]
NUM_ACC_4 = [10_000_000.2, *[10_000_000.1, 10_000_000.3] * 500]

# Data, certified mean, certified deviation, and how far the doubles of the data are off.
CERTIFIED: dict[str, tuple[list[float], float, float, float]] = {
    "NumAcc1": (NUM_ACC_1, 10_000_002, 1, 0),
    "NumAcc4": (NUM_ACC_4, 10_000_000.2, 0.1, 1e-9),
}


@pytest.mark.parametrize("name", CERTIFIED)
def test_mean_and_deviation_are_the_certified_ones(name: str) -> None:
    data, centre, deviation, off = CERTIFIED[name]
    values = sample(data)
    assert mean(values) == pytest.approx(centre, rel=0, abs=2 * off)
    assert math.sqrt(variance(values)) == pytest.approx(deviation, rel=0, abs=off)


@pytest.mark.parametrize(("name", "quantile"), [("NumAcc1", 4.302652730), ("NumAcc4", 1.962339081)])
def test_the_interval_follows_from_the_certified_values(name: str, quantile: float) -> None:
    data, centre, deviation, _ = CERTIFIED[name]
    found = t(data)
    assert isinstance(found, Interval)
    half = quantile * deviation / math.sqrt(len(data))
    # Half a unit in the last place of ten million is 1e-9.
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half), rel=0, abs=8e-9)


def test_the_lag_1_correlation_of_ranks_is_the_certified_one_of_values() -> None:
    """NumAcc4 has three values in equal steps, so its ranks are a straight line of them."""
    found = independence(NUM_ACC_4)
    assert isinstance(found, Independence)
    assert found.autocorrelation == pytest.approx(-0.999, abs=1e-12)
    assert not found.dependent
