"""The methods for pass or fail and for scores: what they compare are differences of means."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from benchdata.comparisons.claims import Cells, Claim
from benchdata.comparisons.results import Moved, Result, Shape, nothing
from benchdata.stats import fixed_tasks, floors, ranks, unpaired
from benchdata.stats.cells import average, paired
from benchdata.stats.intervals import effective_n, wilson
from benchdata.stats.paired import Lift, lift
from benchdata.stats.rationals import rational
from benchdata.stats.results import CannotTell, Interval, interval
from benchdata.stats.tables import Fisher, fisher
from benchdata.stats.unpaired import Estimate

SIGN_FLIP = "sign-flip over task differences"
MCNEMAR = "McNemar"
FISHER = "Fisher"
MANN_WHITNEY = "Mann-Whitney on task means"
INSIDE = "arm labels permuted inside tasks"

Values = dict[str, list[Fraction]]


def lifted(a: Cells, b: Cells, claim: Claim) -> Result:
    """Compare two arms over the tasks that both ran: mean of task differences, sign-flip.

    With one trial of pass or fail a task, the sign-flip test is McNemar's.
    """
    before, after = numbers(a, claim), numbers(b, claim)
    shared = sorted(before.keys() & after.keys())
    cells = [before[task] for task in shared], [after[task] for task in shared]
    single = claim.kind == "pass" and all(len(cell) == 1 for side in cells for cell in side)
    test = MCNEMAR if single else SIGN_FLIP
    found = lift(*cells, metric_range=claim.metric_range)
    if not isinstance(found, Lift):
        return nothing("difference", "paired tasks", test, found.reason)
    even = found.exact_mean
    if found.set_aside:
        even = average([task.even[1] - task.even[0] for task in paired(*cells)[0]])
    better, worse = (found.better, found.worse)[:: 1 if claim.upwards else -1]
    return Result(
        scale="difference",
        shape="paired tasks",
        test=test,
        estimate=found.mean,
        interval=found.interval,
        p=found.exact_p,
        floor=floors.sign_flip(found.n),
        method=found.method,
        n=(found.n, found.n),
        tends=sign(even),
        moved=Moved(better, worse, found.tied),
        set_aside=found.set_aside,
        floor_at=floors.sign_flip,
    )


def apart(a: Cells, b: Cells, claim: Claim) -> Result:
    """Compare two arms that ran other tasks: Mann-Whitney on task means."""
    before, after = ([average(cell) for cell in numbers(c, claim).values()] for c in (a, b))
    found = ranks.mann_whitney(before, after)
    if isinstance(found, CannotTell):
        return nothing("difference", "other tasks", MANN_WHITNEY, found.reason)
    sides = tuple(
        Estimate(float(average(m)), mean_interval(c, claim)) for c, m in ((a, before), (b, after))
    )
    return Result(
        scale="difference",
        shape="other tasks",
        test=MANN_WHITNEY,
        estimate=float(average(after) - average(before)),
        interval=unpaired.difference(*sides, metric_range=claim.metric_range, p=found.p),
        p=found.exact_p,
        floor=floors.mann_whitney(found.n, found.m),
        method=found.method,
        n=(found.n, found.m),
        tends=sign(Fraction(found.n * found.m, 2) - found.u),
        floor_at=either_side,
    )


def passes_apart(a: Cells, b: Cells, claim: Claim) -> Result:
    """Compare pass rates of other tasks: Fisher's test when every task has one trial."""
    if all(len(cell) == 1 for side in (a, b) for cell in side.values()):
        return counted(a, b, claim, "other tasks")
    return apart(a, b, claim)


def passes(a: Cells, b: Cells, claim: Claim) -> Result:
    """Compare pass rates of one task."""
    return counted(a, b, claim, "one task")


def counted(a: Cells, b: Cells, claim: Claim, shape: Shape) -> Result:
    """Compare passes among independent trials: Fisher's test, Newcombe's interval of the rates."""
    sides = [[v for cell in numbers(c, claim).values() for v in cell] for c in (a, b)]
    if not {Fraction(0), Fraction(1)}.issuperset(v for side in sides for v in side):
        return inside(a, b, claim)  # averaged trials are no counts
    (x, n), (y, m) = ((int(sum(side)), len(side)) for side in sides)
    found = fisher(x, n, y, m)
    if not isinstance(found, Fisher):
        return nothing("difference", shape, FISHER, found.reason)
    rates = tuple(Estimate(k / size, wilson(k, size)) for k, size in ((x, n), (y, m)))
    gap = Fraction(y, m) - Fraction(x, n)
    return Result(
        scale="difference",
        shape=shape,
        test=FISHER,
        estimate=float(gap),
        interval=unpaired.difference(*rates, metric_range=claim.metric_range, p=found.p),
        p=found.exact_p,
        floor=floors.fisher(n, m),
        n=(n, m),
        unit="run" if shape == "one task" else "task",
        tends=sign(gap),
        floor_at=lambda size: floors.fisher(size, size),
    )


def inside(a: Cells, b: Cells, claim: Claim) -> Result:
    """Compare two arms over tasks that the claim names: arm labels permuted inside each task."""
    before, after = numbers(a, claim), numbers(b, claim)
    shared = sorted(before.keys() & after.keys())
    shape: Shape = "one task" if len(before.keys() | after.keys()) <= 1 else "fixed tasks"
    cells = [before[task] for task in shared], [after[task] for task in shared]
    found = fixed_tasks.inside_tasks(*cells)
    if isinstance(found, CannotTell):
        return nothing("difference", shape, INSIDE, found.reason)
    strata = [(floats(x), floats(y)) for x, y in zip(*cells, strict=True)]
    gaps = [sign(average(y) - average(x)) for x, y in zip(*cells, strict=True)]
    return Result(
        scale="difference",
        shape=shape,
        test=INSIDE,
        estimate=found.mean,
        interval=unpaired.inside_tasks(strata, metric_range=claim.metric_range, p=found.p),
        p=found.exact_p,
        floor=floors.inside_tasks([(len(x), len(y)) for x, y in zip(*cells, strict=True)]),
        method=found.method,
        n=(sum(map(len, cells[0])), sum(map(len, cells[1]))),
        unit="run",
        tends=sign(found.exact_mean),
        moved=Moved.of(gaps, upwards=claim.upwards) if shape == "fixed tasks" else None,
        floor_at=lambda size: floors.inside_tasks([(size, size)] * len(shared)),
    )


def numbers(cells: Cells, claim: Claim) -> Values:
    """Return the values by task; a run that ranks worst has the worst score there is."""
    worst = rational(claim.bounds[0 if claim.upwards else 1])
    return {
        task: [worst if value is None else rational(value) for value in values]
        for task, values in cells.items()
    }


def mean_interval(cells: Cells, claim: Claim) -> Interval | CannotTell:
    """Return the honest interval of the mean of task means: Wilson's at the effective n."""
    low, width = rational(claim.bounds[0]), rational(claim.metric_range)
    values = numbers(cells, claim)
    trials = sum(map(len, values.values())) if claim.kind == "pass" else None
    found = effective_n([float((average(v) - low) / width) for v in values.values()], trials)
    if isinstance(found, CannotTell) or found.low is None or found.high is None:
        return found
    first, last = (float(low + width * rational(end)) for end in (found.low, found.high))
    return interval(first, last, found.level, found.method)


def floats(values: Sequence[Fraction]) -> list[float]:
    """Return values as doubles."""
    return [float(value) for value in values]


def either_side(size: int) -> Fraction:
    """Return the smallest p of Mann-Whitney with as many units on either side."""
    return floors.mann_whitney(size, size)


def sign(value: Fraction | float) -> int:
    """Return -1, 0 or 1."""
    return (value > 0) - (value < 0)
