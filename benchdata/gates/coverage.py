"""Coverage: does every combination of the values of required fields have a ready group?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Literal, get_args, get_origin

from benchdata.contracts import Contract
from benchdata.contracts.columns import column_name, unwrap
from benchdata.contracts.fields import declared
from benchdata.errors import ContractError


def uncovered(
    contract: Contract, ready: Sequence[Mapping[str, Any]], require: Sequence[str]
) -> Iterator[str]:
    """Yield each combination of the required fields' values that no `ready` group has."""
    if not require:
        return
    allowed = [values_of(contract, path) for path in require]
    have = {tuple(row[column_name(path)] for path in require) for row in ready}
    for values in product(*allowed):
        if values not in have:
            where = ", ".join(f"{p} {v}" for p, v in zip(require, values, strict=True))
            yield f"no READY group for {where}"


def values_of(contract: Contract, path: str) -> tuple[Any, ...]:
    """Return the values that a group field may have; raise ContractError when the list is open."""
    if path not in contract.group:
        names = ", ".join(contract.group)
        raise ContractError(f"{path} is no group field of {contract.name}; those are {names}")
    if not (values := _listed(contract, path)):
        closed = ", ".join(name for name in contract.group if _listed(contract, name))
        raise ContractError(
            f"{path} has no closed list of values, so its coverage cannot be required; of the group"
            f" fields of {contract.name} these have one: {closed or 'none'}"
        )
    return values


def _listed(contract: Contract, path: str) -> tuple[Any, ...]:
    """Return the values that a field's type lists, nothing when it lists none."""
    info = contract.newest.model_fields.get(path)
    base = unwrap(declared(info))[0] if info else None
    return get_args(base) if get_origin(base) is Literal else ()
