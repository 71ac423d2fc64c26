"""Axes: which field sets two arms apart, and which others change with it by necessity."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from benchdata.contracts import Contract
from benchdata.dataset import collation
from benchdata.errors import ContractError, did_you_mean

INPUT = "input"
"""The axis of two inputs that are compared as a whole."""

NUMBER = re.compile(r"([0-9]+)")


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
    if not name:
        raise ContractError(f"no field is named: name one of {', '.join(known)}")
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
    """Return the values of a field in order: numbers by size, then text, null last.

    Text is in the order of groups, but for the numbers in it, which are by size: 1.9.0 is before
    1.10.0.
    """
    return sorted(values, key=_key)


def text(value: Any) -> str:
    """Return a field's value for people."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none given" if value is None else str(value)


def own_baselines(contract: Contract, axis: Axis) -> tuple[str, ...]:
    """Return the values that a contract says others of the axis are compared with, if any."""
    design = contract.design
    return design.baselines if axis.field in design.compared[:1] else ()


def _key(value: Any) -> tuple[Any, ...]:
    if value is None:
        return (2,)
    if isinstance(value, int | float):
        return 0, float(value)
    written = str(value)
    # text and digits take turns, so that like is compared with like
    parts = NUMBER.split(written)
    words, numbers = map(collation.key, parts[::2]), map(_size, parts[1::2])
    return 1, *zip_longest(words, numbers, fillvalue=()), collation.key(written)


def _size(digits: str) -> tuple[int, str]:
    """Return what to sort digits by, however many: Python makes no number of thousands of them."""
    significant = digits.lstrip("0")
    return len(significant), significant
