"""Fields of a group: the values that they must have, and caps that compared groups must share."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchdata import queries
from benchdata.contracts import Contract
from benchdata.contracts.gate import Gate
from benchdata.dataset import Dataset, grouping
from benchdata.gates.states import Answers, Said

Fields = Mapping[str, Any]


def unequal(rows: Dataset, _: Dataset) -> Answers:
    """Say of each group which of its fields keep it from publication."""
    contract = rows.contract
    gate = contract.gate or Gate()
    if not (gate.only or gate.caps):
        return {}
    groups = {
        line["group_id"]: grouping.fields(contract, line)
        for line in rows.sql(queries.text("groups")).iter_rows(named=True)
    }
    beside: dict[str, list[Fields]] = defaultdict(list)
    for fields in groups.values():
        beside[_context(contract, gate, fields)].append(fields)
    return {
        name: Said(
            reasons=(
                *other_values(gate.only, fields),
                *_differing(gate.caps, beside[_context(contract, gate, fields)]),
            )
        )
        for name, fields in groups.items()
    }


def other_values(only: Mapping[str, str], fields: Fields) -> Iterator[str]:
    """Yield each field that has not the one value it must have."""
    for path, value in only.items():
        if fields.get(path) != value:
            yield f"{path} is {fields.get(path)}: only rows of {path} {value} are published"


def _context(contract: Contract, gate: Gate, fields: Fields) -> str:
    """Return what compared groups share: all but what is compared, its companions, and the caps."""
    apart = {*gate.caps, *contract.design.compared}
    for path in contract.design.compared:
        apart |= {*contract.companions.get(path, ())}
    shared = {path: value for path, value in fields.items() if path not in apart}
    return json.dumps(shared, default=str)


def _differing(caps: Sequence[str], groups: Sequence[Fields]) -> Iterator[str]:
    for path in caps:
        values = {fields.get(path) for fields in groups}
        if len(values) > 1:
            said = ", ".join(map(str, sorted(values, key=lambda value: (value is None, value))))
            yield f"{path} differs between groups that are compared: {said}"
