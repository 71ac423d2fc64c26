"""An input in parts, each validated into a Parquet file of its own, by this process or a helper."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchdata.contracts import Contract
from benchdata.errors import RowError
from benchdata.rows.batches import Batch, proven
from benchdata.rows.lines import Span
from benchdata.rows.proof.prover import Prover
from benchdata.rows.sources import Input
from benchdata.rows.storing import store

TOLD = 50
"""Errors told of one file, and of repeated identities; the rest are counted."""


class Task(NamedTuple):
    """A part that is to be done: lines of a plain file, and the file for their rows."""

    span: Span
    file: Path


class Done(NamedTuple):
    """What a part holds: rows, lines, its first faults by the part's own lines, and all it has."""

    rows: int
    lines: int
    faults: list[RowError]
    bad: int


Tasks = deque[Task]
Results = dict[Task, Done]


def work(source: Input, prover: Prover, tasks: Tasks, results: Results) -> None:
    """Do the tasks that nobody has taken, one after the other."""
    for task in untaken(tasks):
        results[task] = stored(proven(source, prover, task.span), task.file, prover.contract)


def untaken(tasks: Tasks) -> Iterator[Task]:
    """Take one task after the other; others may take some at the same time."""
    while True:
        try:
            yield tasks.popleft()
        except IndexError:
            return


def stored(batches: Iterable[Batch], file: Path, contract: Contract) -> Done:
    """Store the rows of a part in `file` and return what there is to say of it."""
    faults: list[RowError] = []
    lines = bad = 0
    with store(file, contract) as rows:
        for batch in batches:
            rows.add(batch.frame)
            lines += batch.lines
            bad += len(batch.faults)
            faults += batch.faults[: TOLD - len(faults)]
    return Done(rows.rows, lines, faults, bad)
