"""The rubric of an attempt: two lists, each item met or not, on what the scoring turn left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from collectors.build_bench import reading, snapshots
from collectors.build_bench.examination import RESOURCES, Examination, Finding
from collectors.build_bench.observed import Observed
from collectors.build_bench.reading import NOTHING, Unread
from collectors.build_bench.service import Service
from collectors.build_bench.snapshots import Snapshot
from collectors.build_bench.tasks import Task
from collectors.build_bench.turns import Judge
from collectors.harness.agents.driver import Call, Report
from collectors.harness.judging import Spent

List = Literal["task", "production"]


@dataclass(frozen=True, slots=True)
class Reader:
    """The model that reads sources, and how it is asked."""

    model: str
    ask: Callable[[Call], Report]


@dataclass(frozen=True, slots=True)
class Rubric:
    """What was found of every item; a list that was not decided is not there.

    `spent` is what the reader took, which is no cost of the agent and so in no row.
    """

    task: Task
    findings: Mapping[List, Mapping[str, Finding]]
    reader: str | None
    unread: str | None
    spent: Spent = NOTHING

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The items as a row holds them."""
        return [
            {"id": item.id, "list": name, "weight": item.weight, "met": found[item.id].met}
            for name, found in self.findings.items()
            for item in self.task.rubric_items()[name]
        ]

    @property
    def pass_rate(self) -> float:
        """The sum of the weights of the production list's items that are met."""
        found = self.findings["production"]
        items = self.task.rubric_items()["production"]
        return min(1.0, sum(item.weight for item in items if found[item.id].met))

    @property
    def told(self) -> dict[str, Any]:
        """Everything, with the evidence."""
        return {
            "reader": self.reader,
            "unread": self.unread,
            "reading": asdict(self.spent),
            "items": [
                {**row, "evidence": self.findings[row["list"]][row["id"]].evidence}
                for row in self.rows
            ],
        }


def examined(
    task: Task, snapshot: Snapshot, judge: Judge, root: Path, reader: Reader | None
) -> Rubric:
    """Decide the production list by script and, with a reader, the task's own list by a model."""
    found: dict[List, Mapping[str, Finding]] = {
        "production": _examination(task, snapshot, judge, root)
    }
    if reader is None:
        return Rubric(task, found, None, "no model was named that reads")
    try:
        items = task.rubric_items()["task"]
        read = reading.read(snapshot, items, reader.model, reader.ask)
    except Unread as why:
        return Rubric(task, found, None, str(why), why.spent)
    found["task"] = read.findings
    return Rubric(task, found, reader.model, None, read.spent)


def _examination(task: Task, snapshot: Snapshot, judge: Judge, root: Path) -> dict[str, Finding]:
    try:
        place = judge.place(snapshot, root)
        ground = Observed(judge.ground(place))
        service = Service(place, judge.starter.path, ground)
        examination = Examination(
            task.suite, RESOURCES[task.rubric], service, ground, place, snapshot
        )
        return asyncio.run(judge.unless_halted(examination.findings()))
    finally:
        snapshots.discard(root)
