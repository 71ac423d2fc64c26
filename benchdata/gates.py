"""May these rows be published? Every group's state, and every reason why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, get_args, get_origin

from benchdata import queries
from benchdata.contracts import Contract
from benchdata.contracts.base import VERSION_FIELD
from benchdata.contracts.columns import column_name, unwrap
from benchdata.contracts.fields import declared
from benchdata.dataset import Dataset
from benchdata.errors import ContractError, counted, shorten

Verdict = Literal["READY", "INCOMPLETE"]


@dataclass(frozen=True, slots=True)
class GroupGate:
    """The state of one group: its words, whether it is ready, and each reason why it is not."""

    id: str
    label: str
    status: str
    ready: bool
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gate:
    """The answer for a dataset: ready when every group is and nothing else stands against it."""

    groups: tuple[GroupGate, ...]
    reasons: tuple[str, ...]
    minimum: int
    notes: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Tell whether the rows may be published."""
        return not self.reasons and all(group.ready for group in self.groups)

    @property
    def verdict(self) -> Verdict:
        """Return the one word for it."""
        return "READY" if self.ready else "INCOMPLETE"


def judge(dataset: Dataset, *, require: Sequence[str] = (), accept_rejects: int = 0) -> Gate:
    """Return the gate of a dataset of one contract.

    `require` names group fields: each combination of the values that the contract allows them needs
    a ready group. `accept_rejects` is the number of rows set aside that the publisher knows of.
    Raises ContractError when a required field has no closed list of values.
    """
    contract = dataset.contract
    require = tuple(dict.fromkeys(require))
    alike = _alike(dataset)
    rows = dataset.sql(queries.text("groups")).to_dicts()
    groups = tuple(_group(contract, row, *alike.get(row["group_id"], (0, ""))) for row in rows)
    states = [(row, group.ready) for row, group in zip(rows, groups, strict=True)]
    reasons = (
        *_unaccepted(dataset.set_aside, accept_rejects),
        *_uncovered(contract, states, require),
    )
    minimum = contract.gate.rows if contract.gate else 0
    return Gate(groups, reasons, minimum, tuple(_accepted(dataset.set_aside, accept_rejects)))


def _alike(dataset: Dataset) -> dict[str, tuple[int, str]]:
    """Return for each group with rows that count once: how many to leave out, and an example."""
    found = dataset.sql(queries.text("alike")).group_by("group_id", maintain_order=True)
    return {
        str(group): (
            int((rows["n"] - 1).sum()),
            f"{shorten(rows['first_row'][0], 80)} and {shorten(rows['last_row'][0], 80)}",
        )
        for (group,), rows in found
    }


def _group(contract: Contract, row: Mapping[str, Any], extra: int, example: str) -> GroupGate:
    """Return one group; `extra` of its rows count once with others, such as `example`."""
    distinct = row["runs"] - extra
    notes: tuple[str, ...] = ()
    if extra:
        note = (
            f"{extra} of {row['runs']} rows equal another in all but"
            f" {' and '.join(contract.identity)} and count once (such as {example})"
        )
        notes = (note,)
    status, reasons = _state(contract, row, distinct)
    return GroupGate(row["group_id"], row["group_label"], status, not reasons, reasons, notes)


def _state(
    contract: Contract, row: Mapping[str, Any], distinct: int
) -> tuple[str, tuple[str, ...]]:
    """Return the first that applies of no gate, old version, synthetic, too few, and why."""
    gate = contract.gate
    if gate is None:
        return "NO GATE", (f"contract {contract.name} declares no publication gate",)
    missing = gate.rows - distinct
    short = (f"{distinct} of {gate.rows} distinct rows: collect {missing} more",) * (missing > 0)
    version = row.get(VERSION_FIELD)
    if version is not None and version not in gate.versions:
        readable = f"rows of schema version {version} are history: readable, never published"
        return f"LEGACY SCHEMA (v{version})", (readable,)
    if row["synthetic"]:
        return f"SYNTHETIC ({distinct}/{gate.rows})", (
            "the rows are synthetic: no measurement",
            *short,
        )
    return ("READY", ()) if not short else (f"INCOMPLETE ({distinct}/{gate.rows})", short)


def _unaccepted(count: int, accepted: int) -> Iterator[str]:
    """Yield the reason that rows set aside give, unless the publisher accepted just that many."""
    if count != accepted:
        said = f", and {accepted} accepted" if accepted else ""
        advice = f"look at the rejects, then --accept-rejects {count}"
        yield f"{counted(count, 'row')} set aside{said}: {advice}"


def _accepted(count: int, accepted: int) -> Iterator[str]:
    """Yield what is still said of rows set aside when the publisher accepted just that many."""
    if count and count == accepted:
        yield f"{counted(count, 'row')} set aside, as accepted"


def _uncovered(
    contract: Contract, states: Sequence[tuple[Mapping[str, Any], bool]], require: Sequence[str]
) -> Iterator[str]:
    """Yield each combination of the required fields' values that has no ready group."""
    if not require:
        return
    ready = [row for row, is_ready in states if is_ready]
    have = {tuple(row[column_name(path)] for path in require) for row in ready}
    for values in product(*(values_of(contract, path) for path in require)):
        if values not in have:
            where = ", ".join(f"{p} {v}" for p, v in zip(require, values, strict=True))
            yield f"no READY group for {where}"


def values_of(contract: Contract, path: str) -> tuple[Any, ...]:
    """Return the values that a group field may have; raise ContractError when the list is open."""
    if path not in contract.group:
        names = ", ".join(contract.group)
        raise ContractError(f"{path} is no group field of {contract.name}; those are {names}")
    info = contract.newest.model_fields.get(path)
    base = unwrap(declared(info))[0] if info else None
    if get_origin(base) is not Literal:
        raise ContractError(
            f"{path} has no closed list of values, so its coverage cannot be required"
        )
    return tuple(get_args(base))
