"""Tables of a build bench: lanes held to the bar, caps, why runs stopped."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from benchdata.gates.bars import BarAnswer, TaskBar, asked
from benchdata.numbers import MISSING, display
from benchdata.reports.tables import Table

CAPS = (("max_turns", "Turns"), ("max_wall_s", "Wall, s"), ("suite_timeout_s", "Suite, s"))
LOST = "unscored"


def lanes(answer: BarAnswer, runs: pl.DataFrame) -> Table:
    """Return what was measured of each lane in each task, and what the bar says of it."""
    rows = []
    for arm in answer.arms:
        for task in arm.tasks:
            mine = (pl.col("name") == arm.label) & (pl.col("task_id") == task.task)
            rows.append((arm.label, arm.state, task.task, *_measured(task, runs.filter(mine))))
    head = ("Lane", "Its bar", "Task", "Green", "Lost", "Against it", "Measured")
    return Table(
        f"Lanes held to the bar {answer.bar.name}: {asked(answer.bar)}",
        head,
        tuple(rows),
        ("left", "left", "left", "right", "right", "left", "left"),
    )


def _measured(task: TaskBar, runs: pl.DataFrame) -> tuple[str, ...]:
    lost = int((runs["row_result"] == LOST).sum())
    green = int((runs["stop_cause"] == "green").sum())
    against = "; ".join((*task.failures, *task.swings))
    return (
        f"{green:,} of {runs.height - lost:,}",
        f"{lost:,}",
        against or MISSING,
        "; ".join(task.measured) or MISSING,
    )


def caps(runs: pl.DataFrame) -> Table:
    """Return the caps of each lane; lanes with other caps are not compared."""
    columns = [column for column, _ in CAPS]
    found = runs.select("name", *columns).unique(maintain_order=True)
    rows = [(name, *map(display, values)) for name, *values in found.iter_rows()]
    head = ("Lane", *(title for _, title in CAPS))
    return Table("Caps of a run", head, tuple(rows), ("left", "right", "right", "right"))


def stop_causes(runs: pl.DataFrame) -> Table:
    """Return how many runs of each lane and task stopped for which cause."""
    head = ("Lane", "Task", "Runs", "Stop causes")
    return Table("Stop causes", head, tuple(_causes(runs)), ("left", "left", "right", "left"))


def _causes(runs: pl.DataFrame) -> Iterator[tuple[str, ...]]:
    for (name, task), part in runs.group_by("name", "task_id", maintain_order=True):
        counts = (
            part["stop_cause"]
            .value_counts(sort=True)
            .sort("count", "stop_cause", descending=[True, False])
        )
        words = ", ".join(f"{cause} {count:,}" for cause, count in counts.iter_rows())
        yield str(name), str(task), f"{part.height:,}", words
