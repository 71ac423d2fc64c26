"""Executes what a stage still wants: some at once, each row on disk as it comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchdata.errors import BenchdataError, counted
from collectors.harness.progress import Progress, span
from collectors.harness.schedule import Attempt, Cell
from collectors.harness.signals import Stop
from collectors.harness.stages import Due, Stage

HALT = "stop"
POLL_S = 0.2
GIVE_UP_AFTER = 5
"""Runs lost one after another to the infrastructure, after which no more are begun."""

Execute = Callable[[Cell, Attempt, "Halt"], Mapping[str, Any]]
"""Makes one attempt and returns its row, also when `Halt` cuts it short; picklable where the
executor needs that."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Tells executions whether they are to end, in whatever thread or process: by a file."""

    file: Path

    def __call__(self) -> bool:
        """Tell whether an execution is to end now, with its row."""
        return self.file.exists()

    def request(self) -> None:
        """Tell all executions to end; where the disk is full they run to their own end."""
        with suppress(OSError):
            self.file.touch()

    def clear(self) -> None:
        """Let executions go on.

        Raises:
            BenchdataError: Something that is no file has its name.
        """
        try:
            self.file.unlink(missing_ok=True)
        except OSError as error:
            raise BenchdataError(f"{self.file}: is in the way: {error.strerror}") from None


def run(
    stage: Stage,
    execute: Execute,
    *,
    executor: Executor,
    concurrency: int,
    stop: Stop,
    progress: Progress,
) -> None:
    """Execute every cell that is due, at most `concurrency` at once.

    A run that the infrastructure lost is executed once more at the end, and so is one without a
    row that was lost with its worker. After several such runs one after another nothing more is
    begun, so that an outage does not use up the cells. When a stop is requested nothing more is
    begun, and what runs is told to end; its rows are kept, and the cells of those that were cut
    short stay due.

    Raises:
        BenchdataError: A row could not be written or a worker process died. What else was under
            way had ended first, its rows written. What `execute` itself raises is raised likewise.
    """
    _Run(stage, execute, executor, concurrency, stop, progress).to_end()


@dataclass(slots=True)
class _Run:
    """One call of `run`: what waits, what is under way, and why nothing more is begun."""

    stage: Stage
    execute: Execute
    executor: Executor
    concurrency: int
    stop: Stop
    say: Progress
    halt: Halt = field(init=False)
    waiting: deque[Due] = field(init=False)
    running: dict[Future[Mapping[str, Any]], Attempt] = field(init=False, default_factory=dict)
    lost_in_a_row: int = field(init=False, default=0)
    again: set[int] = field(init=False, default_factory=set)
    fault: BaseException | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Take everything that is due."""
        self.halt = Halt(self.stage.folder / HALT)
        self.waiting = deque(self.stage.due())

    def to_end(self) -> None:
        """Run to the end and raise the first fault."""
        self.halt.clear()
        try:
            with self.stop.telling(self.halt.request):
                self._go()
        finally:
            self.halt.clear()
        if isinstance(self.fault, BrokenExecutor):
            raise BenchdataError(
                "a worker process died; the same command executes again what has no row"
            ) from None
        if self.fault:
            raise self.fault

    def _go(self) -> None:
        said = False
        while True:
            while self.waiting and self._may_begin():
                self._begin(self.waiting.popleft())
            if not self.running:
                break
            if self.stop.requested and not said:
                said = True
                number = counted(len(self.running), "attempt")
                self.say(f"stopping: waiting for the {number} under way; once more to end at once")
            finished, _ = wait(self.running, timeout=POLL_S, return_when=FIRST_COMPLETED)
            for future in sorted(finished, key=lambda one: self.running[one].position):
                self._end(self.running.pop(future), future)

    def _may_begin(self) -> bool:
        return (
            len(self.running) < self.concurrency
            and not self.stop.requested
            and self.fault is None
            and self.lost_in_a_row < GIVE_UP_AFTER
        )

    def _begin(self, due: Due) -> None:
        try:
            attempt = self.stage.begin(due)
            self.say.begin(attempt.run_id)
            future = self.executor.submit(self.execute, due.cell, attempt, self.halt)
        except (BenchdataError, RuntimeError) as error:  # a broken or closed executor
            self.fault = error
        else:
            self.running[future] = attempt

    def _end(self, attempt: Attempt, future: Future[Mapping[str, Any]]) -> None:
        took = self.say.end(attempt.run_id)
        try:
            row = self.stage.finish(attempt, future.result(), stopping=self.stop.requested)
        except CancelledError as lost:
            self._lose(attempt, lost)
            return
        except Exception as error:  # noqa: BLE001 -- whatever it is, the others get their rows first
            self.fault = self.fault or error
            known = isinstance(error, BenchdataError)
            self.say(f"no row: the attempt {attempt.run_id}: {error if known else repr(error)}")
            return
        cell = self.stage.facts.order[attempt.position]
        if self.stage.wants_retry(row):
            self.waiting.append(Due(cell, attempt.run_id))
        self._tell(cell, row, took)
        self._count(lost=self.stage.is_lost(row))

    def _lose(self, attempt: Attempt, lost: CancelledError) -> None:
        """Say that an attempt is lost without a row, and let its cell wait once more."""
        once_more = attempt.position not in self.again and not self.stop.requested
        if once_more:
            self.again.add(attempt.position)
            self.waiting.append(Due(self.stage.facts.order[attempt.position], attempt.retry_of))
        then = "will be tried once more" if once_more else "still due"
        self.say(f"no row: the attempt {attempt.run_id}: {lost}; {then}")
        self._count(lost=True)

    def _count(self, *, lost: bool) -> None:
        """Count the runs that were lost one after another, until they are too many."""
        if self.lost_in_a_row == GIVE_UP_AFTER:
            return
        self.lost_in_a_row = self.lost_in_a_row + 1 if lost else 0
        if self.lost_in_a_row == GIVE_UP_AFTER:
            self.say(
                f"{GIVE_UP_AFTER} runs one after another were lost to the infrastructure: no more"
                " are begun; mend that, then run the same command again"
            )

    def _tell(self, cell: Cell, row: Mapping[str, Any], took: float) -> None:
        reason = self.stage.contract.outcome.reason
        scored = "no score" if self.stage.is_unscored(row) else "done"
        came = (row[reason] if reason else None) or scored
        again = "; will be tried once more" if self.stage.wants_retry(row) else ""
        if not self.stage.stands(cell, row):
            came, again = "cut short", "; still due"
        account = self.stage.account()
        self.say(
            f"{account.done:,} of {account.cells:,}: {cell.task}, {cell.arm}, repeat {cell.repeat}:"
            f" {came} in {span(took)}{again}{self._left()}"
        )

    def _left(self) -> str:
        if self.stop.requested:
            return ""
        left = len(self.waiting) + len(self.running)
        seconds = self.say.remaining_s(left, self.concurrency)
        return f"; about {span(seconds)} left" if left and seconds is not None else ""
