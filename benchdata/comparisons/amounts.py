"""Amounts (latency, tokens, cost) compared by ranks: ratios, or shifts where one is 0 or less."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from benchdata.comparisons.claims import Cells, Claim
from benchdata.comparisons.results import SIDEWAYS, Moved, Result, Scale, nothing
from benchdata.comparisons.scores import either_side, sign
from benchdata.stats import fixed_tasks, floors, ranks, shifts, unpaired
from benchdata.stats.cells import average
from benchdata.stats.intervals import agreeing, exponential
from benchdata.stats.ranks import MannWhitney, Rankable, Worst
from benchdata.stats.rationals import SIGNIFICANT
from benchdata.stats.results import CannotTell, Interval

MANN_WHITNEY = "Mann-Whitney"
INSIDE = "Mann-Whitney ranks, arm labels permuted inside tasks"
NO_RATIO = (
    "a value is 0 or less: the shift stands for the ratio, M is a share of the baseline's median"
)
NO_MEAN = CannotTell("not estimable: no mean holds a run that failed or has no value")

Sides = tuple[Sequence[Sequence[Rankable]], Sequence[Sequence[Rankable]]]
"""The cells of baseline and treatment, task by task."""


class Seen(NamedTuple):
    """Whether a value of two arms has no ratio (0 or less), and whether a run has no value."""

    no_ratio: bool
    missing: bool


def tendency(a: Cells, b: Cells, claim: Claim) -> Result:
    """Compare runs inside one task: Mann-Whitney, Hodges-Lehmann ratio."""
    before, after = ([value for cell in side.values() for value in cell] for side in (a, b))
    nulls = claim.nulls
    found = ranks.mann_whitney(before, after, nulls=nulls)
    if not isinstance(found, MannWhitney):
        sizes = len(before), len(after)
        return nothing("ratio", "one task", MANN_WHITNEY, found.reason, n=sizes, unit="run")
    no_ratio = seen_in(([before], [after])).no_ratio
    scale: Scale = "shift" if no_ratio else "ratio"
    measure = shifts.hodges_lehmann if no_ratio else shifts.hodges_lehmann_ratio
    shift = measure(before, after, nulls=nulls)
    bounds = shift if isinstance(shift, CannotTell) else shift.interval
    return Result(
        scale=scale,
        shape="one task",
        test=MANN_WHITNEY,
        estimate=shift if isinstance(shift, CannotTell) else shift.estimate,
        interval=agreed(bounds, SIDEWAYS[scale], found.exact_p),
        p=found.exact_p,
        floor=floors.mann_whitney(found.n, found.m),
        method=found.method,
        n=(found.n, found.m),
        unit="run",
        tends=sign(Fraction(found.n * found.m, 2) - found.u),
        beyond=_mostly_beyond([(before, after)], nulls),
        reference=median(before, nulls),
        floor_at=either_side,
        notes=(NO_RATIO,) if no_ratio else (),
    )


def inside(a: Cells, b: Cells, claim: Claim) -> Result:
    """Compare amounts over tasks that the claim names, by ranks inside each task.

    The estimate is the geometric mean over tasks of the ratio of geometric means.
    """
    shared = sorted(a.keys() & b.keys())
    strata = [(a[task], b[task]) for task in shared]
    ranked = [_shares(before, after, claim.nulls) for before, after in strata]
    found = fixed_tasks.inside_tasks([one for one, _ in ranked], [two for _, two in ranked])
    if isinstance(found, CannotTell):
        return nothing("ratio", "fixed tasks", INSIDE, found.reason)
    seen = seen_in(([one for one, _ in strata], [two for _, two in strata]))
    scale: Scale = "shift" if seen.no_ratio else "ratio"
    estimate, bounds = _inside(strata, seen, found.p)
    gaps = [sign(average(two) - average(one)) for one, two in ranked]
    medians = [median(before, claim.nulls) for before, _ in strata]
    return Result(
        scale=scale,
        shape="fixed tasks",
        test=INSIDE,
        estimate=estimate,
        interval=bounds,
        p=found.exact_p,
        floor=floors.inside_tasks([(len(x), len(y)) for x, y in strata]),
        method=found.method,
        n=(sum(len(x) for x, _ in strata), sum(len(y) for _, y in strata)),
        unit="run",
        tends=sign(found.exact_mean),
        beyond=_mostly_beyond(strata, claim.nulls),
        moved=Moved.of(gaps, upwards=claim.upwards),
        reference=math.fsum(medians) / len(medians),
        floor_at=lambda size: floors.inside_tasks([(size, size)] * len(shared)),
        notes=(NO_RATIO,) if seen.no_ratio else (),
    )


def _inside(
    strata: Sequence[tuple[Sequence[Rankable], Sequence[Rankable]]], seen: Seen, p: float
) -> tuple[float | CannotTell, Interval | CannotTell]:
    if seen.missing:
        return NO_MEAN, NO_MEAN
    on_scale = float if seen.no_ratio else math.log
    values = [
        ([on_scale(x) for x in one if x is not None], [on_scale(y) for y in two if y is not None])
        for one, two in strata
    ]
    gaps = [math.fsum(two) / len(two) - math.fsum(one) / len(one) for one, two in values]
    centre = math.fsum(gaps) / len(gaps)
    found = unpaired.inside_tasks(values, p=p)
    if seen.no_ratio:
        return centre, found
    return math.exp(centre), exponential(found)


def agreed(found: Interval | CannotTell, sideways: float, p: Fraction) -> Interval | CannotTell:
    """Return the interval, its end nearer no difference moved there when the test shows none."""
    if isinstance(found, CannotTell) or p <= SIGNIFICANT or not found.excludes(sideways):
        return found
    moved = agreeing(
        sideways if found.low is None else found.low,
        sideways if found.high is None else found.high,
        sideways,
        float(p),
        found.method,
    )
    if isinstance(moved, CannotTell):
        return moved
    low, high = (
        None if end is None else new
        for end, new in ((found.low, moved.low), (found.high, moved.high))
    )
    return replace(
        found, low=low, high=high, note="; ".join(filter(None, (found.note, moved.note)))
    )


def _shares(
    before: Sequence[Rankable], after: Sequence[Rankable], nulls: Worst
) -> tuple[list[Fraction], list[Fraction]]:
    """Return the midrank of every row as a share of the rows of its task."""
    one, two = ranks.places(before, after, nulls)
    doubled, _ = ranks.midranks(sorted([*one, *two]))
    rows = 2 * (len(one) + len(two))
    shares = [[Fraction(doubled[place], rows) for place in side] for side in (one, two)]
    return shares[0], shares[1]


def seen_in(cells: Sides) -> Seen:
    """Return whether a value is 0 or less, and whether a run has none."""
    values = {value for side in cells for cell in side for value in cell}
    return Seen(any(value <= 0 for value in values if value is not None), None in values)


def _mostly_beyond(
    strata: Sequence[tuple[Sequence[Rankable], Sequence[Rankable]]], nulls: Worst
) -> int:
    """Return the side on which the treatment lies beyond all values in half of the pairs or more.

    That is where their median is no number. Pairs without any value are tied and do not count.
    """
    ups, downs = [], []
    for before, after in strata:
        lost = before.count(None), after.count(None)
        pairs = max(len(before) * len(after) - lost[0] * lost[1], 1)
        ups.append(Fraction((len(before) - lost[0]) * lost[1], pairs))
        downs.append(Fraction(lost[0] * (len(after) - lost[1]), pairs))
    up, down = 2 * average(ups) >= 1, 2 * average(downs) >= 1
    return (up - down) * (1 if nulls == "highest" else -1)


def median(values: Sequence[Rankable], nulls: Worst) -> float:
    """Return the median that M is a share of, 0 where it is not reached."""
    found = ranks.median(values, nulls=nulls)
    return 0.0 if isinstance(found, CannotTell) else found
