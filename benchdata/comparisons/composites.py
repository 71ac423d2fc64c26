"""Composite scores of arms over fixed tasks, computed from stored rows under any preset."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from benchdata import queries
from benchdata.comparisons import axes, sides
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.axes import Axis
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.entities import entities, judged
from benchdata.comparisons.sides import Side
from benchdata.comparisons.tables import told_apart
from benchdata.contracts import Contract
from benchdata.contracts.meaning import Metric
from benchdata.contracts.usage import COST
from benchdata.dataset import Dataset
from benchdata.errors import ContractError
from benchdata.stats.rationals import rational
from benchdata.stats.results import CannotTell
from benchdata.stats.scoring import Composite, Preset, composite

COMPOSITE = Metric("composite", "", "", "higher", min_effect=0.02, bounds=(0, 1), title="Composite")
CLAIM = Claim(COMPOSITE, "score", "fixed", COMPOSITE.min_effect)

NO_COSTS: Mapping[str, float] = MappingProxyType({})
Key = tuple[Hashable, ...]
Composites = Mapping[str, tuple[str, Composite | CannotTell]]
"""The task and the composite of each scored row, by its identity."""


@dataclass(frozen=True, slots=True)
class Component:
    """One axis of an arm's composite: the mean over tasks of its normalized value, 0 to 1.

    None when no row has one. `clipped` rows lay beyond an anchor, `lost` ones forfeited the weight.
    """

    name: str
    weight: float
    normalized: float | None
    clipped: int
    lost: int


@dataclass(frozen=True, slots=True)
class Scored:
    """The composites of one arm: `arm` has one value a run, None where a row cannot be scored.

    `without` counts those by the reason; `side` is the arm as it was matched along `axis`.
    """

    arm: Arm
    context: str
    components: tuple[Component, ...]
    without: Mapping[str, int]
    side: Side
    axis: Axis

    @property
    def runs(self) -> int:
        """Return the number of runs with a composite."""
        return sum(run.scored and run.value is not None for run in self.arm.runs)

    @property
    def provisional(self) -> bool:
        """Return whether a run forfeited a weight: the score cannot reach 1."""
        return any(part.lost for part in self.components)

    @property
    def clipped(self) -> tuple[str, ...]:
        """Return the axes on which a run lay beyond an anchor."""
        return tuple(part.name for part in self.components if part.clipped)

    def hidden(self, other: Scored) -> tuple[str, ...]:
        """Return the fields in which two arms differ that must be equal to compare them."""
        return tuple(sides.hidden(self.side, other.side, self.axis))


def score(
    dataset: Dataset, preset: Preset, costs: Mapping[str, float] = NO_COSTS
) -> tuple[Scored, ...]:
    """Return the composites of every arm of one contract's rows, in order of context and arm.

    `costs` are as in `of_each_row`. Reference runs, which are no result by the contract's gate, and
    arms without any composite are left out; synthetic rows stay.

    Raises:
        ContractError: The contract compares nothing, or has no metric for an axis of the preset.
    """
    contract = dataset.contract
    if words := fault(contract, preset):
        raise ContractError(words)
    found = of_each_row(dataset, preset, costs)
    values = {row: one.exact_value for row, (_, one) in found.items() if isinstance(one, Composite)}
    axis = axes.by_field(contract, contract.design.compared[0])
    members = judged(entities(dataset, CLAIM, values), contract)
    rows: dict[Key, set[str]] = defaultdict(set)
    for each in members:
        rows[_key(axis.value(each.fields), axis.kin(each.fields), axis.context(each.fields))] |= (
            each.rows
        )
    arms = sides.of(members, axis, lambda each: axis.value(each.fields))
    contexts = told_apart(arms, arms, contract.shown)
    return tuple(
        Scored(
            sides.told(side, arms),
            context,
            *_parts(_of_rows(found, rows[_of_side(side)]), preset),
            side,
            axis,
        )
        for side, context in zip(arms, contexts, strict=True)
        if any(run.value is not None for run in side.arm.runs)
    )


def fault(contract: Contract, preset: Preset) -> str:
    """Return why rows of a contract cannot be scored by a preset, "" when they can."""
    if not contract.design.compared:
        return f"contract {contract.name} compares nothing that could be scored"
    known = _known(contract)
    for axis in preset.axes:
        if axis.name not in known:
            have = ", ".join(metric.name for metric in contract.metrics)
            return (
                f"preset {preset.name} weighs {axis.name}, which is no metric of"
                f" {contract.name}; those are {have}"
            )
    return ""


def _known(contract: Contract) -> dict[str, str]:
    """Return the metrics by what an axis may call them: the name, also with unit as `cost_usd`."""
    full = {f"{metric.name}_{metric.unit.lower()}": metric.name for metric in contract.metrics}
    return full | {metric.name: metric.name for metric in contract.metrics}


def of_each_row(
    dataset: Dataset, preset: Preset, costs: Mapping[str, float] = NO_COSTS
) -> Composites:
    """Return the composite of every scored row, by its identity.

    `costs` are USD by the same, in the place of what those rows hold.
    """
    known = _known(dataset.contract)
    metrics = {axis.name: known[axis.name] for axis in preset.axes}
    values: dict[str, dict[str, float | None]] = defaultdict(dict)
    tasks: dict[str, str] = {}
    for line in dataset.sql(queries.text("composite")).iter_rows(named=True):
        row, metric, value = line["row_id"], line["metric"], line["value"]
        values[row][metric] = costs.get(row, value) if metric == COST.name else value
        tasks[row] = line["row_task"] or ""
    return {
        row: (tasks[row], composite({axis: have[name] for axis, name in metrics.items()}, preset))
        for row, have in values.items()
    }


def _of_rows(found: Composites, rows: Iterable[str]) -> Composites:
    return {row: found[row] for row in sorted(rows) if row in found}


def _key(value: Any, kin: Key, context: Mapping[str, Any]) -> Key:
    return json.dumps(value), kin, sides.key(context)


def _of_side(side: Side) -> Key:
    return _key(side.value, side.kin, side.context)


def _parts(found: Composites, preset: Preset) -> tuple[tuple[Component, ...], Mapping[str, int]]:
    """Return the components of an arm, and how many of its rows have no composite for what."""
    tasks: dict[str, list[Composite]] = defaultdict(list)
    without: Counter[str] = Counter()
    for task, one in found.values():
        if isinstance(one, CannotTell):
            without[one.reason] += 1
        else:
            tasks[task].append(one)
    components = (
        _component(place, axis.name, axis.weight, list(tasks.values()))
        for place, axis in enumerate(preset.axes)
    )
    return tuple(components), dict(sorted(without.items()))


def _component(
    place: int, name: str, weight: float, tasks: Sequence[Sequence[Composite]]
) -> Component:
    parts = [[one.parts[place] for one in rows] for rows in tasks]
    present = [[part.normalized for part in rows if part.normalized is not None] for rows in parts]
    means = [_mean(rows) for rows in present if rows]
    return Component(
        name,
        weight,
        float(_mean(means)) if means else None,
        sum(part.clipped for rows in parts for part in rows),
        sum(part.normalized is None for rows in parts for part in rows),
    )


def _mean(values: Iterable[float | Fraction]) -> Fraction:
    exact = [rational(value) for value in values]
    return sum(exact, Fraction(0)) / len(exact)
