"""The course of a series over its releases: levels, spread inside a release, expected alarms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Cells, Claim, cells, mean
from benchdata.stats import percentiles
from benchdata.stats.changes import change_points
from benchdata.stats.percentiles import nearest_rank
from benchdata.stats.results import ALPHA, CannotTell, known
from benchdata.stats.trends import Trend, mann_kendall

DAY = timedelta(days=1)
YEAR = 365.25  # days
A_RELEASE = ALPHA / 2
"""False `worse` a release: of the two-sided 5%, the half on the worse side."""


@dataclass(frozen=True, slots=True)
class Level:
    """A change of level: the first `release` of the new one, and the medians on either side."""

    release: str
    p: float
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Course:
    """What the estimates of all releases in order show: reported, and deciding nothing.

    `trend` is Mann-Kendall's test; `left_out` releases have no estimate and are in neither.
    """

    trend: Trend | CannotTell
    levels: tuple[Level, ...] | CannotTell
    left_out: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How far the values of one release lie apart: p75 / p25 by nearest rank.

    `task` is empty for task means, where tasks stand for more. `ratio` is None over a p25 of 0,
    below 0, or without values.
    """

    task: str
    n: int
    p25: float | None
    p75: float | None
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Alarms:
    """How many false alarms a year a gate on `worse` is to expect at most.

    `releases` are those judged, over the `days` between the first starts of the first and the last
    release. Each has a chance of at most 2.5%.
    """

    releases: int
    days: float
    per_year: float | CannotTell


def course(labels: Sequence[str], estimates: Sequence[float | CannotTell]) -> Course:
    """Return the course of the estimates of n releases in order."""
    known = [
        (label, value)
        for label, value in zip(labels, estimates, strict=True)
        if not isinstance(value, CannotTell)
    ]
    values = [value for _, value in known]
    left_out = len(labels) - len(known)
    return Course(mann_kendall(values), _levels([label for label, _ in known], values), left_out)


def _levels(labels: Sequence[str], values: Sequence[float]) -> tuple[Level, ...] | CannotTell:
    found = change_points(values)
    if isinstance(found, CannotTell):
        return found
    borders = [0, *(change.position for change in found), len(values)]
    return tuple(
        Level(
            labels[change.position],
            float(change.p),
            median(values[before : change.position]),
            median(values[change.position : after]),
        )
        for change, before, after in zip(found, borders, borders[2:], strict=False)
    )


def spreads(arm: Arm, claim: Claim) -> tuple[Spread, ...]:
    """Return the spread of the runs of each fixed task, or of the task means of sampled ones."""
    return tuple(_spreads(cells(arm, claim), claim))


def _spreads(found: Cells, claim: Claim) -> Iterator[Spread]:
    if claim.tasks == "sampled":
        means = map(mean, found.values())
        yield _spread("", [each for each in means if each is not None])
        return
    for task, cell in found.items():
        yield _spread(task, [float(value) for value in cell if value is not None])


def _spread(task: str, values: Sequence[float]) -> Spread:
    if not values:
        return Spread(task, 0, None, None, None)
    p25, p75 = (known(nearest_rank(values, percent)) for percent in (25, 75))
    found = percentiles.spread(values) if min(values) >= 0 else CannotTell("a value is below 0")
    ratio = None if isinstance(found, CannotTell) else found.p75_over_p25
    return Spread(task, len(values), p25, p75, ratio)


def alarms(starts: Sequence[datetime]) -> Alarms:
    """Return the alarms to expect of releases that first started at these times, in order."""
    judged, days = len(starts) - 1, (starts[-1] - starts[0]) / DAY
    if days < 1:
        return Alarms(judged, days, CannotTell("all releases started within a day"))
    return Alarms(judged, days, judged / days * YEAR * A_RELEASE)
