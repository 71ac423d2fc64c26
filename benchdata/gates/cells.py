"""Cells of a plan as a gate sees them: which have a scored row, and which a lost one."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import polars as pl

from benchdata.comparisons.plans import CHANGED_PLAN, beyond_plan
from benchdata.contracts.columns import column_name
from benchdata.contracts.gate import ArmNeeds
from benchdata.contracts.rules import Expression
from benchdata.dataset import Dataset
from benchdata.engine.connection import quoted
from benchdata.errors import shorten
from benchdata.rows.expressions import column

Line = Mapping[str, Any]
Place = tuple[str, str]
"""A batch and a task."""

DIGITS = 12  # of a digest in the name of an arm
READ = (
    *("group_id", "row_arm", "row_task", "row_repeat", "row_batch", "row_planned_tasks"),
    *("row_planned_repeats", "row_result", "row_id"),
)
LOST = "row_lost"


@dataclass(frozen=True, slots=True)
class ArmCells:
    """One arm of a group: its rows, and what came of its `planned` cells.

    `unfilled` cells have no scored row, `unexplained` ones no row lost to the infrastructure
    either; `example` is one of those. `unplanned` says what it ran beyond the plan of its rows.
    `values` are the known values of the fields that arms must share, over scored rows; `of_task`
    those of a field in the rows of a task.
    """

    label: str
    rows: int
    lost: int
    attempted: Mapping[str, frozenset[str]]
    scored_tasks: frozenset[str]
    planned: int
    unfilled: int
    unexplained: int
    example: str
    unplanned: str
    values: Mapping[str, frozenset[str]]
    of_task: Mapping[tuple[str, str], frozenset[str]]

    @property
    def tasks(self) -> frozenset[str]:
        """Return the tasks with any row."""
        return frozenset(self.attempted)

    def repeats(self, task: str) -> int:
        """Return how many repeats of a task have any row."""
        return len(self.attempted[task])


@dataclass(frozen=True, slots=True)
class _Plan:
    """The cells of one batch that every arm was to fill: `repeats` of each of `tasks` and more.

    `said` are the cells that the rows speak of, 0 where they do not; `changed` that they disagree.
    """

    tasks: frozenset[str]
    unseen: int
    repeats: int
    said: int
    changed: bool


def read(rows: Dataset, needs: ArmNeeds) -> dict[str, list[ArmCells]]:
    """Return the arms of every group of one contract's rows, in order."""
    groups = groupby(_lines(rows, needs), itemgetter("group_id"))
    return {group: _arms(list(lines), needs) for group, lines in groups}


def _lines(rows: Dataset, needs: ArmNeeds) -> list[dict[str, Any]]:
    """Return a line a row, `row_lost` where the machine and not the agent ended it."""
    contract = rows.contract
    lost = Expression(contract.cell.retried if contract.cell else "False")
    paths = (*needs.alike, *needs.by_task, *lost.paths)
    columns = dict.fromkeys([*READ, *map(column_name, paths)])
    found = rows.sql(
        f"select {', '.join(map(quoted, columns))} from grouped"
        " order by group_order, row_arm, row_task nulls last, row_id"
    )
    flag = column(lost).fill_null(value=False).alias(LOST)
    return found.with_columns(flag, pl.col("row_task", "row_batch").fill_null("")).to_dicts()


def _arms(lines: Sequence[Line], needs: ArmNeeds) -> list[ArmCells]:
    plans = _plans(lines)
    names = _names(list(dict.fromkeys(line["row_arm"] for line in lines)))
    return [
        _arm(names[arm], list(members), plans, needs)
        for arm, members in groupby(lines, itemgetter("row_arm"))
    ]


def _names(arms: Sequence[str]) -> dict[str, str]:
    """Return how arms are called: by what is compared first, by more where that is not enough."""
    parts = {arm: ["null" if p is None else str(p) for p in json.loads(arm)] for arm in arms}
    first = [each[0] for each in parts.values()]
    return {
        arm: each[0]
        if first.count(each[0]) == 1
        else f"{each[0]} ({', '.join(part[:DIGITS] for part in each[1:])})"
        for arm, each in parts.items()
    }


def _plans(lines: Sequence[Line]) -> dict[str, _Plan]:
    """Return the plan of every batch: what its rows say, and no less than any arm ran of it."""
    batches: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        batches[line["row_batch"]].append(line)
    found = {}
    for batch, members in batches.items():
        tasks = frozenset(line["row_task"] for line in members)
        said, repeats = (_said(members, f"row_planned_{what}") for what in ("tasks", "repeats"))
        most, last = max(said, default=0), max(repeats, default=0)
        found[batch] = _Plan(
            tasks,
            max(most - len(tasks), 0),
            last or _most(members),
            most * last,
            changed=max(len(said), len(repeats)) > 1,
        )
    return found


def _said(lines: Sequence[Line], column: str) -> set[int]:
    return {line[column] for line in lines} - {None}


def _most(lines: Sequence[Line]) -> int:
    """Return the most repeats of one task in one arm."""
    seen: dict[Place, set[str]] = defaultdict(set)
    for line in lines:
        seen[line["row_arm"], line["row_task"]].add(_repeat(line))
    return max(map(len, seen.values()))


def _repeat(line: Line) -> str:
    """Return the repeat of a row; one that has none is a repeat of its own."""
    return str(line["row_repeat"] if line["row_repeat"] is not None else line["row_id"])


def _arm(
    label: str, lines: Sequence[Line], plans: Mapping[str, _Plan], needs: ArmNeeds
) -> ArmCells:
    scored = [line for line in lines if line["row_result"] != "unscored"]
    filled, lost = _repeats(scored), _repeats([line for line in lines if line[LOST]])
    planned = unfilled = unexplained = 0
    example = ""
    for batch, plan in plans.items():
        planned += (len(plan.tasks) + plan.unseen) * plan.repeats
        unfilled += plan.unseen * plan.repeats
        unexplained += plan.unseen * plan.repeats
        for task in sorted(plan.tasks):
            have = filled.get((batch, task), set())
            empty = max(plan.repeats - len(have), 0)
            blank = max(empty - len(lost.get((batch, task), set()) - have), 0)
            unfilled, unexplained = unfilled + empty, unexplained + blank
            example = example or (shorten(task, 80) if blank else "")
    attempted: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        attempted[line["row_task"]].add(f"{line['row_batch']} {_repeat(line)}")
    return ArmCells(
        label=shorten(label, 80),
        rows=len(lines),
        lost=sum(line[LOST] for line in lines),
        attempted={task: frozenset(repeats) for task, repeats in attempted.items()},
        scored_tasks=frozenset(line["row_task"] for line in scored),
        planned=planned,
        unfilled=unfilled,
        unexplained=unexplained,
        example=example or "a task that no arm ran",
        unplanned=_unplanned(plans, filled),
        values={path: _values(scored, path) for path in needs.alike},
        of_task=_of_task(lines, needs.by_task),
    )


def _unplanned(plans: Mapping[str, _Plan], filled: Mapping[Place, set[str]]) -> str:
    """Return what the batches ran beyond their plans, or that one has several, or nothing."""
    runs: Counter[str] = Counter()
    for (batch, _), repeats in filled.items():
        runs[batch] += len(repeats)
    more = [batch for batch, plan in plans.items() if 0 < plan.said < runs[batch]]
    if more:
        planned = sum(plans[batch].said for batch in more)
        return beyond_plan(sum(runs[batch] for batch in more), planned)
    return CHANGED_PLAN if any(plan.changed for plan in plans.values()) else ""


def _repeats(lines: Sequence[Line]) -> dict[Place, set[str]]:
    found: dict[Place, set[str]] = defaultdict(set)
    for line in lines:
        found[line["row_batch"], line["row_task"]].add(_repeat(line))
    return found


def _values(lines: Sequence[Line], path: str) -> frozenset[str]:
    name = column_name(path)
    return frozenset(str(line[name]) for line in lines if line[name] is not None)


def _of_task(lines: Sequence[Line], paths: Sequence[str]) -> dict[tuple[str, str], frozenset[str]]:
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in lines:
        for path in paths:
            found[path, line["row_task"]].add(str(line[column_name(path)]))
    return {place: frozenset(values) for place, values in found.items()}
