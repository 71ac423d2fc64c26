"""One arm by itself: its estimate with the honest interval, and how its runs ended."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Cells, Claim, cells
from benchdata.comparisons.scores import floats, mean_interval, numbers
from benchdata.stats import intervals, order_statistics, ranks, unpaired
from benchdata.stats.bootstrap import bootstrap
from benchdata.stats.cells import average
from benchdata.stats.ranks import Rankable
from benchdata.stats.rationals import rational
from benchdata.stats.results import CannotTell, Interval, interval

Statistic = Literal["rate", "mean of task means", "mean over tasks", "median", "geometric mean"]

NOTHING = CannotTell("no scored run with a value")
NOT_REACHED = CannotTell("not reached")


@dataclass(frozen=True, slots=True)
class Summary:
    """An arm on one metric.

    `n` counts tasks (runs, in a claim about fixed tasks), `runs` all rows, `scored` and `succeeded`
    those that were and did. `descriptive` is the bootstrap interval over tasks, which decides
    nothing; None where tasks are fixed.
    """

    label: str
    statistic: Statistic
    estimate: float | CannotTell
    interval: Interval | CannotTell
    descriptive: Interval | CannotTell | None
    n: int
    runs: int
    scored: int
    succeeded: int


def summarize(arm: Arm, claim: Claim) -> Summary:
    """Return what an arm shows alone: the estimate that fits the claim, and its interval."""
    found = cells(arm, claim)
    statistic, estimate, bounds = _estimate(found, claim)
    sampled = claim.tasks == "sampled"
    return Summary(
        label=arm.label,
        statistic=statistic,
        estimate=estimate,
        interval=bounds,
        descriptive=_descriptive(found, claim) if sampled else None,
        n=len(found) if sampled else sum(map(len, found.values())),
        runs=len(arm.runs),
        scored=arm.scored,
        succeeded=sum(run.scored and run.success for run in arm.runs),
    )


def _estimate(
    found: Cells, claim: Claim
) -> tuple[Statistic, float | CannotTell, Interval | CannotTell]:
    if claim.kind == "amount":
        return _amount(found, claim)
    values = numbers(found, claim)
    if not values:
        return "mean of task means", NOTHING, NOTHING
    flat = [value for task in values.values() for value in task]
    single = all(len(task) == 1 for task in values.values()) or len(values) == 1
    if claim.kind == "pass" and single and {Fraction(0), Fraction(1)}.issuperset(flat):
        passed = int(sum(flat))
        return "rate", passed / len(flat), intervals.wilson(passed, len(flat))
    mean = float(average([average(task) for task in values.values()]))
    if claim.tasks == "sampled":
        return "mean of task means", mean, mean_interval(found, claim)
    rows = [floats(task) for task in values.values()]
    wide = unpaired.mean_over_tasks(rows, metric_range=claim.metric_range)
    return "mean over tasks", mean, _clipped(wide, *claim.bounds)


def _clipped(found: Interval | CannotTell, low: float, high: float) -> Interval | CannotTell:
    if isinstance(found, CannotTell) or found.low is None or found.high is None:
        return found
    ends = max(found.low, float(low)), min(found.high, float(high))
    return interval(*ends, found.level, found.method)


def _amount(
    found: Cells, claim: Claim
) -> tuple[Statistic, float | CannotTell, Interval | CannotTell]:
    if not found:
        return "median", NOTHING, NOTHING
    if claim.tasks == "fixed" and len(found) == 1:
        (values,) = found.values()
        present = [None if value is None else float(value) for value in values]
        bounds = order_statistics.median(present, nulls=claim.nulls)
        return "median", ranks.median(values, nulls=claim.nulls), bounds
    logs = _logarithms(found, claim)
    if isinstance(logs, CannotTell):
        return "geometric mean", logs, logs
    means = [math.fsum(task) / len(task) for task in logs]
    wide = intervals.t(means) if claim.tasks == "sampled" else unpaired.mean_over_tasks(logs)
    return "geometric mean", math.exp(math.fsum(means) / len(means)), intervals.exponential(wide)


def _logarithms(found: Cells, claim: Claim) -> list[list[float]] | CannotTell:
    """Return the logarithms by task: of task means where tasks are sampled, else of all runs."""
    values: list[Rankable] = [value for task in found.values() for value in task]
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return NOT_REACHED
    if min(present) <= 0:
        return CannotTell("a value is 0, so there is no geometric mean")
    if claim.tasks == "fixed":
        return [[math.log(v) for v in task if v is not None] for task in found.values()]
    means = (average([rational(v) for v in task if v is not None]) for task in found.values())
    return [[math.log(mean)] for mean in means]


def _descriptive(found: Cells, claim: Claim) -> Interval | CannotTell:
    """Return the bootstrap interval of the mean of task means, tasks sorted by id."""
    if claim.kind == "amount":
        logs = _logarithms(found, claim) if found else NOTHING
        if isinstance(logs, CannotTell):
            return logs
        return intervals.exponential(bootstrap([task[0] for task in logs]))
    return bootstrap([float(average(task)) for task in numbers(found, claim).values()])
