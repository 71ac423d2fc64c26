"""What forbids a verdict whatever p says: rows that follow each other, arms without headroom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from benchdata.comparisons.arms import Arm, Run
from benchdata.comparisons.claims import Cells, Claim
from benchdata.comparisons.results import Shape
from benchdata.comparisons.scores import numbers
from benchdata.stats.independence import Independence, independence
from benchdata.stats.percentiles import SWING, Spread, rank_of, spread
from benchdata.stats.ranks import Rankable, Worst, midranks, places
from benchdata.stats.rationals import rational
from benchdata.stats.results import CannotTell

DRIFT = "drift cannot be separated"
NO_ORDER = "no row says when it started after another: the guard for independence is off"


def dependent(arm: Arm, claim: Claim) -> str:
    """Return why the rows of an arm are not independent, or nothing.

    Rows are ranked inside their task, lest tasks that ran one after the other look like dependence;
    with one run a task they are ranked together.
    """
    runs = [run for run in arm.runs if claim.counts(run)]
    starts = [run.start for run in runs if run.start is not None]
    if not runs or len(starts) < len(runs):
        return ""
    tasks = [run.task for run in runs]
    apart = 1 < len(set(tasks)) < len(tasks)
    found = independence(
        _ranked(runs, claim) if apart else [claim.value_of(run) for run in runs],
        starts,  # type: ignore[type-var]  # times of one dataset are of one kind
        strata=tasks if apart else None,
        nulls=claim.nulls,
    )
    if not isinstance(found, Independence) or not found.dependent:
        return ""
    lag = f"lag-1 autocorrelation {found.autocorrelation:.2f}, p {found.p:.2g}"
    return f"the rows of {arm.label} follow each other, {lag}"


def ordered(arm: Arm) -> bool:
    """Return whether every run of an arm says when it started, and not all at once."""
    starts = {run.start for run in arm.runs}
    return None not in starts and (len(starts) > 1 or len(arm.runs) < 2)


def drift(one: Arm, two: Arm) -> bool:
    """Return whether all runs of one arm started before the first of the other.

    What changed with time can then not be told from what changed with the arm. Known of times
    alone: a place in a series orders the rows of one arm.
    """
    starts = [[run.start for run in arm.runs] for arm in (one, two)]
    times = [[start for start in side if isinstance(start, datetime)] for side in starts]
    if not all(times) or list(map(len, times)) != list(map(len, starts)):
        return False
    return max(times[0]) < min(times[1]) or max(times[1]) < min(times[0])


def _ranked(runs: Sequence[Run], claim: Claim) -> list[Rankable]:
    """Return the place of every run among those of its task, from 0 to 1."""
    members: dict[str, list[int]] = {}
    for position, run in enumerate(runs):
        members.setdefault(run.task, []).append(position)
    found: list[Rankable] = [None] * len(runs)
    for positions in members.values():
        inside = [claim.value_of(runs[position]) for position in positions]
        for position, share in zip(positions, _shares(inside, claim.nulls), strict=True):
            found[position] = share
    return found


def _shares(values: Sequence[Rankable], nulls: Worst) -> list[Fraction]:
    ranked, _ = places(values, [], nulls)
    doubled, _ = midranks(sorted(ranked))
    return [Fraction(doubled[place], 2 * (len(values) + 1)) for place in ranked]


def at_bound(a: Cells, b: Cells, claim: Claim) -> bool:
    """Return whether both arms reach the same end of the metric in every task, and nothing else."""
    if claim.kind == "amount" or not a or not b:
        return False
    values = (v for cells in (a, b) for cell in numbers(cells, claim).values() for v in cell)
    seen = set(values)
    return len(seen) == 1 and seen <= {rational(end) for end in claim.bounds}


@dataclass(frozen=True, slots=True)
class Swing:
    """How far the runs of one arm lie apart: `words` (max/min, or nothing), whether unstable."""

    words: str = ""
    unstable: bool = False


def swing(cells: Cells, claim: Claim, shape: Shape) -> Swing:
    """Return the swing of amounts inside a task and environment; of all else there is none.

    Runs of one task alone can be unstable; of several fixed tasks each swing is named.
    """
    if claim.kind != "amount" or claim.tasks != "fixed":
        return Swing()
    found = {task: _swing(cell, claim) for task, cell in cells.items()}
    if shape == "one task":
        return next(iter(found.values()), Swing())
    return Swing(", ".join(f"{task} {one.words}" for task, one in found.items() if one.words))


def _swing(values: Sequence[Rankable], claim: Claim) -> Swing:
    present = [float(value) for value in values if value is not None]
    found = spread(present) if not present or min(present) >= 0 else CannotTell("below 0")
    if not isinstance(found, Spread):
        return Swing()
    lost = len(values) - len(present)
    return Swing(found.swing, _unstable(sorted(present), lost, claim.nulls) or found.minimum_zero)


def _unstable(present: Sequence[float], lost: int, nulls: Worst) -> bool:
    """Return whether p75/p25 > 2, both by nearest rank; a run without a value is beyond any."""
    infinite = [float("inf")] * lost
    ordered_values = [*present, *infinite] if nulls == "highest" else [*[0.0] * lost, *present]
    n = len(ordered_values)
    low, high = (ordered_values[rank_of(n, percent) - 1] for percent in (25, 75))
    return low < high and high > SWING * low
