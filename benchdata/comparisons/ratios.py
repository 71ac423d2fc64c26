"""Amounts compared over tasks that both arms ran: geometric means of ratios, or mean shifts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from benchdata.comparisons.amounts import NO_MEAN, NO_RATIO, Seen, Sides, agreed, median, seen_in
from benchdata.comparisons.claims import Cells, Claim
from benchdata.comparisons.results import Moved, Result, nothing
from benchdata.comparisons.scores import SIGN_FLIP, sign
from benchdata.stats import floors
from benchdata.stats.cells import Task, average, paired
from benchdata.stats.intervals import RatioMean, geometric_mean_ratio, t
from benchdata.stats.ranks import Rankable, Worst
from benchdata.stats.rationals import rational
from benchdata.stats.results import CannotTell
from benchdata.stats.sign_flips import sign_flip, sign_flip_of_ratios

LOG_RATIOS = "sign-flip on log ratios of task means"
BEYOND = 10**12  # times the largest value: a run that ranks worst outweighs all others of a sum


def ratios(a: Cells, b: Cells, claim: Claim) -> Result:
    """Compare two arms over the tasks that both ran: geometric mean of the ratios of task means."""
    shared = sorted(a.keys() & b.keys())
    if not shared:
        return nothing("ratio", "paired tasks", LOG_RATIOS, "no task has a value in both arms")
    cells = [a[task] for task in shared], [b[task] for task in shared]
    seen = seen_in(cells)
    worst = _worst(cells, seen, claim.nulls)
    tasks, _ = paired(*(_ranked(side, worst) for side in cells))
    method = _shifted if seen.no_ratio else _ratio
    return method(tasks, cells, seen, claim)


def _ratio(
    tasks: Sequence[Task],
    cells: Sides,
    seen: Seen,
    claim: Claim,
) -> Result:
    test = sign_flip_of_ratios(after / before for before, after in (each.even for each in tasks))
    found: RatioMean | CannotTell = NO_MEAN
    if not seen.missing:
        sides = ([float(task.means[arm]) for task in tasks] for arm in (0, 1))
        found = geometric_mean_ratio(*sides, p=test.p)
    product = math.prod((task.even[1] / task.even[0] for task in tasks), start=Fraction(1))
    return Result(
        scale="ratio",
        shape="paired tasks",
        test=LOG_RATIOS,
        estimate=found.estimate if isinstance(found, RatioMean) else found,
        interval=found.interval if isinstance(found, RatioMean) else found,
        p=test.exact_p,
        floor=floors.sign_flip(test.n),
        method=test.method,
        n=(test.n, test.n),
        tends=sign(product - 1),
        beyond=_lost_more(cells, claim.nulls),
        moved=_moved(tasks, claim),
        set_aside=sum(task.set_aside for task in tasks),
        floor_at=floors.sign_flip,
    )


def _shifted(
    tasks: Sequence[Task],
    cells: Sides,
    seen: Seen,
    claim: Claim,
) -> Result:
    gaps = [after - before for before, after in (task.means for task in tasks)]
    even = [after - before for before, after in (task.even for task in tasks)]
    test = sign_flip(even)
    found = NO_MEAN if seen.missing else t([float(gap) for gap in gaps])
    return Result(
        scale="shift",
        shape="paired tasks",
        test=SIGN_FLIP,
        estimate=NO_MEAN if seen.missing else float(average(gaps)),
        interval=agreed(found, 0.0, test.exact_p),
        p=test.exact_p,
        floor=floors.sign_flip(test.n),
        method=test.method,
        n=(test.n, test.n),
        tends=sign(average(even)),
        beyond=_lost_more(cells, claim.nulls),
        moved=_moved(tasks, claim),
        set_aside=sum(task.set_aside for task in tasks),
        reference=median([task.means[0] for task in tasks], claim.nulls),
        floor_at=floors.sign_flip,
        notes=(NO_RATIO,),
    )


def _ranked(side: Sequence[Sequence[Rankable]], worst: Fraction) -> list[list[Fraction]]:
    """Return values in which a run without one has the worst."""
    return [[worst if value is None else rational(value) for value in cell] for cell in side]


def _worst(cells: Sides, seen: Seen, nulls: Worst) -> Fraction:
    """Return a value so far beyond all others that it outweighs them in a ratio or a sum."""
    present = [rational(v) for one in cells for cell in one for v in cell if v is not None]
    if nulls == "lowest" and not seen.no_ratio:
        return min(present, default=Fraction(1)) / BEYOND
    largest = max(map(abs, present), default=Fraction(1)) or Fraction(1)
    return largest * (BEYOND if nulls == "highest" else -BEYOND)


def _lost_more(cells: Sides, nulls: Worst) -> int:
    """Return where a mean over tasks lies by the tasks of which one arm alone lost a run, or 0."""
    lost = [(None in before, None in after) for before, after in zip(*cells, strict=True)]
    more = sum(after - before for before, after in lost)
    return sign(more) if nulls == "highest" else -sign(more)


def _moved(tasks: Sequence[Task], claim: Claim) -> Moved:
    gaps = [sign(after - before) for before, after in (task.means for task in tasks)]
    return Moved.of(gaps, upwards=claim.upwards)
