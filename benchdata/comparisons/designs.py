"""Designs: how many tasks, repeats or runs find an effect, at the spread that the rows show."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from benchdata.comparisons import tables
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Claim, cells
from benchdata.comparisons.entities import Entity, entities, is_result
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.scores import numbers
from benchdata.comparisons.sides import short, telling
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.stats import floors
from benchdata.stats.detectable import detectable_mean, detectable_shift
from benchdata.stats.intervals import LARGEST_LOGARITHM
from benchdata.stats.power import tasks_needed, values_needed
from benchdata.stats.results import CannotTell
from benchdata.stats.samples import is_constant, sample, variance

Values = Mapping[str, Sequence[float]]
"""The values of one arm by task; of an amount their logarithms."""

NO_SPREAD = CannotTell("no spread was seen")
TOO_FAR = CannotTell("the values spread too far")
NO_VALUE = CannotTell("no run has a value")
ZERO = CannotTell("an amount of 0 has no ratio, so its spread is not known")
NO_REPEATS = CannotTell("no task has 2 repeats: what more of them are worth is not known")


@dataclass(frozen=True, slots=True)
class Design:
    """What was planned for one comparison, and how far its units lie apart.

    The unit is a `task` that both arms run, or a `run` of each side. `n` are planned, `repeats` in
    each task. `spread` is the standard deviation of one unit: of a task's difference, or of a run;
    of an amount on logarithms. It is made of `between`, the variance of true differences of tasks,
    and `noise`, that of one trial in both arms together; both None where the rows do not tell them.
    `alone` says that there is no second arm: lifts are taken to be the same in all tasks. `worst`
    runs rank worst, without a value of their own, and have no part in the spread.
    """

    label: str
    unit: Literal["task", "run"]
    claim: Claim
    n: int
    repeats: int | None
    spread: float | CannotTell
    between: float | None
    noise: float | None
    comparisons: int
    alone: bool = False
    worst: int = 0

    @property
    def ratio(self) -> bool:
        """Return whether spread and effects are those of logarithms."""
        return self.claim.kind == "amount"

    def finds(self, comparisons: int) -> float | CannotTell:
        """Return the effect that the plan finds 8 times in 10 in a family of that size.

        In the unit of a score; of an amount as a share, 0.05 for 5%.
        """
        if isinstance(self.spread, CannotTell):
            return self.spread
        if self.unit == "task":
            found = detectable_mean(self.n, comparisons)
        else:
            found = detectable_shift(self.n, self.n, comparisons)
        if isinstance(found, CannotTell):
            return found
        if self.ratio and found * self.spread > LARGEST_LOGARITHM:
            return TOO_FAR
        if self.ratio:
            return math.expm1(found * self.spread)
        return self.claim.possible(found * self.spread)

    def needs(self, effect: float, comparisons: int, repeats: int | None = None) -> Count:
        """Return how many units find `effect` 8 times in 10; with other repeats than planned."""
        spread = self.spread if repeats in (None, self.repeats) else self._spread_at(repeats or 1)
        if isinstance(spread, CannotTell):
            return spread
        size = math.log1p(effect) if self.ratio else effect
        needed = tasks_needed if self.unit == "task" else values_needed
        return needed(size / spread, comparisons)

    def suffices(self, comparisons: int) -> Count:
        """Return the fewest units that could reach .05 at all in a family of that size."""
        return floors.suffices(self._floor, comparisons)

    def _floor(self, n: int) -> Fraction:
        return floors.sign_flip(n) if self.unit == "task" else floors.mann_whitney(n, n)

    def _spread_at(self, repeats: int) -> float | CannotTell:
        if self.noise is None or self.between is None:
            return NO_REPEATS
        total = self.between + self.noise / repeats
        return math.sqrt(total) if total > 0 else NO_SPREAD


Count = int | CannotTell


def designs(dataset: Dataset, claim: Claim) -> tuple[Design, ...]:
    """Return the design of every comparison that a dataset of one contract was made for.

    Sampled tasks: each arm against its baseline; one arm alone where there is no second. Else each
    group as one side of a comparison inside its task.
    """
    members = [
        each for each in entities(dataset, claim) if is_result(dataset.contract, each.fields)
    ]
    labels = _labels(members, dataset.contract)
    field = next(iter(dataset.contract.design.compared), None)
    if claim.tasks == "fixed":
        others = len({each.fields.get(field) for each in members}) - 1 if field else 1
        return tuple(
            _of_runs(each, label, claim, max(others, 1))
            for each, label in zip(members, labels, strict=True)
        )
    if field and len({each.fields[field] for each in members}) > 1:
        table = tables.by_field(dataset, claim, field)
        size = sum(not isinstance(each.result.estimate, CannotTell) for each in table.findings)
        return tuple(
            _of_pair(finding, context, claim, max(size, 1))
            for finding, context in zip(table.findings, table.contexts, strict=True)
        )
    return tuple(_of_one(each, label, claim) for each, label in zip(members, labels, strict=True))


def _of_pair(finding: Finding, context: str, claim: Claim, comparisons: int) -> Design:
    where = f" ({context})" if context else ""
    label = f"{finding.treatment.label} against {finding.baseline.label}{where}"
    arms = finding.arms
    a, b = (_values(arm, claim) for arm in arms)
    if isinstance(a, CannotTell):
        return _unknown(label, claim, arms, comparisons, a)
    if isinstance(b, CannotTell):
        return _unknown(label, claim, arms, comparisons, b)
    shared = sorted(a.keys() & b.keys())
    if len(shared) < 2:
        few = CannotTell("fewer than 2 tasks in both arms")
        return _unknown(label, claim, arms, comparisons, few)
    differences = sample([_mean(b[task]) - _mean(a[task]) for task in shared])
    total = 0.0 if is_constant(differences, 1.0) else variance(differences)
    noises = [_noise([side[task] for task in shared]) for side in (a, b)]
    sizes = [math.fsum(1 / len(side[task]) for task in shared) / len(shared) for side in (a, b)]
    between = noise = None
    if noises[0] is not None and noises[1] is not None:
        noise = noises[0] + noises[1]
        # What chance inside the tasks adds to the variance of their differences is taken out.
        between = max(total - noises[0] * sizes[0] - noises[1] * sizes[1], 0.0)
    return Design(
        label=label,
        unit="task",
        claim=claim,
        n=max(_planned(arms, "tasks") or len(shared), len(shared)),
        repeats=_repeats(arms, [a, b]),
        spread=math.sqrt(total) if total else NO_SPREAD,
        between=between,
        noise=noise,
        comparisons=comparisons,
        worst=sum(_worst(arm, claim) for arm in arms),
    )


def _of_one(each: Entity, name: str, claim: Claim) -> Design:
    """Return the design of an arm without another: noise alone, no difference between tasks."""
    arm = Arm(name, each.runs, each.plan)
    label = f"{name} alone"
    values = _values(arm, claim)
    if isinstance(values, CannotTell):
        return _unknown(label, claim, (arm,), 1, values)
    noise = _noise(list(values.values()))
    repeats = _repeats((arm,), [values])
    spread: float | CannotTell = NO_REPEATS
    if noise is not None:
        spread = math.sqrt(2 * noise / repeats) if noise else NO_SPREAD
    return Design(
        label=label,
        unit="task",
        claim=claim,
        n=max(each.plan.tasks or len(values), len(values)),
        repeats=repeats,
        spread=spread,
        between=None if noise is None else 0.0,
        noise=None if noise is None else 2 * noise,
        comparisons=1,
        alone=True,
        worst=_worst(arm, claim),
    )


def _of_runs(each: Entity, label: str, claim: Claim, comparisons: int) -> Design:
    """Return the design of one group as a side of a comparison inside its task."""
    arm = Arm("", each.runs)
    values = _values(arm, claim)
    flat = [] if isinstance(values, CannotTell) else [v for cell in values.values() for v in cell]
    spread: float | CannotTell = CannotTell("fewer than 2 runs with a value")
    if isinstance(values, CannotTell):
        spread = values
    elif len(flat) > 1:
        one = sample(flat)
        spread = NO_SPREAD if is_constant(one, 1.0) else math.sqrt(variance(one))
    return Design(
        label=label,
        unit="run",
        claim=claim,
        n=max(each.plan.repeats or 0, sum(run.scored for run in each.runs)),
        repeats=None,
        spread=spread,
        between=None,
        noise=None,
        comparisons=comparisons,
        worst=_worst(arm, claim),
    )


def _unknown(
    label: str, claim: Claim, arms: Sequence[Arm], comparisons: int, why: CannotTell
) -> Design:
    tasks = _planned(arms, "tasks") or max(len(arm.tasks) for arm in arms)
    return Design(
        label, "task", claim, tasks, _planned(arms, "repeats"), why, None, None, comparisons
    )


def _values(arm: Arm, claim: Claim) -> Values | CannotTell:
    """Return the values of an arm by task; runs that rank worst without one are left out."""
    found = cells(arm, claim)
    if claim.kind != "amount":
        scores = numbers(found, claim)
        return {task: list(map(float, c)) for task, c in scores.items()} if scores else NO_VALUE
    present = {task: [v for v in cell if v is not None] for task, cell in found.items()}
    if any(value <= 0 for cell in present.values() for value in cell):
        return ZERO
    return {task: list(map(math.log, cell)) for task, cell in present.items() if cell} or NO_VALUE


def _worst(arm: Arm, claim: Claim) -> int:
    """Return how many runs of an amount rank worst."""
    if claim.kind != "amount":
        return 0
    return sum(value is None for cell in cells(arm, claim).values() for value in cell)


def _noise(tasks: Sequence[Sequence[float]]) -> float | None:
    """Return the variance of one trial inside a task, over tasks that have two or more."""
    repeated = [sample(cell) for cell in tasks if len(cell) > 1]
    if not repeated:
        return None
    degrees = sum(len(cell) - 1 for cell in repeated)
    parts = (0.0 if is_constant(c, 1.0) else variance(c) * (len(c) - 1) for c in repeated)
    return math.fsum(parts) / degrees


def _repeats(arms: Sequence[Arm], values: Sequence[Values]) -> int:
    most = max((len(cell) for side in values for cell in side.values()), default=1)
    return _planned(arms, "repeats") or most


def _planned(arms: Sequence[Arm], part: Literal["tasks", "repeats"]) -> int | None:
    return max((getattr(arm.plan, part) or 0 for arm in arms), default=0) or None


def _mean(cell: Sequence[float]) -> float:
    return math.fsum(cell) / len(cell)


def _labels(members: Sequence[Entity], contract: Contract) -> list[str]:
    """Return how groups are called: by the fields that are shown, then by those that differ."""
    shown = list(dict.fromkeys([*contract.shown, *contract.design.compared[:1]]))
    fields = [each.fields for each in members]
    more = telling(fields, contract.group, shown)[len(shown) :]
    return [_label(each, shown, more) for each in fields]


def _label(fields: Mapping[str, Any], shown: Sequence[str], more: Sequence[str]) -> str:
    named = " ".join(str(fields[path]) for path in shown if fields.get(path) is not None)
    apart = ", ".join(f"{path} {short(fields.get(path))}" for path in more)
    return f"{named} ({apart})" if apart else named
