"""Tables of comparisons: which arm is judged against which, all of them one family."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchdata.comparisons import axes, sides
from benchdata.comparisons.axes import Axis
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.entities import entities
from benchdata.comparisons.families import family
from benchdata.comparisons.findings import Finding, compare
from benchdata.comparisons.sides import Side
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError, ContractError, InputError, counted


@dataclass(frozen=True, slots=True)
class Table:
    """The comparisons along one axis: every arm against the baseline that shares its context.

    `contexts` names what sets the comparison of the same position apart from the others. `alone`
    are the arms that have no counterpart and are in no comparison.
    """

    claim: Claim
    axis: str
    baseline: str
    findings: tuple[Finding, ...]
    contexts: tuple[str, ...]
    alone: tuple[str, ...]


def by_field(dataset: Dataset, claim: Claim, field: str, baseline: str | None = None) -> Table:
    """Return the comparison of the values of a field, each against `baseline`.

    Without one, the baseline is the contract's own where it has one and rows of it are there, else
    the first value in order.

    Raises:
        ContractError: The field is none that arms may be told apart by.
        BenchdataError: Fewer than two values, or no rows of the baseline.
    """
    axis = axes.by_field(dataset.contract, field)
    members = entities(dataset, claim)
    values = axes.in_order({axis.value(each.fields) for each in members})
    first = _baseline(values, baseline, _own_baseline(dataset, axis), axis.field)
    arms = sides.of(members, axis, lambda each: axis.value(each.fields))
    return _table(arms, first, axis, claim, dataset.contract.shown)


def of_inputs(baseline: Dataset, treatment: Dataset, claim: Claim) -> Table:
    """Return the comparison of two inputs, group by group.

    Raises:
        ContractError: Their rows follow different contracts.
        InputError: A row is in both.
    """
    names = [each.contract.name for each in (baseline, treatment)]
    if names[0] != names[1]:
        raise ContractError(f"rows of {names[0]} cannot be compared with rows of {names[1]}")
    axis = axes.of_inputs(baseline.contract)
    found = [entities(each, claim) for each in (baseline, treatment)]
    rows = [frozenset[str]().union(*(each.rows for each in side)) for side in found]
    if shared := len(rows[0] & rows[1]):
        raise InputError(f"{counted(shared, 'row')} of A in B as well: a row is in one arm only")
    labels = [f"A {_name(baseline)}", f"B {_name(treatment)}"]
    origin = {id(each): label for side, label in zip(found, labels, strict=True) for each in side}
    arms = sides.of([*found[0], *found[1]], axis, lambda each: origin[id(each)])
    return _table(arms, labels[0], axis, claim, baseline.contract.shown)


def _table(
    arms: Sequence[Side], first: Any, axis: Axis, claim: Claim, shown: Sequence[str]
) -> Table:
    pairs = _pairs(arms, first)
    findings = [
        compare(
            sides.told(base, arms),
            sides.told(side, arms),
            claim,
            hidden=tuple(sides.hidden(base, side, axis)),
            pins=tuple(sides.pins(base, side, axis)),
        )
        for base, side in pairs
    ]
    used = {id(side) for pair in pairs for side in pair}
    left = [side for side in arms if id(side) not in used]
    contexts = told_apart([side for _, side in pairs], arms, shown)
    alone = zip(left, told_apart(left, arms, shown), strict=True)
    return Table(
        claim,
        axis.field,
        axes.text(first),
        family(findings),
        contexts,
        tuple(", ".join(filter(None, (side.arm.label, where))) for side, where in alone),
    )


def _pairs(arms: Sequence[Side], first: Any) -> list[tuple[Side, Side]]:
    """Return each (baseline, treatment) of one context; what has no counterpart stands alone.

    Where nothing has one, each is paired with the baseline that is least different, so that the
    verdict can say in what.
    """

    def apart(base: Side, side: Side) -> int:
        return len(sides.differ(base.context, side.context))

    bases = [side for side in arms if side.value == first]
    others = [side for side in arms if side.value != first]
    alike = [(base, side) for side in others for base in bases if not apart(base, side)]
    return alike or [(min(bases, key=lambda base: apart(base, side)), side) for side in others]


def told_apart(some: Sequence[Side], arms: Sequence[Side], shown: Sequence[str]) -> tuple[str, ...]:
    """Return what tells the contexts of some arms from those of all, `shown` first: few fields."""
    paths = dict.fromkeys([*shown, *(path for side in arms for path in side.context)])
    chosen: list[str] = []
    for path in paths:
        if _distinct(arms, [*chosen, path]) > _distinct(arms, chosen):
            chosen.append(path)
    return tuple(
        ", ".join(f"{path} {sides.short(side.context.get(path))}" for path in chosen)
        for side in some
    )


def _distinct(arms: Sequence[Side], paths: Sequence[str]) -> int:
    return len({json.dumps([side.context.get(path) for path in paths]) for side in arms})


def _baseline(values: Sequence[Any], wanted: str | None, own: str | None, field: str) -> Any:
    if len(values) < 2:
        only = f"only {axes.text(values[0])}" if values else "no value"
        raise BenchdataError(f"{field} has {only}: a comparison needs two")
    texts = [axes.text(value) for value in values]
    if wanted is not None:
        if wanted not in texts:
            raise BenchdataError(f"no row has {field} {wanted}; there are {', '.join(texts)}")
        return values[texts.index(wanted)]
    return values[texts.index(own)] if own in texts else values[0]


def _own_baseline(dataset: Dataset, axis: Axis) -> str | None:
    design = dataset.contract.design
    return design.baseline if axis.field in design.compared[:1] else None


def _name(dataset: Dataset) -> str:
    return ", ".join(dict.fromkeys(one.name for one in dataset.provenance))
