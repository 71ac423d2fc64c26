"""The gate of a dataset: what every rule that its contract asks for says of every group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benchdata import queries
from benchdata.contracts import Contract
from benchdata.contracts.base import VERSION_FIELD
from benchdata.contracts.gate import NO_RESULT, READY
from benchdata.dataset import Dataset, grouping
from benchdata.errors import counted, shorten
from benchdata.gates import arms, caps, coverage, instruments, reach
from benchdata.gates.states import Answers, Gate, GroupGate, Said

RULES: tuple[Callable[[Dataset, Dataset], Answers], ...] = (
    caps.unequal,
    arms.unfit,
    instruments.of_judge,
    instruments.of_judged,
)
"""Each takes the rows of one contract and all that were given, and speaks where it applies."""


def judge(dataset: Dataset, *, require: Sequence[str] = (), accept_rejects: int = 0) -> Gate:
    """Return the gate of a dataset of one contract.

    `require` names group fields: each combination of the values that the contract allows them needs
    a ready group. `accept_rejects` is the number of rows set aside that the publisher knows of.

    Raises:
        ContractError: A required field has no closed list of values, or there are two contracts.
    """
    return _gate(dataset, dataset, require, accept_rejects)


def judge_each(
    dataset: Dataset, *, require: Sequence[str] = (), accept_rejects: int = 0
) -> tuple[tuple[Contract, Gate], ...]:
    """Return one gate for each contract of a dataset, each knowing the rows of the others.

    Rows set aside are counted over all inputs; `require` binds the contracts that group by all of
    its fields.

    Raises:
        ContractError: A required field is none, or has no closed list of values.
    """
    several = dataset.contracts
    bound = [each for each in several if set(require) <= set(each.group)] or list(several[:1])
    return tuple(
        (each, _gate(dataset.of(each), dataset, require if each in bound else (), accept_rejects))
        for each in several
    )


def _gate(rows: Dataset, given: Dataset, require: Sequence[str], accepted: int) -> Gate:
    contract = rows.contract
    lines = rows.sql(queries.text("groups")).to_dicts()
    alike = _alike(rows)
    answers = [rule(rows, given) for rule in RULES] if contract.gate else []
    groups = tuple(
        _group(
            contract,
            line,
            *alike.get(line["group_id"], (0, "")),
            [found[line["group_id"]] for found in answers if line["group_id"] in found],
        )
        for line in lines
    )
    ready = [line for line, group in zip(lines, groups, strict=True) if group.ready]
    reasons = (
        *_unaccepted(given.set_aside, accepted),
        *_nothing(groups),
        *coverage.uncovered(contract, ready, tuple(dict.fromkeys(require))),
    )
    minimum = contract.gate.rows if contract.gate else 0
    return Gate(groups, reasons, minimum, tuple(_accepted(given.set_aside, accepted)))


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


def _group(
    contract: Contract, line: dict[str, Any], extra: int, example: str, said: Sequence[Said]
) -> GroupGate:
    """Return one group; `extra` of its rows count once with others, such as `example`."""
    if no_result := _no_result(contract, line):
        return GroupGate(
            line["group_id"], line["group_label"], NO_RESULT, False, no_result, result=False
        )
    scored = line["runs"] - line["unscored"]
    status, ready, reasons = _state(
        contract, line, scored - extra, [reason for each in said for reason in each.reasons]
    )
    notes = [note for each in said for note in each.notes]
    if extra:
        notes.append(
            f"{extra} of {line['runs']} rows equal another in all but"
            f" {' and '.join(contract.identity)} and count once (such as {example})"
        )
    shows = [text for each in said for text in each.shows] or list(
        reach.of_rows(scored, line["failed"])
    )
    return GroupGate(
        id=line["group_id"],
        label=line["group_label"],
        status=status,
        ready=ready,
        reasons=reasons,
        notes=tuple(notes),
        shows=tuple(shows) if ready else (),
    )


def _no_result(contract: Contract, line: dict[str, Any]) -> tuple[str, ...]:
    """Return why rows measure nothing that is published, such as reference runs; else nothing."""
    if contract.gate is None or line["synthetic"]:
        return ()
    return tuple(caps.other_values(contract.gate.only, grouping.fields(contract, line)))


def _state(
    contract: Contract, line: Mapping[str, Any], distinct: int, others: Sequence[str]
) -> tuple[str, bool, tuple[str, ...]]:
    """Return the first that applies of no gate, old version, synthetic, amiss, ready, and why."""
    gate = contract.gate
    if gate is None:
        return "NO GATE", False, (f"contract {contract.name} declares no publication gate",)
    version = line.get(VERSION_FIELD)
    if version is not None and version not in gate.versions:
        readable = f"rows of schema version {version} are history: readable, never published"
        return f"LEGACY SCHEMA (v{version})", False, (readable,)
    reasons = [*_short(gate.rows, distinct), *others]
    progress = f" ({distinct}/{gate.rows})" if gate.rows > 1 else ""
    if line["synthetic"]:
        synthetic = "the rows are synthetic: no measurement"
        return f"SYNTHETIC{progress}", False, (synthetic, *reasons)
    return (READY, True, ()) if not reasons else (f"INCOMPLETE{progress}", False, tuple(reasons))


def _short(needed: int, distinct: int) -> Iterator[str]:
    if distinct < needed:
        yield f"{distinct} of {needed} distinct rows: collect {needed - distinct} more"


def _nothing(groups: Sequence[GroupGate]) -> Iterator[str]:
    """Yield the reason that rows without any result give."""
    if groups and not any(group.result for group in groups):
        yield "no row is a result"


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
