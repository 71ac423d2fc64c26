"""A stage: one experiment in a folder of its own, that can be ended at any moment and gone on with.

`stage.json` says what is compared and in which order, `rows.ndjson` holds the rows, and the journal
beside it has a line for each attempt, on disk before that begins. What was begun and has no row was
lost: it is named in `stage.json`, and its cell is executed again. The rows of runs that a stop cut
short lie apart and stand for no cell, so that the stage can be gone on with.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchdata.contracts import Contract
from benchdata.contracts.fields import instant_text
from benchdata.contracts.rules import Expression
from benchdata.errors import BenchdataError, RowError, counted
from benchdata.rows.writing import append, appended, appending
from collectors.harness import stage_file
from collectors.harness.journal import Journal
from collectors.harness.schedule import Attempt, Cell
from collectors.harness.stage_file import Experiment, StageFile

ROWS = "rows.ndjson"
JOURNAL = f"{ROWS}.journal"
INTERRUPTED = f"{ROWS}.interrupted"
"""No name of a row file: whoever reads the folder would find two rows of one cell."""


@dataclass(frozen=True, slots=True)
class Due:
    """A cell that wants a row: its first, or that of the one retry of the lost run `retry_of`."""

    cell: Cell
    retry_of: str | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """What a stage has come to: how many of its cells are done, and of those without a score."""

    cells: int
    done: int
    unscored: int
    lost: tuple[Attempt, ...]

    @property
    def code(self) -> int:
        """The exit code: 2 while any cell has no scored row."""
        return 2 if self.done < self.cells or self.unscored else 0

    def lines(self) -> list[str]:
        """Say it, a line for each attempt that was lost."""
        unscored = f", {self.unscored:,} without a score" if self.unscored else ""
        return [
            f"{self.done:,} of {counted(self.cells, 'cell')} done{unscored}",
            *(f"no row: the attempt {one.run_id} begun at {one.begun_at}" for one in self.lost),
        ]


class Stage:
    """A stage that is held open and locked by `opened`."""

    def __init__(
        self, folder: Path, contract: Contract, facts: StageFile, journal: Journal
    ) -> None:
        """Read what was begun and which rows there are; BenchdataError where they do not fit."""
        assert contract.cell is not None, "the contract's rows have no cells"
        self.folder = folder
        self.contract = contract
        self.facts = facts
        self._lost_run = Expression(contract.cell.retried)
        self._unscored = Expression(contract.outcome.unscored)
        self._retry = contract.cell.retry
        self._id = contract.identity[0]
        self._journal = journal
        self._ended: set[str] = set()
        self._standing: dict[int, Mapping[str, Any]] = {}
        self._begun = {one.run_id: one for one in journal.attempts(len(facts.order))}
        self._read(ROWS, self._keep)
        self._read(INTERRUPTED, self._keep_apart)

    def due(self) -> list[Due]:
        """Return the cells without a row in their order, then those that want their retry.

        Retries come last: what lost the first run may have passed by then.
        """
        first = [Due(cell) for cell in self.facts.order if cell.position not in self._standing]
        again = (
            Due(cell, row[self._id])
            for cell in self.facts.order
            if (row := self._standing.get(cell.position)) and self.wants_retry(row)
        )
        return [*first, *again]

    def begin(self, due: Due) -> Attempt:
        """Write down that an attempt begins, and return it.

        Raises:
            BenchdataError: That is not safely on disk, so it must not begin.
        """
        now = instant_text(datetime.now(UTC))
        attempt = Attempt(str(uuid.uuid4()), due.cell.position, now, due.retry_of)
        self._journal.write(attempt)
        self._begun[attempt.run_id] = attempt
        return attempt

    def finish(
        self, attempt: Attempt, row: Mapping[str, Any], *, stopping: bool = False
    ) -> Mapping[str, Any]:
        """Append the row of an attempt, on disk before this returns, and return its normal form.

        When a stop was requested, a row without a score is that of a run which was cut short, and
        its cell stays due; what the infrastructure lost is lost all the same.

        Raises:
            RowError: It breaks its contract, or is the row of another attempt.
            InputError: It could not be written.
        """
        normal = self.contract.validate(row)
        for field, value in ((self._id, attempt.run_id), (self._retry, attempt.retry_of)):
            if normal[field] != value:
                raise RowError(field, "is not that of the attempt")
        cut = stopping and self.is_unscored(normal) and not self.is_lost(normal)
        append(self.folder / (INTERRUPTED if cut else ROWS), normal, self.contract)
        (self._keep_apart if cut else self._keep)(normal)
        return normal

    def is_lost(self, row: Mapping[str, Any]) -> bool:
        """Tell whether the infrastructure lost this run."""
        return bool(self._lost_run.of(row))

    def is_unscored(self, row: Mapping[str, Any]) -> bool:
        """Tell whether this run says nothing of the agent."""
        return bool(self._unscored.of(row))

    def wants_retry(self, row: Mapping[str, Any]) -> bool:
        """Tell whether the infrastructure lost this run, the first of its cell."""
        return row[self._retry] is None and self.is_lost(row)

    def stands(self, cell: Cell, row: Mapping[str, Any]) -> bool:
        """Tell whether this run is the one that counts for its cell."""
        standing = self._standing.get(cell.position)
        return standing is not None and standing[self._id] == row[self._id]

    def account(self) -> Account:
        """Return what the stage has come to."""
        rows = [row for row in self._standing.values() if not self.wants_retry(row)]
        without = sum(map(self.is_unscored, rows))
        return Account(len(self.facts.order), len(rows), without, self._lost())

    def record_lost(self) -> None:
        """Name in `stage.json` every attempt that was begun and has no row."""
        if (lost := self._lost()) != self.facts.lost:
            self.facts = replace(self.facts, lost=lost)
            stage_file.write(self.folder, self.facts)

    def _lost(self) -> tuple[Attempt, ...]:
        return tuple(one for run_id, one in self._begun.items() if run_id not in self._ended)

    def _keep(self, row: Mapping[str, Any]) -> None:
        """Let a row stand for its cell; that of a retry takes the place of the lost one."""
        attempt = self._attempt_of(row)
        standing = self._standing.get(attempt.position)
        if standing and not (self.wants_retry(standing) and row[self._retry] == standing[self._id]):
            raise RowError(self._id, "is a second row of its cell")
        self._ended.add(attempt.run_id)
        self._standing[attempt.position] = row

    def _keep_apart(self, row: Mapping[str, Any]) -> None:
        """Take note of a row that stands for no cell."""
        self._ended.add(self._attempt_of(row).run_id)

    def _attempt_of(self, row: Mapping[str, Any]) -> Attempt:
        """Return the attempt that a row is of, which has no other; RowError without one."""
        attempt = self._begun.get(row[self._id])
        if attempt is None:
            raise RowError(self._id, "is of no attempt of this stage")
        if attempt.run_id in self._ended:
            raise RowError(self._id, "is a second row of its attempt")
        return attempt

    def _read(self, name: str, keep: Callable[[Mapping[str, Any]], None]) -> None:
        path = self.folder / name
        try:
            for row in appended(path, self.contract):
                keep(row)
        except OSError as error:
            raise BenchdataError(f"{path}: cannot be read: {error.strerror}") from None
        except RowError as error:
            place = f"{path}:{error.line}" if error.line else path
            raise BenchdataError(
                f"{place}: {error.path}: {error.message}; {stage_file.RESTORE}"
            ) from None


@contextmanager
def opened(
    folder: Path,
    contract: Contract,
    experiment: Experiment,
    *,
    plan: Mapping[str, Any],
    seed: int | None = None,
) -> Iterator[Stage]:
    """Yield the stage in `folder`, made when there is none; nobody else can open it meanwhile.

    Without a seed one is drawn, and later the same one used.

    Raises:
        BenchdataError: Another process holds it, it compares something else, the folder is not one
            of a stage, or its files are damaged or cannot be written.
    """
    there = stage_file.read(folder)
    if there is None and folder.exists() and has_more(folder):
        raise BenchdataError(f"{folder}: holds files and no {stage_file.NAME}; give a new folder")
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = held.enter_context(appending(folder / JOURNAL, wait=False))
        except BlockingIOError:
            raise BenchdataError(
                f"{folder}: another process works on this stage; wait for its end"
            ) from None
        except OSError as error:
            raise BenchdataError(f"{folder}: cannot be used: {error.strerror}") from None
        facts = stage_file.found_or_made(folder, contract.name, experiment, plan, seed)
        stage = Stage(folder, contract, facts, Journal(folder / JOURNAL, file))
        stage.record_lost()
        try:
            yield stage
        finally:
            stage.record_lost()


def has_more(folder: Path, *known: str) -> bool:
    """Tell whether a folder holds more than is `known`; a start that was killed leaves the journal.

    Raises:
        BenchdataError: It is no folder that can be read.
    """
    try:
        names = {one.name for one in folder.iterdir() if not one.name.startswith(".")}
    except OSError as error:
        raise BenchdataError(f"{folder}: cannot be used: {error.strerror}") from None
    return bool(names - {JOURNAL, *known})
