"""Tables of comparisons: which arm is judged against which, all of them one family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchdata.comparisons import axes, instead, sides
from benchdata.comparisons.axes import Axis
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.entities import entities, judged, no_results
from benchdata.comparisons.families import family
from benchdata.comparisons.findings import Finding, compare
from benchdata.comparisons.sides import Side
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError, ContractError, InputError, counted, printable
from benchdata.rows.sources import Input
from benchdata.stats.rationals import Number


@dataclass(frozen=True, slots=True)
class Table:
    """The comparisons along one axis: every arm against the baseline that shares its context.

    `first` says that the baseline is but the first value in order: nobody chose it. `contexts`
    names what sets the comparison of the same position apart from the others. `alone` are the arms
    that have no counterpart and are in no comparison, `no_results` the rows that no verdict can be
    about.
    """

    claim: Claim
    axis: str
    baseline: str
    findings: tuple[Finding, ...]
    contexts: tuple[str, ...]
    alone: tuple[str, ...]
    no_results: tuple[str, ...] = ()
    first: bool = False


def by_field(
    dataset: Dataset,
    claim: Claim,
    field: str,
    baseline: str | None = None,
    values: Mapping[str, Number | None] | None = None,
) -> Table:
    """Return the comparison of the values of a field, each against `baseline`.

    Without one, the baseline is the contract's own where it has one and rows of it are there, else
    the first value in order. `values` by row identity stand in for a metric that is in no row.

    Raises:
        ContractError: The field is none that arms may be told apart by.
        BenchdataError: Fewer than two values, or no rows of the baseline.
    """
    table = _by_field(dataset, claim, field, baseline, values)
    if values is not None:
        return table

    def again(other: Claim) -> Sequence[Finding]:
        return _by_field(dataset, other, field, baseline).findings

    return replace(table, findings=instead.told(table.findings, dataset.contract, again))


def _by_field(
    dataset: Dataset,
    claim: Claim,
    field: str,
    baseline: str | None,
    values: Mapping[str, Number | None] | None = None,
) -> Table:
    contract = dataset.contract
    axis = axes.by_field(contract, field)
    every = entities(dataset, claim, values)
    members = judged(every, contract)
    there = axes.in_order({axis.value(each.fields) for each in members})
    own = axes.own_baselines(contract, axis)
    firsts, chosen = _baselines(there, baseline, own, axis.field)
    arms = sides.of(members, axis, lambda each: axis.value(each.fields))
    table = _table(arms, firsts, axis, claim, contract, no_results(every, contract))
    return replace(table, first=not chosen)


def of_inputs(baseline: Dataset, treatment: Dataset, claim: Claim) -> Table:
    """Return the comparison of two inputs, group by group.

    Raises:
        ContractError: Their rows follow different contracts.
        InputError: A row is in both.
        BenchdataError: An input has no row that a verdict can be about.
    """
    table = _of_inputs(baseline, treatment, claim)

    def again(other: Claim) -> Sequence[Finding]:
        return _of_inputs(baseline, treatment, other).findings

    return replace(table, findings=instead.told(table.findings, baseline.contract, again))


def _of_inputs(baseline: Dataset, treatment: Dataset, claim: Claim) -> Table:
    names = [each.contract.name for each in (baseline, treatment)]
    if names[0] != names[1]:
        raise ContractError(f"rows of {names[0]} cannot be compared with rows of {names[1]}")
    contract = baseline.contract
    axis = axes.of_inputs(contract)
    every = [entities(each, claim) for each in (baseline, treatment)]
    rows = [frozenset[str]().union(*(each.rows for each in side)) for side in every]
    if shared := len(rows[0] & rows[1]):
        raise InputError(f"{counted(shared, 'row')} of A in B as well: a row is in one arm only")
    found = [judged(side, contract) for side in every]
    labels = [
        f"{side} {name}" for side, name in zip("AB", _names(baseline, treatment), strict=True)
    ]
    for label, side, given in zip(labels, found, every, strict=True):
        if not side:
            why = f"{', '.join(no_results(given, contract))}, no result"
            raise BenchdataError(f"{label} has nothing to compare: {why}")
    origin = {id(each): label for side, label in zip(found, labels, strict=True) for each in side}
    arms = sides.of([*found[0], *found[1]], axis, lambda each: origin[id(each)])
    left = no_results([*every[0], *every[1]], contract)
    return _table(arms, labels[:1], axis, claim, contract, left)


def _table(
    arms: Sequence[Side],
    firsts: Sequence[Any],
    axis: Axis,
    claim: Claim,
    contract: Contract,
    left_out: tuple[str, ...],
) -> Table:
    pairs = _pairs(arms, firsts)
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
    contexts = told_apart([side for _, side in pairs], arms, contract.shown)
    alone = zip(left, told_apart(left, arms, contract.shown), strict=True)
    return Table(
        claim,
        axis.field,
        " or ".join(map(axes.text, firsts)),
        family(findings),
        contexts,
        tuple(", ".join(filter(None, (side.arm.label, where))) for side, where in alone),
        left_out,
    )


def _pairs(arms: Sequence[Side], firsts: Sequence[Any]) -> list[tuple[Side, Side]]:
    """Return each (baseline, treatment) of one context; what has no counterpart stands alone.

    Where nothing has one, each is paired with the baseline that is least different, so that the
    verdict can say in what.
    """

    def apart(base: Side, side: Side) -> int:
        return len(sides.differ(base.context, side.context))

    bases = [side for side in arms if side.value in firsts]
    others = [side for side in arms if side.value not in firsts]
    alike = [(base, side) for side in others for base in bases if not apart(base, side)]
    return alike or [(min(bases, key=lambda base: apart(base, side)), side) for side in others]


def told_apart(some: Sequence[Side], arms: Sequence[Side], shown: Sequence[str]) -> tuple[str, ...]:
    """Return what tells the contexts of some arms from those of all, `shown` first: few fields."""
    paths = dict.fromkeys([*shown, *(path for side in arms for path in side.context)])
    chosen = sides.telling([side.context for side in arms], paths)
    return tuple(
        ", ".join(f"{path} {sides.short(side.context.get(path))}" for path in chosen)
        for side in some
    )


def _baselines(
    values: Sequence[Any], wanted: str | None, own: Sequence[str], field: str
) -> tuple[list[Any], bool]:
    """Return the values that others are compared with, where they are there; were they chosen?"""
    if len(values) < 2:
        only = f"only {axes.text(values[0])}" if values else "no value"
        raise BenchdataError(f"{field} has {only}: a comparison needs two")
    texts = [axes.text(value) for value in values]
    if wanted is not None:
        if wanted not in texts:
            raise BenchdataError(f"no row has {field} {wanted}; there are {', '.join(texts)}")
        return [values[texts.index(wanted)]], True
    chosen = [values[texts.index(each)] for each in own if each in texts]
    return chosen or [values[0]], bool(chosen)


def _names(one: Dataset, two: Dataset) -> list[str]:
    """Return how two inputs are called: by their files, where those are alike with the folder."""
    plain, within = (
        [
            ", ".join(
                dict.fromkeys(prefix(table.input) + table.input.name for table in each.tables)
            )
            for each in (one, two)
        ]
        for prefix in (lambda _: "", _folder)
    )
    return within if plain[0] == plain[1] else plain


def _folder(given: Input) -> str:
    name = printable(given.path.resolve().parent.name)
    return f"{name}/" if name else ""
