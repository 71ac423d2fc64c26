"""How often intervals hold what they are for, against published simulations of 2,000 samples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from benchdata.stats import intervals
from benchdata.stats.bootstrap import Method, batch
from benchdata.stats.results import CannotTell, Interval

SAMPLES = 2_000
# Three standard errors of a difference of two shares of 2,000, and the published rounding.
WITHIN = 0.035

SIZES = (5, 10, 20, 50)
BY_COUNT: dict[tuple[str, float], tuple[float, ...]] = {
    ("wilson", 0.8): (0.94, 0.97, 0.96, 0.95),
    ("wilson", 0.95): (0.98, 0.91, 0.92, 0.95),
    ("clopper_pearson", 0.8): (0.99, 1.0, 0.98, 0.97),
    ("clopper_pearson", 0.95): (0.98, 0.99, 0.98, 0.99),
}
BY_SAMPLE: dict[str, dict[int, tuple[float, float, float]]] = {
    "normal": {5: (0.83, 0.83, 0.95), 10: (0.90, 0.89, 0.95), 20: (0.92, 0.92, 0.94)},
    "lognormal": {5: (0.73, 0.74, 0.82), 10: (0.80, 0.82, 0.83), 20: (0.85, 0.88, 0.87)},
}
TRUTH = {"normal": 0.0, "lognormal": float(np.exp(0.5))}


@pytest.mark.parametrize(("method", "rate"), BY_COUNT)
def test_rates_hold_as_often_as_published(method: str, rate: float) -> None:
    """The share is exact here: the chance of all counts whose interval holds the rate."""
    function: Callable[[int, int], Interval | CannotTell] = getattr(intervals, method)
    for n, published in zip(SIZES, BY_COUNT[method, rate], strict=True):
        held = [k for k in range(n + 1) if holds(function(k, n), rate)]
        assert np.sum(stats.binom.pmf(held, n, rate)) == pytest.approx(published, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 10, 20])
@pytest.mark.parametrize("shape", BY_SAMPLE)
def test_means_hold_as_often_as_published(shape: str, n: int) -> None:
    random = np.random.default_rng(n)
    values = random.normal(size=(SAMPLES, n))
    groups = values if shape == "normal" else np.exp(values)
    methods: tuple[Method, ...] = ("percentile", "bca")
    found = [[holds(each, TRUTH[shape]) for each in batch(groups, method=m)] for m in methods]
    found.append([holds(intervals.t(group), TRUTH[shape]) for group in groups])
    assert np.mean(found, axis=1) == pytest.approx(BY_SAMPLE[shape][n], abs=WITHIN)


def holds(found: Interval | CannotTell, truth: float) -> bool:
    return isinstance(found, Interval) and not found.excludes(truth)
