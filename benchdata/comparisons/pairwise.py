"""All pairs of the arms along an axis, each once: one family, no baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from benchdata.comparisons import axes, sides
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.entities import entities
from benchdata.comparisons.families import family
from benchdata.comparisons.findings import compare
from benchdata.comparisons.tables import Table, told_apart
from benchdata.dataset import Dataset


def all_pairs(
    dataset: Dataset, claim: Claim, field: str, only: Callable[[Mapping[str, Any]], bool]
) -> Table:
    """Return every pair of arms that share their context; the later one in order is judged.

    `only` says which fields an arm must have to take part.

    Raises:
        ContractError: The field is none that arms may be told apart by.
    """
    axis = axes.by_field(dataset.contract, field)
    members = [each for each in entities(dataset, claim) if only(each.fields)]
    arms = sides.of(members, axis, lambda each: axis.value(each.fields))
    pairs = [(a, b) for a, b in combinations(arms, 2) if a.context == b.context]
    findings = [
        compare(
            sides.told(one, arms),
            sides.told(other, arms),
            claim,
            hidden=tuple(sides.hidden(one, other, axis)),
            pins=tuple(sides.pins(one, other, axis)),
        )
        for one, other in pairs
    ]
    used = {id(side) for pair in pairs for side in pair}
    shown = dataset.contract.shown
    return Table(
        claim,
        axis.field,
        "",
        family(findings),
        told_apart([other for _, other in pairs], arms, shown),
        tuple(side.arm.label for side in arms if id(side) not in used),
    )
