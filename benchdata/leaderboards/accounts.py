"""What is told of an arm beside its primary metric: tasks, other metrics, how its rows ended."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchdata import queries
from benchdata.dataset import Dataset, grouping

READ = "skill_read"
"""The field that says whether an agent read the skill it was given, where a contract has it."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of task means of one metric, over `n` repeats that have a value in `tasks` tasks."""

    value: float
    tasks: int
    n: int


@dataclass(frozen=True, slots=True)
class TaskCell:
    """One task of one arm: how its rows ended, and their mean of the board's metric."""

    runs: int
    scored: int
    succeeded: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class Ending:
    """Why rows of an arm were not scored, or did not succeed: `outcome`, its `reason`, how many."""

    outcome: str
    reason: str
    n: int


@dataclass(frozen=True, slots=True)
class Account:
    """What is told of an arm: `skill_read` is (read, known) of its scored rows, None without."""

    means: Mapping[str, Mean]
    tasks: Mapping[str, TaskCell]
    endings: tuple[Ending, ...]
    skill_read: tuple[int, int] | None


Owners = Mapping[tuple[str, str], str]
"""Whose the rows of each group (its id) and arm (compact JSON) are."""


def accounts(dataset: Dataset, places: Mapping[str, str]) -> dict[str, Account]:
    """Return the account of every owner; `places` gives the owner by `place` of group and arm.

    Rows of any other place are in no account.
    """
    owners = _owners(dataset, places)
    means, tasks = _means(dataset, owners), _tasks(dataset, owners)
    endings, read = _endings(dataset, owners), _read(dataset, owners)
    return {
        owner: Account(
            means.get(owner, {}), tasks.get(owner, {}), endings.get(owner, ()), read.get(owner)
        )
        for owner in set(owners.values())
    }


def place(fields: Mapping[str, Any]) -> str:
    """Return the fields of a group and what was compared in it as one text."""
    return json.dumps(fields, sort_keys=True, default=str)


def _owners(dataset: Dataset, places: Mapping[str, str]) -> Owners:
    contract = dataset.contract
    groups = {
        row["group_id"]: grouping.fields(contract, row)
        for row in dataset.sql(queries.text("groups")).iter_rows(named=True)
    }
    found = {}
    for line in _lines(dataset, "select distinct group_id, row_arm from grouped"):
        compared = dict(zip(contract.design.compared, json.loads(line["row_arm"]), strict=True))
        owner = places.get(place(groups[line["group_id"]] | compared))
        if owner is not None:
            found[line["group_id"], line["row_arm"]] = owner
    return found


def _means(dataset: Dataset, owners: Owners) -> dict[str, dict[str, Mean]]:
    """Return by owner the mean of task means of every metric; repeats count once in their task."""
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    repeats: Counter[tuple[str, str]] = Counter()
    for owner, line in _owned(dataset, owners, queries.text("task_means")):
        values[owner][line["metric"]].append(line["mean"])
        repeats[owner, line["metric"]] += line["repeats"]
    return {
        owner: {
            name: Mean(statistics.mean(means), len(means), repeats[owner, name])
            for name, means in metrics.items()
        }
        for owner, metrics in values.items()
    }


def _tasks(dataset: Dataset, owners: Owners) -> dict[str, dict[str, TaskCell]]:
    found: dict[str, dict[str, TaskCell]] = defaultdict(dict)
    for owner, line in _owned(dataset, owners, queries.text("per_task")):
        cell = TaskCell(line["runs"], int(line["scored"]), int(line["succeeded"]), line["mean"])
        found[owner][line["row_task"]] = cell
    return found


def _endings(dataset: Dataset, owners: Owners) -> dict[str, tuple[Ending, ...]]:
    found: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for owner, line in _owned(dataset, owners, queries.text("exclusions")):
        ended = line["outcome"], line["reason"]
        found[owner][ended] += line["n"]
    return {
        owner: tuple(Ending(*ended, n) for ended, n in sorted(counts.items()))
        for owner, counts in found.items()
    }


def _read(dataset: Dataset, owners: Owners) -> dict[str, tuple[int, int]]:
    if READ not in dataset.contract.kinds:
        return {}
    found: dict[str, tuple[int, int]] = {}
    for owner, line in _owned(
        dataset,
        owners,
        f"select group_id, row_arm, sum(case when {READ} then 1 else 0 end) as times,"
        f" count({READ}) as known from grouped where row_result <> 'unscored'"
        " group by group_id, row_arm having known > 0",
    ):
        times, known = found.get(owner, (0, 0))
        found[owner] = times + int(line["times"]), known + line["known"]
    return found


def _owned(dataset: Dataset, owners: Owners, query: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the lines of an answer by group and arm, each with its owner, those that have one."""
    for line in _lines(dataset, query):
        owner = owners.get((line["group_id"], line["row_arm"]))
        if owner is not None:
            yield owner, line


def _lines(dataset: Dataset, query: str) -> Iterator[dict[str, Any]]:
    return dataset.sql(query).iter_rows(named=True)
