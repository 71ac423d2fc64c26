"""Two arms compared task by task: lifts, ratios, and the tests of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchdata.stats.cells import Cell, average, paired
from benchdata.stats.intervals import RatioMean, geometric_mean_ratio, lift_t
from benchdata.stats.rationals import Tested
from benchdata.stats.results import CannotTell, Interval
from benchdata.stats.sign_flips import sign_flip, sign_flip_of_ratios
from benchdata.stats.tables import mcnemar, sign_test

__all__ = ["Lift", "Ratio", "lift", "mcnemar", "ratio", "sign_test"]

NO_TASKS = CannotTell("no task has a value in both arms")


@dataclass(frozen=True, slots=True)
class Lift(Tested):
    """The mean of `n` task differences, treatment - baseline, and its sign-flip test.

    `better`, `worse` and `tied` count tasks by the sign of their difference, over all repeats.
    `unpaired` tasks lack a value in an arm or both. `set_aside` repeats are in the mean, not in p.
    """

    exact_mean: Fraction
    interval: Interval | CannotTell
    n: int
    better: int
    worse: int
    tied: int
    unpaired: int
    set_aside: int
    method: str

    @property
    def mean(self) -> float:
        """The double nearest to the exact mean, in the unit of the metric."""
        return float(self.exact_mean)


@dataclass(frozen=True, slots=True)
class Ratio(Tested):
    """The geometric mean of `n` ratios of task means, treatment / baseline, and its sign-flip test.

    `higher`, `lower` and `tied` count tasks by their ratio. The rest is as in `Lift`.
    """

    estimate: float
    interval: Interval | CannotTell
    n: int
    higher: int
    lower: int
    tied: int
    unpaired: int
    set_aside: int
    method: str


def lift(
    baseline: Sequence[Cell], treatment: Sequence[Cell], *, metric_range: float = 1.0
) -> Lift | CannotTell:
    """Return how much the treatment adds to a metric that spans `metric_range`.

    Position i of both is the same task: its mean, its scored repeats in order of repeat number, or
    None. p uses, per task, the first min(r_A, r_B) repeats, the mean all. The interval is
    `intervals.lift_t`; with p > 0.05 it never excludes 0. One task gives a lift without interval.
    Source: as `sign_flips.sign_flip` and `intervals.lift_t`.

    Raises:
        ValueError: Unequal numbers of tasks, a value that is not finite, or a difference beyond the
            range of the metric.
    """
    tasks, unpaired = paired(baseline, treatment)
    if not tasks:
        return NO_TASKS
    differences = [after - before for before, after in (task.means for task in tasks)]
    test = sign_flip(after - before for before, after in (task.even for task in tasks))
    doubles = [float(difference) for difference in differences]
    return Lift(
        exact_p=test.exact_p,
        exact_mean=average(differences),
        interval=lift_t(doubles, metric_range=metric_range, p=test.p),
        n=len(tasks),
        better=sum(difference > 0 for difference in differences),
        worse=sum(difference < 0 for difference in differences),
        tied=differences.count(Fraction(0)),
        unpaired=unpaired,
        set_aside=sum(task.set_aside for task in tasks),
        method=test.method,
    )


def ratio(baseline: Sequence[Cell], treatment: Sequence[Cell]) -> Ratio | CannotTell:
    """Return by what factor the treatment changes a positive metric (latency, tokens, cost).

    As `lift`, on logarithms; the interval is that of `intervals.geometric_mean_ratio`. None exists
    where a task mean is 0.
    Source: as `sign_flips.sign_flip_of_ratios` and `intervals.geometric_mean_ratio`.

    Raises:
        ValueError: Unequal numbers of tasks, or a value that is not finite or below 0.
    """
    tasks, unpaired = paired(baseline, treatment)
    if not tasks:
        return NO_TASKS
    if any(mean < 0 for task in tasks for mean in (*task.means, *task.even)):
        raise ValueError("a value below 0 has no ratio")
    if not all(mean for task in tasks for mean in (*task.means, *task.even)):
        return CannotTell("a value is 0, so its ratio does not exist")
    test = sign_flip_of_ratios(after / before for before, after in (task.even for task in tasks))
    sides = ([float(task.means[arm]) for task in tasks] for arm in (0, 1))
    found = geometric_mean_ratio(*sides, p=test.p)
    if not isinstance(found, RatioMean):
        return found
    signs = [(after > before) - (after < before) for before, after in (t.means for t in tasks)]
    return Ratio(
        exact_p=test.exact_p,
        estimate=found.estimate,
        interval=found.interval,
        n=len(tasks),
        higher=signs.count(1),
        lower=signs.count(-1),
        tied=signs.count(0),
        unpaired=unpaired,
        set_aside=sum(task.set_aside for task in tasks),
        method=test.method,
    )
