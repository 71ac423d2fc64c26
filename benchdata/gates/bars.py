"""Bars beside publication: is every arm good enough on fixed tasks, and steady enough to say so?"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchdata import queries
from benchdata.comparisons.definitions import MEDIAN
from benchdata.comparisons.sides import short, telling
from benchdata.contracts import Contract
from benchdata.contracts.gate import Bar
from benchdata.dataset import Dataset, grouping
from benchdata.errors import ContractError, counted, did_you_mean
from benchdata.gates.caps import other_values
from benchdata.numbers import display
from benchdata.stats.intervals import wilson
from benchdata.stats.percentiles import SWING, Spread, spread
from benchdata.stats.ranks import median
from benchdata.stats.results import CannotTell

State = Literal["met", "not met", "unstable", "none (pipeline proof)"]
ORDER: tuple[State, ...] = ("none (pipeline proof)", "not met", "unstable", "met")
"""The gravest first: the state of several arms is that of the worst."""

Values = Mapping[str, Sequence[float | None]]
"""The values of scored rows by metric."""


@dataclass(frozen=True, slots=True)
class TaskBar:
    """One task of an arm: what fails it, what makes it unsteady, and what was measured."""

    task: str
    failures: tuple[str, ...]
    swings: tuple[str, ...]
    measured: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArmBar:
    """One arm held to a bar; `groups` are the ids of its groups."""

    label: str
    groups: tuple[str, ...]
    state: State
    tasks: tuple[TaskBar, ...]


@dataclass(frozen=True, slots=True)
class BarAnswer:
    """All arms held to a bar; `left_out` counts rows that it is not about."""

    bar: Bar
    arms: tuple[ArmBar, ...]
    left_out: int

    @property
    def state(self) -> State:
        """Return the gravest state of an arm; without arms the bar is not met."""
        return min((arm.state for arm in self.arms), key=ORDER.index, default="not met")


def asked(bar: Bar) -> str:
    """Return what a bar asks of every task, and what its numbers are."""
    return (
        f"at least {counted(bar.repeats, 'repeat')} a task; {bar.metric} {MEDIAN} of"
        f" {bar.at_least:.2f} or more, a run without a value counts as the worst; p75/p25 by"
        f" nearest rank of at most {SWING:g} in {', '.join(bar.steady)}"
    )


def bar_of(contract: Contract, name: str) -> Bar:
    """Return a bar of a contract; raise ContractError naming those there are."""
    bars = {bar.name: bar for bar in contract.gate.bars} if contract.gate else {}
    if name in bars:
        return bars[name]
    there = f"those are {', '.join(bars)}" if bars else "it has none"
    hint = did_you_mean(name, tuple(bars)) or f"; {there}"
    raise ContractError(f"contract {contract.name} has no bar {name}{hint}")


def hold(dataset: Dataset, name: str) -> BarAnswer:
    """Hold every arm of one contract's rows to a bar of it.

    Raises:
        ContractError: The contract has no bar of that name.
    """
    contract = dataset.contract
    bar = bar_of(contract, name)
    arms: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    left_out = 0
    for line in dataset.sql(queries.text("groups")).iter_rows(named=True):
        fields = grouping.fields(contract, line)
        if any(other_values(bar.only, fields)):
            left_out += line["runs"]
        else:
            arms[_arm(contract, fields)].append(line)
    values = _values(dataset)
    labels = _labels(contract, list(arms))
    return BarAnswer(
        bar,
        tuple(_held(bar, labels[arm], lines, contract, values) for arm, lines in arms.items()),
        left_out,
    )


def _arm(contract: Contract, fields: Mapping[str, Any]) -> str:
    """Return the fields of a group that are none of its task."""
    task = contract.design.task or ""
    inside = {task, *contract.companions.get(task, ())}
    return json.dumps({k: v for k, v in fields.items() if k not in inside}, default=str)


def _labels(contract: Contract, arms: Sequence[str]) -> dict[str, str]:
    """Return how arms are called: by what is compared, and by the fields that tell them apart."""
    fields = {arm: json.loads(arm) for arm in arms}
    paths = (*contract.shown, *contract.group)
    named = telling([*fields.values()], paths, contract.design.compared)
    return {
        arm: " ".join(short(each[path]) for path in named if each.get(path) is not None)
        for arm, each in fields.items()
    }


def _values(dataset: Dataset) -> Mapping[str, Values]:
    """Return the values of scored rows by group and metric."""
    found: dict[str, dict[str, list[float | None]]] = defaultdict(lambda: defaultdict(list))
    for line in dataset.sql(queries.text("cells")).iter_rows(named=True):
        if line["row_result"] != "unscored":
            found[line["group_id"]][line["metric"]].append(line["value"])
    return found


def _held(
    bar: Bar,
    label: str,
    lines: Sequence[Mapping[str, Any]],
    contract: Contract,
    values: Mapping[str, Values],
) -> ArmBar:
    column = contract.design.task or ""
    there = {line[column] for line in lines}
    asked_of = [name for task in bar.tasks for name in sorted(there & bar.ids(task)) or [task]]
    by_task: dict[str, dict[str, list[float | None]]] = {
        task: defaultdict(list) for task in asked_of
    }
    for line in lines:
        for metric, found in values.get(line["group_id"], {}).items():
            if line[column] in by_task:
                by_task[line[column]][metric].extend(found)
    tasks = tuple(_task(bar, task, found) for task, found in by_task.items())
    groups = tuple(line["group_id"] for line in lines)
    return ArmBar(label, groups, _state(lines, tasks), tasks)


def _state(lines: Sequence[Mapping[str, Any]], tasks: Sequence[TaskBar]) -> State:
    if any(line["synthetic"] for line in lines):
        return "none (pipeline proof)"
    if any(task.failures for task in tasks):
        return "not met"
    return "unstable" if any(task.swings for task in tasks) else "met"


def _task(bar: Bar, task: str, values: Values) -> TaskBar:
    rates = values.get(bar.metric, ())
    failures, measured = [], []
    if len(rates) < bar.repeats:
        failures.append(f"{len(rates)} of {counted(bar.repeats, 'repeat')}")
    if rates:
        middle = median(rates, nulls="lowest")
        words = middle.reason if isinstance(middle, CannotTell) else display(middle)
        measured.append(f"median {bar.metric} {words} of {counted(len(rates), 'repeat')}")
        measured.append(_reaching(bar, rates))
        if isinstance(middle, CannotTell) or middle < bar.at_least:
            failures.append(f"median {bar.metric} {words}, below {bar.at_least:.2f}")
    steady = [(name, values.get(name, ())) for name in bar.steady] if rates else []
    measured += [_spread_words(name, found) for name, found in steady]
    swings = [words for name, found in steady for words in _swing(name, found)]
    return TaskBar(task, tuple(failures), tuple(swings), tuple(measured))


def _reaching(bar: Bar, rates: Sequence[float | None]) -> str:
    reached = sum(rate is not None and rate >= bar.at_least for rate in rates)
    words = f"{reached} of {len(rates)} at {bar.at_least:.2f} or more"
    found = wilson(reached, len(rates))
    if isinstance(found, CannotTell) or found.low is None or found.high is None:
        return words
    return f"{words} (Wilson {found.low:.2f} to {found.high:.2f})"


def _spread_words(name: str, values: Sequence[float | None]) -> str:
    present, found = _spread(values)
    nulls = len(values) - present
    if isinstance(found, CannotTell):
        words = found.reason
    else:
        ratio = found.p75_over_p25
        words = "p75/p25 none over 0" if ratio is None else f"p75/p25 {display(ratio)}"
        words += f" of {present}"
    return f"{name} {words}" + (f", {nulls} null" if nulls else "")


def _swing(name: str, values: Sequence[float | None]) -> Iterator[str]:
    """Yield why a metric is not steady: a spread that is wide, hidden by a zero, or not known."""
    _, found = _spread(values)
    if isinstance(found, CannotTell):
        yield f"{name}: {found.reason}, so its spread is not known"
    elif found.minimum_zero:
        yield f"{name}: minimum 0 and maximum above it"
    elif found.unstable:
        yield f"{name}: p75/p25 {display(found.p75_over_p25)}, above {SWING:g}"


def _spread(values: Sequence[float | None]) -> tuple[int, Spread | CannotTell]:
    present = [value for value in values if value is not None]
    return len(present), spread(present)
