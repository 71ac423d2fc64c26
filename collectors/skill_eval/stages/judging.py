"""Asks the judge for the verdicts that are wanted: some at once, each row on disk as it comes."""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from benchdata.contracts.fields import instant_text
from collectors.harness.judging import Unjudged, Verdict
from collectors.harness.progress import Progress, span
from collectors.harness.running import GIVE_UP_AFTER, POLL_S
from collectors.harness.signals import Stop
from collectors.skill_eval.judge import judge as judges
from collectors.skill_eval.judge.judge import Judge, Marks, Preference
from collectors.skill_eval.renderers.rendering import RenderFailed
from collectors.skill_eval.row import MS
from collectors.skill_eval.stages.judgments import UNTRIED, Judgments, Wanted
from collectors.skill_eval.stages.renders import Renders

NOTHING = dict.fromkeys(judges.SAID)
"""What is said of an artefact that cannot be shown."""


@dataclass(frozen=True, slots=True)
class Said:
    """The row of a verdict, and why there is none in words that no row holds."""

    row: Mapping[str, Any]
    words: str = ""


@dataclass(frozen=True)
class Judging:
    """One judge over the artefacts of one folder."""

    judge: Judge
    renders: Renders
    kept: Judgments

    def run(
        self, due: Sequence[Wanted], *, concurrency: int, stop: Stop, progress: Progress
    ) -> None:
        """Get every verdict that is due, at most `concurrency` at once, in the given order.

        When a stop is requested no more are asked for; what the stop cut short leaves no row. After
        several calls one after another that could not be made, no more are begun.

        Raises:
            BenchdataError: A row could not be written, or nothing can be rendered here. The
                verdicts under way had their rows first.
        """
        with ThreadPoolExecutor(concurrency) as pool:
            _Run(self, deque(due), pool, concurrency, stop, progress).to_end()

    def said(self, wanted: Wanted) -> Said:
        """Show the judge what is to be judged, and return what it says as a row."""
        began = time.monotonic()
        try:
            found = self._asked(wanted)
        except RenderFailed as failure:
            took = round((time.monotonic() - began) * MS)
            fields = {**NOTHING, "outcome": "render_failed", "total_cost_usd": 0.0}
            return Said(self._row(wanted, fields | {"duration_ms": took}), str(failure))
        words = found.words if isinstance(found, Unjudged) else ""
        return Said(self._row(wanted, judges.fields(found)), words)

    def _asked(self, wanted: Wanted) -> Verdict[Marks] | Verdict[Preference] | Unjudged:
        brief, one = wanted.one.task.file, self.renders.of(wanted.one).images
        if wanted.other is None or wanted.order is None:
            return judges.pointwise(self.judge, brief, one)
        other = self.renders.of(wanted.other).images
        return judges.pairwise(self.judge, brief, one, other, wanted.order)

    def _row(self, wanted: Wanted, fields: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **wanted.of_row,
            **self.kept.pins.of_row,
            **fields,
            "endpoint": self.judge.endpoint,
            "judgment_id": str(uuid.uuid4()),
            "judged_at": instant_text(datetime.now(UTC)),
        }


@dataclass
class _Run:
    """One call of `run`: what waits, what is under way, and why nothing more is begun."""

    judging: Judging
    waiting: deque[Wanted]
    pool: ThreadPoolExecutor
    concurrency: int
    stop: Stop
    say: Progress
    running: dict[Future[Said], Wanted] = field(default_factory=dict)
    failed_in_a_row: int = 0
    fault: BaseException | None = None

    def to_end(self) -> None:
        """Run to the end and raise the first fault."""
        while True:
            while self.waiting and self._may_begin():
                self._begin(self.waiting.popleft())
            if not self.running:
                break
            finished, _ = wait(self.running, timeout=POLL_S, return_when=FIRST_COMPLETED)
            for future in finished:
                self._end(self.running.pop(future), future)
        if self.fault:
            raise self.fault

    def _may_begin(self) -> bool:
        return (
            len(self.running) < self.concurrency
            and not self.stop.requested
            and self.fault is None
            and self.failed_in_a_row < GIVE_UP_AFTER
        )

    def _begin(self, wanted: Wanted) -> None:
        self.say.begin(str(wanted.key))
        self.running[self.pool.submit(self.judging.said, wanted)] = wanted

    def _end(self, wanted: Wanted, future: Future[Said]) -> None:
        took = self.say.end(str(wanted.key))
        try:
            said = future.result()
            failed = said.row["outcome"] in UNTRIED
            if failed and self.stop.requested:
                return
            self.judging.kept.add(said.row)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the others get their rows first
            self.fault = self.fault or error
            return
        self._tell(wanted, said, took)
        self.failed_in_a_row = self.failed_in_a_row + 1 if failed else 0
        if self.failed_in_a_row == GIVE_UP_AFTER:
            self.say(
                f"{GIVE_UP_AFTER} calls one after another could not be made: no more are begun;"
                " mend that, then run the same command again"
            )

    def _tell(self, wanted: Wanted, said: Said, took: float) -> None:
        """Say that there is a verdict, and of which task; the verdict itself is not told yet."""
        left = len(self.waiting) + len(self.running)
        words = f": {said.words}" if said.words else ""
        seconds = self.say.remaining_s(left, self.concurrency)
        more = f"; about {span(seconds)} left" if left and seconds is not None else ""
        outcome = said.row["outcome"]
        self.say(
            f"{wanted.one.task.id}, {wanted.kind}: {outcome} in {span(took)}{words};"
            f" {left:,} to go{more}"
        )
