"""Intervals for two arms without pairs: a difference of two estimates, and one inside fixed tasks.

Both agree with the test that decides: with p > 0.05 they never exclude no difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchdata.stats.intervals import TAIL, agreeing, t_quantile
from benchdata.stats.results import LEVEL, CannotTell, Interval, interval
from benchdata.stats.samples import FloatArray, is_constant, mean, sample, variance

Stratum = tuple[Sequence[float], Sequence[float]]
"""The rows of the baseline and of the treatment in one task."""

NO_SPREAD = CannotTell("fewer than 2 repeats in a task, so their spread is not known")
ALL_EQUAL = CannotTell("all values are equal, so their spread is not known")
SMALLEST = 2  # rows of one arm in one task from which their spread is known


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval."""

    value: float
    interval: Interval | CannotTell


def difference(
    baseline: Estimate, treatment: Estimate, *, metric_range: float, p: float | None = None
) -> Interval | CannotTell:
    """Return the interval of treatment - baseline from the intervals of two independent estimates.

    Clipped to -range..range. None when either estimate has no interval with two ends.
    Sources: Newcombe 1998, "Interval estimation for the difference between independent
    proportions", method 10; for other intervals Zou and Donner 2008, "Construction of confidence
    limits about effect measures".

    Raises:
        ValueError: p outside 0..1.
    """
    ends = []
    for each in (baseline, treatment):
        if isinstance(each.interval, CannotTell):
            return each.interval
        if each.interval.low is None or each.interval.high is None:
            return CannotTell("an interval has one end only")
        ends.append((each.value - each.interval.low, each.interval.high - each.value))
    (below, above), (under, over) = ends
    apart = treatment.value - baseline.value
    low = max(apart - math.hypot(under, above), -metric_range)
    high = min(apart + math.hypot(over, below), metric_range)
    return agreeing(low, high, 0.0, p, "Newcombe")


def inside_tasks(
    tasks: Sequence[Stratum], *, metric_range: float = math.inf, p: float | None = None
) -> Interval | CannotTell:
    """Return the interval of the mean over fixed tasks of the difference of arm means.

    Student's t with the rows' spread inside each task and arm, and Satterthwaite's degrees of
    freedom, clipped to -range..range. When all rows of every task and arm are equal and the range
    is known, the half-width is (1 - 0.025^(1/n)) * range for n rows in the smaller arm: up to that
    share of further rows may differ. Every task needs two rows an arm.
    Sources: Welch 1947; Satterthwaite 1946; the floor as in `intervals.lift_t`.

    Raises:
        ValueError: A value is not finite, no task, or p outside 0..1.
    """
    if not tasks:
        raise ValueError("an interval inside tasks needs a task")
    strata = [(sample(before), sample(after)) for before, after in tasks]
    if min(len(rows) for task in strata for rows in task) < SMALLEST:
        return NO_SPREAD
    centre = math.fsum(mean(after) - mean(before) for before, after in strata) / len(strata)
    rows = [arm for task in strata for arm in task]
    n = min(sum(len(task[side]) for task in strata) for side in (0, 1))
    half, method = _half(rows, len(strata), n, metric_range)
    if half is None:
        return ALL_EQUAL
    low, high = max(centre - half, -metric_range), min(centre + half, metric_range)
    return agreeing(low, high, 0.0, p, method)


def mean_over_tasks(
    tasks: Sequence[Sequence[float]], *, metric_range: float = math.inf
) -> Interval | CannotTell:
    """Return the interval of the mean over fixed tasks of one arm's task means.

    As `inside_tasks`, and every task needs two rows.

    Raises:
        ValueError: A value is not finite, or no task.
    """
    if not tasks:
        raise ValueError("an interval inside tasks needs a task")
    rows = [sample(task) for task in tasks]
    if min(map(len, rows)) < SMALLEST:
        return NO_SPREAD
    centre = math.fsum(map(mean, rows)) / len(rows)
    half, method = _half(rows, len(rows), sum(map(len, rows)), metric_range)
    if half is None:
        return ALL_EQUAL
    return interval(centre - half, centre + half, LEVEL, method)


def _half(
    rows: Sequence[FloatArray], tasks: int, n: int, metric_range: float
) -> tuple[float | None, str]:
    """Return the half-width and its method; none when all rows are equal and the range unknown."""
    if not all(map(is_constant, rows)):
        return _half_width(rows, tasks), "Welch's t inside tasks"
    if math.isinf(metric_range):
        return None, ""
    return (1 - TAIL ** (1 / n)) * metric_range, "t with floor"


def _half_width(rows: Sequence[FloatArray], tasks: int) -> float:
    # A constant arm may show a spread of rounding errors, which must not lend it degrees.
    parts = [0.0 if is_constant(arm) else variance(arm) / len(arm) for arm in rows]
    total = math.fsum(parts)
    weights = math.fsum(
        (part / total) ** 2 / (len(arm) - 1) for part, arm in zip(parts, rows, strict=True)
    )
    return t_quantile(1 / weights) * math.sqrt(total) / tasks
