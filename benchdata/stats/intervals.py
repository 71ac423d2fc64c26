"""95% intervals for rates, means, lifts and ratios; those for quantiles and by bootstrap as well.

Each function takes a sample and returns an `Interval`, or `CannotTell` where the data carry none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri, stdtrit

from benchdata.stats.bootstrap import bootstrap
from benchdata.stats.order_statistics import median, quantile
from benchdata.stats.results import ALPHA, LEVEL, CannotTell, Interval, interval
from benchdata.stats.samples import FloatArray, is_constant, mean, sample, variance

__all__ = [
    "RatioMean",
    "agreeing",
    "bootstrap",
    "clopper_pearson",
    "effective_n",
    "effective_size",
    "geometric_mean_ratio",
    "lift_t",
    "median",
    "quantile",
    "t",
    "t_quantile",
    "wilson",
]

TAIL = 0.025  # 1 - LEVEL in two halves, written out: (1 - 0.95) / 2 is not 0.025 in doubles
LARGEST_LOGARITHM = 700  # exp(710) is beyond a double
NORMAL_QUANTILE = float(ndtri(1 - TAIL))


def t_quantile(degrees: float) -> float:
    """Return the 97.5% quantile of Student's t with `degrees` > 0 degrees of freedom."""
    return float(stdtrit(degrees, 1 - TAIL))


def wilson(successes: int, n: int) -> Interval | CannotTell:
    """Return the score interval of a rate from `n` independent trials; none without a trial.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference".

    Raises:
        ValueError: Not 0 <= successes <= n.
    """
    _check_counts(successes, n)
    if not n:
        return CannotTell("no trials")
    return _score_interval(successes / n, n, NORMAL_QUANTILE, "Wilson")


def clopper_pearson(successes: int, n: int) -> Interval | CannotTell:
    """Return the exact (conservative) interval of a rate from `n` independent trials.

    Source: Clopper and Pearson 1934, by quantiles of the beta distribution.

    Raises:
        ValueError: Not 0 <= successes <= n.
    """
    _check_counts(successes, n)
    if not n:
        return CannotTell("no trials")
    failures = n - successes
    low = float(betaincinv(successes, failures + 1, TAIL)) if successes else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - TAIL)) if failures else 1.0
    return interval(low, high, LEVEL, "Clopper-Pearson")


def effective_size(task_means: ArrayLike, trials: int | None) -> float | CannotTell:
    """Return how many independent trials the means of T tasks are worth: m(1-m) / (s^2/T).

    Held between T and `trials`, the number of all scored trials; None (graded scores) sets no upper
    bound. T when all task means are equal. Needs two tasks.
    Source: Kish 1965, "Survey sampling" (effective sample size = n / design effect), with the
    variance of the mean estimated between tasks.

    Raises:
        ValueError: A mean outside 0 to 1, or fewer trials than tasks.
    """
    means = _rates(task_means)
    tasks = len(means)
    if trials is not None and trials < tasks:
        raise ValueError(f"{trials} trials cannot lie in {tasks} tasks")
    if tasks < 2:
        return CannotTell("fewer than 2 tasks")
    if is_constant(means, 1.0):
        return float(tasks)
    centre = mean(means)
    size = max(centre * (1 - centre) / (variance(means) / tasks), float(tasks))
    return size if trials is None else min(size, float(trials))


def effective_n(task_means: ArrayLike, trials: int | None) -> Interval | CannotTell:
    """Return the interval of the mean of T task means, for claims about tasks like these.

    Wilson's interval at `effective_size` with the t quantile of T - 1 degrees of freedom.
    Source: Korn and Graubard 1998, "Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data" (effective size), with Wilson's form.

    Raises:
        ValueError: A mean outside 0 to 1, or fewer trials than tasks.
    """
    size = effective_size(task_means, trials)
    if isinstance(size, CannotTell):
        return size
    means = _rates(task_means)
    return _score_interval(mean(means), size, t_quantile(len(means) - 1), "Wilson at n_eff")


def t(values: ArrayLike) -> Interval | CannotTell:
    """Return Student's interval of the mean of n independent values, in their unit.

    None below two values, or when all are equal: their spread is not known then.
    Source: Student 1908, "The probable error of a mean".

    Raises:
        ValueError: A value is not finite.
    """
    numbers = sample(values)
    if len(numbers) < 2:
        return CannotTell("fewer than 2 values")
    if is_constant(numbers):
        return CannotTell("all values are equal, so their spread is not known")
    centre, half = mean(numbers), _half_width(numbers)
    return interval(centre - half, centre + half, LEVEL, "t")


def lift_t(
    differences: ArrayLike, *, metric_range: float = 1.0, p: float | None = None
) -> Interval | CannotTell:
    """Return the interval of the mean of n task differences of a metric that spans `metric_range`.

    Student's t, clipped to -range..range. When all differences are equal the half-width is
    (1 - 0.025^(1/n)) * range: up to that share of unseen tasks may differ (Clopper-Pearson's limit
    for 0 of n). When the test that decides gives `p` > 0.05 and the interval excludes 0, the end
    nearer 0 is moved to 0 and `note` says so. Needs two tasks.

    Raises:
        ValueError: A difference beyond the range, a range that is not positive, or p outside 0..1.
    """
    numbers = sample(differences)
    if not 0 < metric_range < math.inf:
        raise ValueError("the range of a metric is a positive number")
    if (np.abs(numbers) > metric_range * (1 + 1e-9)).any():
        raise ValueError(f"a difference is beyond the metric's range of {metric_range:g}")
    n = len(numbers)
    if n < 2:
        return CannotTell("fewer than 2 tasks")
    equal = is_constant(numbers, metric_range)
    half = (1 - TAIL ** (1 / n)) * metric_range if equal else _half_width(numbers)
    centre = mean(numbers)
    low, high = max(centre - half, -metric_range), min(centre + half, metric_range)
    method = "t with floor" if equal else "t"
    return agreeing(low, high, 0.0, p, method)


@dataclass(frozen=True, slots=True)
class RatioMean:
    """The geometric mean of `n` ratios, treatment over baseline; 1 is no difference."""

    estimate: float
    interval: Interval | CannotTell
    n: int


def geometric_mean_ratio(
    baseline: ArrayLike, treatment: ArrayLike, *, p: float | None = None
) -> RatioMean | CannotTell:
    """Return the geometric mean of the ratios of n pairs of task means (latency, tokens, cost).

    The interval is Student's on the logarithms, and agrees with `p` about 1 as `lift_t` does about
    0. A pair with a value of 0 has no ratio: the shift serves there.
    Source: Fleming and Wallace 1986, "How not to lie with statistics" (geometric means of ratios).

    Raises:
        ValueError: Unequal lengths, a negative value, or p outside 0..1.
    """
    before, after = sample(baseline), sample(treatment)
    if len(before) != len(after):
        raise ValueError(f"{len(before)} baseline values cannot be paired with {len(after)}")
    if (before < 0).any() or (after < 0).any():
        raise ValueError("a value below 0 has no ratio")
    if not len(before):
        return CannotTell("no tasks")
    if not (before.all() and after.all()):
        return CannotTell("a value is 0, so its ratio does not exist")
    logs = np.log(after) - np.log(before)
    centre = mean(logs)
    if abs(centre) > LARGEST_LOGARITHM:
        return CannotTell("the ratios are beyond double precision")
    return RatioMean(math.exp(centre), _ratio_interval(logs, centre, p), len(logs))


def _ratio_interval(logs: FloatArray, centre: float, p: float | None) -> Interval | CannotTell:
    if len(logs) < 2:
        return CannotTell("fewer than 2 tasks")
    if is_constant(logs, 1.0):
        return CannotTell("all ratios are equal, so their spread is not known")
    half = _half_width(logs)
    if abs(centre) + half > LARGEST_LOGARITHM:
        return CannotTell("the ratios spread beyond double precision")
    return agreeing(math.exp(centre - half), math.exp(centre + half), 1.0, p, "t on logarithms")


def exponential(found: Interval | CannotTell) -> Interval | CannotTell:
    """Return an interval of logarithms as one of the numbers themselves."""
    if isinstance(found, CannotTell):
        return found
    ends = [end for end in (found.low, found.high) if end is not None]
    if max(map(abs, ends)) > LARGEST_LOGARITHM:
        return CannotTell("the ratios spread beyond double precision")
    low, high = (None if end is None else math.exp(end) for end in (found.low, found.high))
    return interval(
        low, high, found.level, found.method, note=found.note, descriptive=found.descriptive
    )


def agreeing(
    low: float, high: float, nothing: float, p: float | None, method: str
) -> Interval | CannotTell:
    """Return the interval after moving the end nearer `nothing` to it where the test shows none.

    Raises:
        ValueError: p outside 0..1.
    """
    if p is not None and not 0 <= p <= 1:
        raise ValueError(f"p is a probability, not {p:g}")
    note = ""
    if p is not None and p > ALPHA and not low <= nothing <= high:
        note = f"the end nearer {nothing:g} is moved to {nothing:g}: p > {ALPHA:g}"
        low, high = min(low, nothing), max(high, nothing)
    return interval(low, high, LEVEL, method, note=note)


def _half_width(numbers: FloatArray) -> float:
    n = len(numbers)
    return t_quantile(n - 1) * math.sqrt(variance(numbers) / n)


def _score_interval(rate: float, n: float, z: float, method: str) -> Interval | CannotTell:
    """Return Wilson's interval, in a form without cancellation: a rate of 0 or 1 is an end."""
    other = 1 - rate
    half = z * z / (2 * n) + z * math.sqrt(rate * other / n + z * z / (4 * n * n))
    return interval(rate**2 / (rate + half), 1 - other**2 / (other + half), LEVEL, method)


def _check_counts(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} trials are not possible")


def _rates(values: ArrayLike) -> FloatArray:
    means = sample(values)
    if ((means < 0) | (means > 1)).any():
        raise ValueError("a mean of scores lies between 0 and 1")
    return means
