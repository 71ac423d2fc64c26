"""Judges the references themselves: no agent, no key, every probe must pass."""

from __future__ import annotations

import asyncio
import tempfile
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchdata.contracts.build_run import BUILD_RUN
from benchdata.errors import ANSWER_IS_NO, BenchdataError
from benchdata.rows import scratch, writing
from collectors.build_bench import lanes, references, starters, tasks
from collectors.build_bench.evaluation import BROWSER_S, SUITE_S, Evaluation, evaluate
from collectors.build_bench.grounds import Host
from collectors.build_bench.lanes import Lane
from collectors.build_bench.rows import Cell, conformance_row
from collectors.build_bench.service import Place
from collectors.build_bench.starters import NotPrepared, Starter
from collectors.build_bench.suites import pages
from collectors.build_bench.suites.probes import Suite
from collectors.build_bench.tasks import Task
from collectors.harness.spans import Beginning

NOT_BOOTABLE = 2
SCRATCH = ".benchdata-build-bench-"
Say = Callable[[str], None]


@dataclass(slots=True)
class Conformance:
    """A batch: which references, how often, and where their rows go."""

    lanes: Sequence[str]
    tasks: Sequence[str]
    repeats: int
    out: Path | None
    say: Say
    suite_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    def run(self) -> int:
        """Judge every reference that was asked for and return the exit code.

        All are judged whatever comes of the first: 0 all probes pass, 2 a reference does not boot,
        3 a probe fails.

        Raises:
            BenchdataError: A lane or task is unknown, a lane that was named cannot be run, or a
                row could not be written.
        """
        chosen = [tasks.task(name) for name in self.tasks] or list(tasks.TASKS.values())
        prepared = self._prepared(chosen)
        codes = {0}
        for cell in _cells(prepared, chosen, self.repeats):
            codes |= self._judge(cell, prepared[cell.lane.id])
        return NOT_BOOTABLE if NOT_BOOTABLE in codes else max(codes)

    def _prepared(self, chosen: Sequence[Task]) -> dict[str, Starter]:
        """Return the starters of the lanes that have a reference and can be run here."""
        prepared = {}
        for lane in [lanes.lane(name) for name in self.lanes] or lanes.lanes().values():
            lacking = [task.id for task in chosen if not references.has(lane.id, task.id)]
            if len(lacking) == len(chosen) or (lacking and self.tasks and lane.id in self.lanes):
                why = lane.why_no_reference or f"for {', '.join(lacking)} none is written yet"
                self._cannot(lane, f"has no reference: {why}")
                continue
            try:
                prepared[lane.id] = starters.prepare(lane)
            except NotPrepared as error:
                self._cannot(lane, f"cannot be run here: {error}")
        if not prepared:
            raise BenchdataError("no lane with a reference can be run here; see the reasons above")
        return prepared

    def _cannot(self, lane: Lane, why: str) -> None:
        """Say why a lane is left out; that is an error for one that was asked for by name."""
        if lane.id in self.lanes:
            raise BenchdataError(f"--lane {lane.id}: {why}")
        self.say(f"skipped: lane {lane.id} {why}")

    def _judge(self, cell: Cell, starter: Starter) -> set[int]:
        """Judge a reference, say what came of it and keep its row, interrupted or not."""
        self.say(
            f"\n{cell.task.id} in lane {cell.lane.id} {starter.framework_version}"
            f" ({cell.lane.runtime} {starter.runtime_version}),"
            f" repeat {cell.repeat} of {cell.planned_repeats}"
        )
        evaluation, checked = None, None
        began = Beginning()
        try:
            evaluation = judged(cell.task, cell.lane, starter)
            self._tell(evaluation, "probes")
            if cell.task.browser is not None and self._can_open_pages():
                checked = _evaluated(cell.task, cell.lane, starter, cell.task.browser, BROWSER_S)
                self._tell(checked, "browser checks")
        finally:
            if self.out is not None:
                span = began.until_now()
                row = conformance_row(
                    cell, starter, evaluation, checked, suite_id=self.suite_id, span=span
                )
                writing.append(self.out, row, BUILD_RUN)
        return {_code(each) for each in (evaluation, checked) if each}

    def _can_open_pages(self) -> bool:
        if lacking := pages.lacking():
            self.say(f"  skipped: the browser checks: {lacking}")
        return lacking is None

    def _tell(self, evaluation: Evaluation, what: str) -> None:
        for line in _lines(evaluation, what):
            self.say(line)


def judged(task: Task, lane: Lane, starter: Starter) -> Evaluation:
    """Judge a lane's reference of a task on a fresh store."""
    return _evaluated(task, lane, starter, task.suite, SUITE_S)


def _evaluated(
    task: Task, lane: Lane, starter: Starter, suite: Suite, seconds: float
) -> Evaluation:
    with scratch.folder(Path(tempfile.gettempdir()), SCRATCH) as root:
        place = Place.within(root)
        references.lay(lane.id, task.id, place.work)
        starter.link(place.work)
        return asyncio.run(evaluate(suite, place, starter.path, Host(), seconds=seconds))


def _cells(prepared: Iterable[str], chosen: Sequence[Task], repeats: int) -> list[Cell]:
    """Return what is to be judged; every repeat has all tasks and lanes before the next begins."""
    wanted = [
        (lanes.lanes()[name], task, repeat)
        for repeat in range(1, repeats + 1)
        for task in chosen
        for name in prepared
        if references.has(name, task.id)
    ]
    return [
        Cell(lane, task, repeat, repeats, position)
        for position, (lane, task, repeat) in enumerate(wanted)
    ]


def _code(evaluation: Evaluation) -> int:
    if evaluation.not_ready is not None:
        return NOT_BOOTABLE
    return 0 if evaluation.passed == len(evaluation.results) else ANSWER_IS_NO


def _lines(evaluation: Evaluation, what: str) -> Iterable[str]:
    """Return a line a probe, and the sum."""
    if evaluation.not_ready is not None:
        yield f"  does not boot: {evaluation.not_ready}"
    for result in evaluation.results:
        line = f"  {result.verdict}  {result.set:<5}  {result.id:<40}{result.duration_ms:>7,} ms"
        yield line if result.reason is None else f"{line}  {result.reason}"
    boots = ", ".join(f"{boot:,}" for boot in evaluation.boot_ms) or "none"
    yield (
        f"  {evaluation.passed} of {len(evaluation.results)} {what} pass"
        f" in {evaluation.suite_ms / 1000:.1f} s; boots in ms: {boots}"
    )
