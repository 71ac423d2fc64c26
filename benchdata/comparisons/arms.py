"""Arms: the runs of one side of a comparison, with the plan they belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from benchdata.stats.rationals import Number


@dataclass(frozen=True, slots=True)
class Run:
    """One row: which cell of the plan it fills, its value, and when it started.

    `value` is in the metric's unit, None where the row has none. A row that is not `scored` was
    lost to the infrastructure: it is counted and never judged. `start` orders the rows of an arm.
    """

    task: str = ""
    repeat: int | str = 1
    value: Number | None = None
    scored: bool = True
    success: bool = True
    start: float | datetime | None = None
    batch: str = ""

    @property
    def cell(self) -> tuple[bool, int, str, str]:
        """Return which repeat of its task it is, to tell apart and to sort by: numbers first.

        Each batch counts its repeats from 1, so the batch is part of it.
        """
        if isinstance(self.repeat, str):
            return True, 0, self.repeat, self.batch
        return False, self.repeat, "", self.batch


@dataclass(frozen=True, slots=True)
class Plan:
    """How many tasks an arm was to run, how often each; None where the rows do not say.

    `changed` is set when rows of one comparison speak of different plans; the larger one counts.
    """

    tasks: int | None = None
    repeats: int | None = None
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Arm:
    """One side of a comparison.

    `fields` are the values that all its rows share, by path: its group and what it was compared
    by. `synthetic` rows prove a pipeline and measure nothing. `checked` says whether the instrument
    check that its values need has passed, None when they need none.
    """

    label: str
    runs: Sequence[Run]
    plan: Plan = Plan()
    fields: Mapping[str, Any] = field(default_factory=dict)
    synthetic: bool = False
    checked: bool | None = None

    @property
    def scored(self) -> int:
        """Return the number of scored runs."""
        return sum(run.scored for run in self.runs)

    @property
    def tasks(self) -> frozenset[str]:
        """Return the tasks that the arm attempted."""
        return frozenset(run.task for run in self.runs)
