"""Findings: one comparison with everything that a verdict needs, and nothing that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from benchdata.comparisons import guards, plans
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Cells, Claim, cells
from benchdata.comparisons.guards import Swing
from benchdata.comparisons.methods import measure, shape_of
from benchdata.comparisons.plans import Holes
from benchdata.comparisons.results import Result, Shape
from benchdata.errors import counted


@dataclass(frozen=True, slots=True)
class Standing:
    """What Holm says of a finding in its table.

    `adjusted_p` is None when its own floor is above .05: it left the family of `size` comparisons.
    `rescored_p` are the adjusted p with missing cells scored against `better` and against `worse`.
    """

    adjusted_p: Fraction | None
    adjusted_floor: Fraction
    size: int
    rescored_p: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Finding:
    """The treatment judged against the baseline on one metric.

    `result` has p and floor after all looks. `interim` says what is still to come, `dependent`
    which rows follow each other; `hidden` names fields that differ and must not, `pins` those that
    change with the compared one. `missing` counts planned cells without a scored row. `rescored`
    are the results with them scored against `better` and against `worse`, None where none is
    missing or more rows are to come. `swings` are those of the two arms. `instead` names the metric
    to judge by where neither arm has a value of this one. Without `standing` it has
    not yet been placed in its table.
    """

    baseline: Arm
    treatment: Arm
    claim: Claim
    result: Result
    looks: int = 1
    interim: str = ""
    hidden: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    dependent: str = ""
    at_bound: bool = False
    missing: tuple[int, int] = (0, 0)
    rescored: tuple[Result, Result] | None = None
    swings: tuple[Swing, Swing] = (Swing(), Swing())
    notes: tuple[str, ...] = ()
    instead: str = ""
    standing: Standing | None = None

    @property
    def arms(self) -> tuple[Arm, Arm]:
        """Return baseline and treatment."""
        return self.baseline, self.treatment

    @property
    def p(self) -> Fraction:
        """Return the raw p, after all looks."""
        return self.result.p

    @property
    def placed(self) -> Standing:
        """Return the standing; a finding alone is a family of one.

        Raises:
            ValueError: The finding did not come out of `families.family`.
        """
        if self.standing is None:
            raise ValueError("a finding gets its standing from families.family")
        return self.standing


def compare(
    baseline: Arm,
    treatment: Arm,
    claim: Claim,
    *,
    hidden: tuple[str, ...] = (),
    pins: tuple[str, ...] = (),
) -> Finding:
    """Return what the runs of two arms say, before any other comparison is thought of.

    `hidden` and `pins` are the fields that differ between the arms besides the compared one.
    """
    a, b = cells(baseline, claim), cells(treatment, claim)
    shape = shape_of(claim, baseline.tasks, treatment.tasks)
    plan = plans.common(baseline.plan, treatment.plan)
    own = shape == "other tasks"
    both = baseline.tasks | treatment.tasks
    lack = tuple(
        plans.holes(arm, claim, plan, arm.tasks if own else both) for arm in (baseline, treatment)
    )
    looks = plans.looks(baseline, treatment, plan)
    arms = (baseline, treatment)
    interim = _first(plans.interim(arm, found) for arm, found in zip(arms, lack, strict=True))
    return Finding(
        baseline=baseline,
        treatment=treatment,
        claim=claim,
        result=measure(a, b, claim, shape).after(looks),
        looks=looks,
        interim=interim,
        hidden=hidden,
        pins=pins,
        dependent=_first(guards.dependent(arm, claim) for arm in arms),
        at_bound=guards.at_bound(a, b, claim),
        missing=(lack[0].missing, lack[1].missing),
        rescored=None if interim else _rescored(a, b, lack, claim, shape, looks),
        swings=(guards.swing(a, claim, shape), guards.swing(b, claim, shape)),
        notes=tuple(_notes(baseline, treatment, claim, shape, looks)),
    )


def _rescored(
    a: Cells, b: Cells, lack: tuple[Holes, ...], claim: Claim, shape: Shape, looks: int
) -> tuple[Result, Result] | None:
    if not any(found.missing for found in lack):
        return None
    against = (
        measure(*plans.filled(a, b, lack[0], lack[1], claim, against_better=better), claim, shape)
        for better in (True, False)
    )
    first, second = (result.after(looks) for result in against)
    return first, second


def _notes(baseline: Arm, treatment: Arm, claim: Claim, shape: Shape, looks: int) -> Iterator[str]:
    """Yield what a reader must know of order and plan, of single arms, and of tasks apart."""
    if not all(map(guards.ordered, (baseline, treatment))):
        yield guards.NO_ORDER
    if guards.drift(baseline, treatment):
        yield f"{guards.DRIFT}: all runs of one arm started before the first of the other"
    plan = plans.common(baseline.plan, treatment.plan)
    if plan.tasks is None and plan.repeats is None:
        yield plans.NO_PLAN
    if looks > 1:
        yield f"p is multiplied by {looks} batches: rows were added after the plan"
    for arm in (baseline, treatment):
        yield from _of_arm(arm, claim, looks)
    yield from _tasks_apart(baseline, treatment, claim, shape)


def _of_arm(arm: Arm, claim: Claim, looks: int) -> Iterator[str]:
    if looks == 1 and (more := plans.unplanned(arm)):
        yield f"{arm.label}: {more}"
    if lost := len(arm.runs) - arm.scored:
        yield f"{counted(lost, 'row')} of {arm.label} not scored"
    if blank := arm.scored - sum(claim.counts(run) for run in arm.runs):
        yield f"{counted(blank, 'scored row')} of {arm.label} without a value"


def _tasks_apart(baseline: Arm, treatment: Arm, claim: Claim, shape: Shape) -> Iterator[str]:
    if shape == "other tasks" and claim.kind == "amount":
        yield "the arms share no task, and amounts of different tasks are not compared"
    elif shape == "other tasks":
        yield "the arms ran other tasks: their means are compared, no lift is shown"
    elif alone := baseline.tasks ^ treatment.tasks:
        yield f"{counted(len(alone), 'task')} in one arm only, left out"


def _first(words: Iterator[str]) -> str:
    return next(filter(None, words), "")
