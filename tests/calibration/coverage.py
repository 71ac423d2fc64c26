"""Scenarios of intervals: how often a 95% interval holds what is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.special import ndtri

from benchdata.stats import intervals
from benchdata.stats.results import CannotTell, Interval
from tests.calibration import noise
from tests.calibration.noise import Array
from tests.calibration.scenario import Draw, Judge, Scenario
from tests.calibration.single_tests import one_group

RATE = "Interval of an arm: Wilson at n_eff"
LIFT = "Interval of a lift: t over task differences"
ORDER = "Interval of a quantile: order statistics"
HELD, MISSED = "held", "missed"
LEAST = 0.93

# (rate, correlation, tasks) of an arm whose interval holds less often: printed with their rate.
EXCEPTIONS = {(0.95, 0.3, 50), (0.95, 0.7, 50)}

TASKS = (6, 10, 20, 50, 100)
REPEATS = 3
TRUE_RATES = (0.5, 0.8, 0.95)
CORRELATIONS = (0.0, 0.3, 0.7)
SIZES = (6, 10, 20, 50, 100)


def rates(
    rate: float, correlation: float, shape: tuple[int, ...], random: np.random.Generator
) -> Array:
    """Return pass rates of tasks of mean `rate`, in which two trials correlate so much."""
    if not correlation:
        return np.full(shape, rate)
    size = 1 / correlation - 1
    return random.beta(rate * size, (1 - rate) * size, shape)


def passes(
    rate: float, correlation: float, shape: tuple[int, ...], random: np.random.Generator, sets: int
) -> Array:
    """Return passes of 3 trials, shape (data sets, *shape)."""
    found: Array = random.binomial(REPEATS, rates(rate, correlation, (sets, *shape), random))
    return found


def by_effective_n(rate: float, found: Array) -> Array:
    """Judge whether the interval of the mean of task means holds the rate."""

    def holds(counts: Array) -> bool:
        return _holds(intervals.effective_n(counts / REPEATS, REPEATS * len(counts)), rate)

    return _once(np.sort(found, axis=1), holds)


def by_lift(found: Array) -> Array:
    """Judge whether the interval of a lift of nothing holds 0; shape (data sets, 2, tasks)."""
    differences = np.sort(found[:, 1] - found[:, 0], axis=1)
    return _once(differences, lambda each: _holds(intervals.lift_t(each / REPEATS), 0.0))


def by_quantile(share: float, truth: float, values: Array) -> Array:
    """Judge whether the interval of a quantile holds it."""
    return np.array(
        [HELD if _holds(intervals.quantile(row, share), truth) else MISSED for row in values]
    )


def scenarios() -> Iterator[Scenario]:
    """Give every scenario of an interval."""
    for tasks in TASKS:
        for rate in TRUE_RATES:
            for correlation in CORRELATIONS:
                what, setting = f"rate {rate:g}", f"correlation {correlation:g}, T = {tasks}, R = 3"
                draw = partial(passes, rate, correlation, (tasks,))
                least = None if (rate, correlation, tasks) in EXCEPTIONS else LEAST
                yield _covering(RATE, what, setting, draw, partial(by_effective_n, rate), least)
                draw = partial(passes, rate, correlation, (2, tasks))
                yield _covering(LIFT, what, setting, draw, by_lift)
    for n in SIZES:
        for share in (0.5, 0.95):
            draw = partial(one_group, noise.untied, n)
            judge = partial(by_quantile, share, float(ndtri(share)))
            yield _covering(ORDER, f"p{100 * share:g}", f"n = {n}", draw, judge)


def _covering(
    section: str,
    what: str,
    setting: str,
    draw: Draw,
    judge: Judge,
    least: float | None = LEAST,
) -> Scenario:
    return Scenario(
        *(section, what, setting, draw, judge),
        limit=None,
        least=least,
        counted=frozenset({HELD}),
    )


def _holds(found: Interval | CannotTell, truth: float) -> bool:
    return isinstance(found, Interval) and not found.excludes(truth)


def _once(known: Array, holds: Callable[[Array], bool]) -> Array:
    """Return a word for every row of `known`, of which equal ones are judged once."""
    kinds, inverse = np.unique(known, axis=0, return_inverse=True)
    words = np.array([HELD if holds(kind) else MISSED for kind in kinds])
    return words[inverse.ravel()]
