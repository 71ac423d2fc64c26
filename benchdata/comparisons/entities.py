"""Rows of a dataset as runs: one entity for each group and what was compared inside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from operator import itemgetter
from typing import Any

from benchdata import queries
from benchdata.comparisons.arms import Plan, Run
from benchdata.comparisons.claims import Claim
from benchdata.contracts import Contract
from benchdata.dataset import Dataset, grouping
from benchdata.engine.connection import literal
from benchdata.errors import InputError, counted
from benchdata.stats.rationals import Number
from benchdata.stats.samples import LARGEST

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entity:
    """The runs of one group and arm; `fields` are its group fields and what it was compared by.

    `rows` are the identities of the rows.
    """

    fields: Mapping[str, Any]
    runs: Sequence[Run]
    plan: Plan
    synthetic: bool
    rows: frozenset[str]


def entities(
    dataset: Dataset, claim: Claim, values: Mapping[str, Number | None] | None = None
) -> list[Entity]:
    """Return the entities of a dataset of one contract, in the order of its groups.

    `values` by row identity stand in for a metric that is in no row, such as a composite.

    Raises:
        InputError: A value is too large or too small to be counted with.
    """
    contract = dataset.contract
    groups = {
        row["group_id"]: grouping.fields(contract, row)
        for row in dataset.sql(queries.text("groups")).iter_rows(named=True)
    }
    lines = [*_lines(dataset, claim.metric.name if values is None else contract.primary)]
    if values is not None:
        lines = [{**line, "value": values.get(line["row_id"])} for line in lines]
    for line in lines:
        _refuse_size(line, claim.metric.name)
    found = []
    for (group, arm), members in groupby(lines, itemgetter("group_id", "row_arm")):
        compared = dict(zip(contract.design.compared, json.loads(arm), strict=True))
        found.append(_entity(groups[group] | compared, list(members), claim))
    return found


def is_result(contract: Contract, fields: Mapping[str, Any]) -> bool:
    """Return whether rows with these fields measure what is compared, by the contract's gate."""
    return all(fields.get(path) == value for path, value in _only(contract).items())


def judged(members: Sequence[Entity], contract: Contract) -> list[Entity]:
    """Return the entities that a verdict can be about.

    A reference run is no result, whatever it shows. Synthetic rows stay: their verdict says so.
    """
    return [each for each in members if each.synthetic or is_result(contract, each.fields)]


def no_results(members: Sequence[Entity], contract: Contract) -> tuple[str, ...]:
    """Return what `judged` leaves out: `8 rows of kind conformance`."""
    kept = {id(each) for each in judged(members, contract)}
    rows: Counter[str] = Counter()
    for each in members:
        if id(each) not in kept:
            rows[" ".join(f"{p} {each.fields.get(p)}" for p in _only(contract))] += len(each.runs)
    return tuple(f"{counted(n, 'row')} of {which}" for which, n in rows.items())


def _only(contract: Contract) -> Mapping[str, str]:
    return contract.gate.only if contract.gate else {}


def _lines(dataset: Dataset, metric: str) -> Iterable[Line]:
    """Return the lines of `cells` for one metric, by group, arm, task and start."""
    cells = f"select * from (\n{queries.text('cells')}\n) where metric = {literal(metric)}"
    order = (
        "group_id, row_arm, row_task nulls last, row_start nulls last, row_place nulls last, row_id"
    )
    return dataset.sql(f"{cells} order by {order}").iter_rows(named=True)


def _refuse_size(line: Line, metric: str) -> None:
    """Raise InputError for a value whose square or ratio no double could hold."""
    value = line["value"]
    if value and not 1 / LARGEST <= abs(value) <= LARGEST:
        raise InputError(
            f"{metric}: row {line['row_id']} has a value that is not 0 and lies outside"
            f" {1 / LARGEST:g} to {LARGEST:g}: no mean or ratio of it can be counted"
        )


def _entity(fields: Mapping[str, Any], lines: Sequence[Line], claim: Claim) -> Entity:
    return Entity(
        fields=fields,
        runs=[
            _run(line, repeat, claim) for line, repeat in zip(lines, _repeats(lines), strict=True)
        ],
        plan=_plan(lines),
        synthetic=any(line["row_synthetic"] for line in lines),
        rows=frozenset(line["row_id"] for line in lines),
    )


def _repeats(lines: Sequence[Line]) -> Iterator[int | str]:
    """Yield the repeat of each row; where no row has one, its number in its task.

    A row without a repeat among others that have one, such as a lost trial, is one of its own.
    """
    numbered = any(line["row_repeat"] is not None for line in lines)
    numbers = {task: count(1) for task in {line["row_task"] for line in lines}}
    for line in lines:
        repeat = line["row_repeat"]
        if repeat is not None:
            yield int(repeat) if repeat.isdecimal() else repeat
        else:
            yield line["row_id"] if numbered else next(numbers[line["row_task"]])


def _run(line: Line, repeat: int | str, claim: Claim) -> Run:
    task = line["row_task"]
    if task is None:
        task = line["row_id"] if claim.tasks == "sampled" else ""
    return Run(
        task=task,
        repeat=repeat,
        value=line["value"],
        scored=line["row_result"] != "unscored",
        success=line["row_result"] == "success",
        start=line["row_start"] if line["row_place"] is None else line["row_place"],
        batch=line["row_batch"] or "",
    )


def _plan(lines: Sequence[Line]) -> Plan:
    planned = [
        {line[name] for line in lines} - {None}
        for name in ("row_planned_tasks", "row_planned_repeats")
    ]
    tasks, repeats = (max(values, default=None) for values in planned)
    return Plan(tasks, repeats, changed=any(len(values) > 1 for values in planned))
