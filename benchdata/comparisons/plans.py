"""The plan and what came of it: interim looks, cells without a scored row, batches added later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from benchdata.comparisons.arms import Arm, Plan, Run
from benchdata.comparisons.claims import Cells, Claim
from benchdata.comparisons.ratios import BEYOND
from benchdata.errors import counted
from benchdata.stats.ranks import Rankable
from benchdata.stats.rationals import rational

NO_PLAN = "no plan in the rows: the interim and missing-row rules are off"
UNKNOWN_LOOKS = "looks not known, p is not corrected for them"
CHANGED_PLAN = f"the rows disagree on the plan: {UNKNOWN_LOOKS}"


class Holes(NamedTuple):
    """How many planned cells of an arm have no row yet, and per task how many no scored one."""

    planned: int
    without_row: int
    unscored: Mapping[str, int]

    @property
    def missing(self) -> int:
        """Return the number of cells without a scored row."""
        return sum(self.unscored.values())


def common(baseline: Plan, treatment: Plan) -> Plan:
    """Return the plan of a comparison: the larger of both arms'."""
    tasks = _larger(baseline.tasks, treatment.tasks)
    repeats = _larger(baseline.repeats, treatment.repeats)
    differ = (baseline.tasks, baseline.repeats) != (treatment.tasks, treatment.repeats)
    return Plan(tasks, repeats, baseline.changed or treatment.changed or differ)


def holes(arm: Arm, claim: Claim, plan: Plan, tasks: frozenset[str]) -> Holes:
    """Return what an arm lacks of its plan over `tasks`; nothing when there is no plan.

    A cell is filled by any row of its task with another repeat, so a plan of 3 repeats is met by
    repeats 1, 2 and 4.
    """
    if plan.tasks is None and plan.repeats is None:
        return Holes(0, 0, {})
    seen = _repeats(arm.runs)
    scored = _repeats(run for run in arm.runs if claim.counts(run))
    repeats = plan.repeats or 1
    planned = max(plan.tasks or 0, len(tasks)) * repeats
    with_row = sum(min(len(seen[task]), repeats) for task in tasks)
    unscored = {task: repeats - len(scored[task]) for task in sorted(tasks)}
    return Holes(planned, planned - with_row, {t: k for t, k in unscored.items() if k > 0})


def interim(arm: Arm, found: Holes) -> str:
    """Return what is still to come of an arm, in words, or nothing."""
    if not found.without_row:
        return ""
    come = found.planned - found.without_row
    return f"{come:,} of {found.planned:,} planned cells of {arm.label} have a row"


def looks(baseline: Arm, treatment: Arm, plan: Plan) -> int:
    """Return by how many looks p is multiplied: the batches, when some came after the plan."""
    if plan.tasks is None and plan.repeats is None:
        return 1
    arms = (baseline, treatment)
    if not plan.changed and not any(_exceeds(arm, plan) for arm in arms):
        return 1
    return max(1, *(len({run.batch for run in arm.runs}) for arm in arms))


def unplanned(arm: Arm) -> str:
    """Return what an arm ran beyond its own plan, or that its rows disagree on it, or nothing.

    Said where no batch tells the looks at it.
    """
    repeats = _repeats(run for run in arm.runs if run.scored)
    sizes = [len(cells) for cells in repeats.values()]
    runs, most = sum(sizes), max(sizes, default=0)
    tasks, each = arm.plan.tasks or len(repeats), arm.plan.repeats or most
    if _exceeds(arm, arm.plan) and runs > tasks * each:
        return beyond_plan(runs, tasks * each)
    return CHANGED_PLAN if arm.plan.changed else ""


def beyond_plan(runs: int, planned: int) -> str:
    """Return what is said of runs that nobody planned."""
    return f"{counted(runs, 'run')} of {planned:,} planned: {UNKNOWN_LOOKS}"


def filled(
    a: Cells, b: Cells, holes_a: Holes, holes_b: Holes, claim: Claim, *, against_better: bool
) -> tuple[Cells, Cells]:
    """Return the values of both arms with every missing cell scored for one arm, against the other.

    Against `better`, those of the treatment are as bad and those of the baseline as good as can be.
    """
    worst, best = _extremes(a, b, claim)
    bad, good = (holes_b, holes_a) if against_better else (holes_a, holes_b)
    sides = {id(bad): worst, id(good): best}
    return _with(a, holes_a, sides[id(holes_a)]), _with(b, holes_b, sides[id(holes_b)])


def _with(cells: Cells, found: Holes, value: Rankable) -> Cells:
    more: dict[str, Sequence[Rankable]] = dict(cells)
    for task, count in found.unscored.items():
        more[task] = [*cells.get(task, ()), *[value] * count]
    return {task: more[task] for task in sorted(more)}


def _extremes(a: Cells, b: Cells, claim: Claim) -> tuple[Rankable, Rankable]:
    """Return the worst and the best value that a cell could have had."""
    if claim.kind != "amount":
        low, high = (rational(end) for end in claim.bounds)
        return (low, high) if claim.upwards else (high, low)
    present = [
        rational(v) for side in (a, b) for cell in side.values() for v in cell if v is not None
    ]
    if claim.upwards:
        return None, max(map(abs, present), default=Fraction(1)) * BEYOND
    least = min(present, default=Fraction(1))
    return None, least / BEYOND if least >= 0 else least * BEYOND


def _exceeds(arm: Arm, plan: Plan) -> bool:
    """Return whether an arm has more tasks, or more repeats of a task, than were planned.

    A run that was lost is no look at anything, so one that another batch made up for is not more.
    """
    repeats = _repeats(run for run in arm.runs if run.scored)
    most = max(map(len, repeats.values()), default=0)
    return most > (plan.repeats or most) or len(repeats) > (plan.tasks or len(repeats))


def _repeats(runs: Iterable[Run]) -> Mapping[str, set[Hashable]]:
    """Return the repeats that each task has a run of."""
    found: dict[str, set[Hashable]] = defaultdict(set)
    for run in runs:
        found[run.task].add(run.cell)
    return found


def _larger(one: int | None, two: int | None) -> int | None:
    given = [value for value in (one, two) if value is not None]
    return max(given, default=None)
