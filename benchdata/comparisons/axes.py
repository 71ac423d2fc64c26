"""Axes: which field sets two arms apart, and which others change with it by necessity."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from benchdata.contracts import Contract
from benchdata.dataset import collation
from benchdata.errors import ContractError, did_you_mean

INPUT = "input"
"""The axis of two inputs that are compared as a whole."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What is compared: a `field`, or two inputs.

    `companions` may differ between the arms and are printed; `inside` are fields of a task, which
    an arm may hold several of: they are matched task by task. All other fields must be equal.
    """

    field: str
    companions: tuple[str, ...]
    inside: tuple[str, ...]
    fixed_task: str | None

    def value(self, fields: Mapping[str, Any]) -> Any:
        """Return what an arm is told apart by."""
        return fields.get(self.field)

    def kin(self, fields: Mapping[str, Any]) -> tuple[Hashable, ...]:
        """Return the companions' values: rows that differ in one are never pooled."""
        return tuple(fields.get(path) for path in self.companions if path not in self.inside)

    def context(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields that two arms must share."""
        apart = {self.field, *self.companions, *self.inside}
        return {path: value for path, value in fields.items() if path not in apart}


def by_field(contract: Contract, name: str) -> Axis:
    """Return the axis of a field that rows are grouped or compared by.

    Raises:
        ContractError: Another field: a slice that nobody planned has no verdict, and rows of
            different tasks answer different questions.
    """
    design = contract.design
    every = dict.fromkeys((*design.compared, *contract.group))
    known = [path for path in every if path != design.task]
    by_name = {path.replace(".", "_"): path for path in known}
    field = by_name.get(name.replace(".", "_").replace("-", "_"))
    if name == design.task:
        raise ContractError(
            f"{name} tells tasks apart: rows of different tasks answer different questions"
        )
    if field is None:
        hint = did_you_mean(name, known) or f"; those are {', '.join(known)}"
        raise ContractError(
            f"{name} is no field that {contract.name} rows are grouped or compared by, and a slice"
            f" that was not planned gets no verdict{hint}"
        )
    others = design.compared if field in design.compared else ()
    return _axis(contract, field, (*others, *contract.companions.get(field, ())))


def of_inputs(contract: Contract) -> Axis:
    """Return the axis of two inputs: the followed field may differ between them."""
    followed = (contract.followed,) if contract.followed else ()
    kin = [path for field in followed for path in contract.companions.get(field, ())]
    return _axis(contract, INPUT, (*followed, *kin))


def _axis(contract: Contract, field: str, companions: tuple[str, ...]) -> Axis:
    task = contract.design.task
    inside: tuple[str, ...] = ()
    if task in contract.group:
        inside = (task, *contract.companions.get(task, ()))
    kin = tuple(dict.fromkeys(path for path in companions if path != field))
    return Axis(field, kin, inside, task if task in contract.group else None)


def in_order(values: set[Any]) -> list[Any]:
    """Return the values of a field in order: numbers by size, text as groups are, null last."""
    return sorted(values, key=_key)


def text(value: Any) -> str:
    """Return a field's value for people."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none given" if value is None else str(value)


def _key(value: Any) -> tuple[int, float, collation.Key]:
    if value is None:
        return 2, 0.0, collation.key("")
    if isinstance(value, int | float):
        return 0, float(value), collation.key("")
    return 1, 0.0, collation.key(str(value))
