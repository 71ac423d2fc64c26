"""The turns of one attempt: what each left behind is copied, judged and kept, best first."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from collectors.build_bench import changes, snapshots
from collectors.build_bench.confined import Confined
from collectors.build_bench.evaluation import SUITE_S, Evaluation, evaluate
from collectors.build_bench.service import Place
from collectors.build_bench.snapshots import Snapshot, Uncopied
from collectors.build_bench.starters import Starter
from collectors.build_bench.suites import running
from collectors.build_bench.suites.probes import Suite
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.relay import Decision
from collectors.harness.sandbox.provider import SandboxProvider

T = TypeVar("T")

LOOK_S = 0.1
SEED, EVALUATION, END = "seed", "evaluation", "end"
SUITE, DIFF = "suite.json", "turn.diff"


class Cut(Exception):
    """An evaluation was ended because the attempt is to end."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges copies of work folders, each in a sandbox of its own; nothing is written back."""

    suite: Suite
    starter: Starter
    sandbox: SandboxProvider
    halted: Callable[[], bool]
    seconds: float = SUITE_S

    def __call__(self, snapshot: Snapshot, root: Path) -> Evaluation:
        """Judge a snapshot in a new folder, which is removed afterwards.

        Raises:
            Cut: The attempt is to end.
        """
        try:
            place = self.place(snapshot, root)
            ground, path = self.ground(place), self.starter.path
            work = evaluate(self.suite, place, path, ground, seconds=self.seconds)
            return asyncio.run(self.unless_halted(work))
        finally:
            snapshots.discard(root)

    def place(self, snapshot: Snapshot, root: Path) -> Place:
        """Return the folders of a service that is a copy of a snapshot."""
        place = Place.within(root)
        snapshot.lay(place.work)
        self.starter.link(place.work)
        return place

    def ground(self, place: Place) -> Confined:
        """Return where the service of a place runs."""
        return Confined(self.sandbox, place, self.starter.readable)

    async def unless_halted(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what some work comes to, which is ended when the attempt is.

        Raises:
            Cut: The attempt is to end.
        """
        task = asyncio.create_task(work)
        while not (await asyncio.wait([task], timeout=LOOK_S))[0]:
            if self.halted():
                task.cancel()
                await asyncio.wait([task])
                raise Cut
        return task.result()


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn left: `fresh` when it was judged itself, and not like the one before."""

    number: int
    snapshot: Snapshot | None
    evaluation: Evaluation
    fresh: bool

    @property
    def pass_rate(self) -> float:
        """The share of probes that passed."""
        return self.evaluation.passed / len(self.evaluation.results)

    @property
    def green(self) -> bool:
        """Whether every probe passed."""
        return self.evaluation.passed == len(self.evaluation.results)


@dataclass(slots=True)
class Turns:
    """Takes the end of every turn; `kept` is the folder of what stays of them."""

    work: Path
    kept: Path
    scratch: Path
    judge: Judge
    seed: Snapshot
    done: list[Turn] = field(default_factory=list)
    left: Turn | None = None
    cut: bool = False

    @classmethod
    def of(cls, work: Path, root: Path, judge: Judge) -> Turns:
        """Return the turns of an agent that is to start from what `work` holds now."""
        scratch = RunFolder(root).scratch
        seed = snapshots.take(work, scratch / SEED)
        return cls(work, root / "turns", scratch, judge, seed)

    def over(self, number: int) -> Decision:
        """Judge what turn `number` left; no further turn is wanted when that is green."""
        try:
            turn = self._judged(number, f"{number:04}")
        except Cut:
            self.cut = True
            return "stop"
        self.done.append(turn)
        self._prune()
        return "stop" if turn.green else "go"

    def end(self, turns: int) -> None:
        """Judge what was left in the end: by a turn that nobody asked to go on after, or besides.

        What was left besides, by a message that was broken off or a program that still ran, counts
        for the last turn when it is better, and for none when there is no turn.
        """
        if turns > len(self.done):
            self.over(turns)
            return
        try:
            left = self._judged(turns, END)
        except Cut:
            self.cut = True
            return
        if not self.done:
            self.left = left
        elif left.pass_rate > self.done[-1].pass_rate:
            self.done[-1] = left

    @property
    def best(self) -> Turn | None:
        """The first of those turns that passed most; without any, what was left."""
        return max(self.done, key=lambda turn: turn.pass_rate, default=self.left)

    @property
    def green(self) -> Turn | None:
        """The first turn that passed everything."""
        return next((turn for turn in self.done if turn.green), None)

    def _judged(self, number: int, name: str) -> Turn:
        """Judge the work folder as it is now, unless it is as the last turn left it.

        Raises:
            Cut: The attempt is to end.
        """
        before = self.done[-1] if self.done else None
        earlier = before.snapshot if before else self.seed
        try:
            snapshot = snapshots.take(self.work, self.scratch / name)
        except Uncopied as fault:
            failed = running.all_failed(self.judge.suite, str(fault))
            turn = Turn(number, None, Evaluation(failed, (), 0, str(fault)), fresh=True)
        else:
            if before and earlier and earlier.digest == snapshot.digest:
                turn = Turn(number, earlier, before.evaluation, fresh=False)
            else:
                evaluation = self.judge(snapshot, self.scratch / EVALUATION)
                turn = Turn(number, snapshot, evaluation, fresh=True)
        known = earlier and turn.snapshot and changes.diff(earlier, turn.snapshot)
        self._keep(name, turn, known or "")
        return turn

    def _prune(self) -> None:
        """Remove the copies that nothing is compared with any more."""
        wanted = {self.seed, *(turn.snapshot for turn in (self.done[-1], self.best) if turn)}
        kept = {snapshot.folder for snapshot in wanted if snapshot}
        for folder in self.scratch.iterdir():
            if folder not in kept:
                snapshots.discard(folder)

    def _keep(self, name: str, turn: Turn, diff: str) -> None:
        """Write down what a turn came to, with the reasons of the probes."""
        folder = self.kept / name
        folder.mkdir(parents=True)
        told = {"turn": turn.number, "fresh": turn.fresh, **asdict(turn.evaluation)}
        (folder / SUITE).write_text(json.dumps(told, indent=2) + "\n", "utf-8")
        (folder / DIFF).write_text(diff, "utf-8", "backslashreplace")
