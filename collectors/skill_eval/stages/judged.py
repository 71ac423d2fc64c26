"""The stages that are to be judged: their runs, what they left, and which verdicts are wanted."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchdata.contracts.grammar import Stage
from benchdata.contracts.rules import Expression
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import BenchdataError
from benchdata.rows.writing import appended
from collectors.harness import stage_file, trees
from collectors.harness.batches import RUNS
from collectors.harness.stages import ROWS
from collectors.skill_eval.stages.artefacts import ARTEFACT
from collectors.skill_eval.stages.judgments import Artefact, Wanted
from collectors.skill_eval.stages.pins import REMEDIES, Pins, refuse_changes
from collectors.skill_eval.stages.stage import due
from collectors.skill_eval.suite.suite import Suite

UNSCORED = Expression(SKILL_RUN.outcome.unscored)


@dataclass(frozen=True, slots=True)
class Judged:
    """A stage whose runs are judged; `spec` and `seed` are those of its file.

    `due` is how many of its runs are still to come.
    """

    folder: Path
    spec: Mapping[str, Any]
    seed: int
    arms: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    due: int

    @property
    def stage(self) -> Stage:
        """Which stage it is."""
        found: Stage = self.spec["stage"]
        return found

    def refuse(self, suite: Suite, pins: Pins) -> None:
        """Refuse another suite or instrument than the stage was planned with.

        Raises:
            BenchdataError: Naming the field, both values, and what to do.
        """
        for task in suite.tasks:
            if self.spec["tasks"].get(task.id, task.digest) != task.digest:
                raise BenchdataError(
                    f"suite: task {task.id}: is not as {self.folder} ran it: {REMEDIES['suite']}"
                )
        refuse_changes(str(self.folder), self.spec, {"suite": suite.digest, **asdict(pins)})

    def wanted(self, suite: Suite, *, pairwise: bool) -> list[Wanted]:
        """Return a verdict on every artefact and, where asked for, on every pair in both orders.

        They come in an order that is drawn from the stage's seed, so that no arm comes first.

        Raises:
            BenchdataError: What a run left is not there, or cannot be read.
        """
        tasks = {task.id: task for task in suite.tasks}
        left: dict[str, Artefact] = {}
        for row in self.rows:
            folder = self.folder / RUNS / row["run_id"] / ARTEFACT
            try:
                digest = trees.digest(folder)
            except BenchdataError as error:
                raise BenchdataError(f"{folder}: what the run left is lost: {error}") from None
            left[row["run_id"]] = Artefact(row["run_id"], tasks[row["task_id"]], folder, digest)
        found = [Wanted("pointwise", self.stage, artefact) for artefact in left.values()]
        if pairwise:
            found += [
                Wanted("pairwise", self.stage, left[one], left[two], order)
                for one, two in self._pairs()
                for order in ("ab", "ba")
            ]
        draw = random.Random(self.seed).random
        return sorted(sorted(found, key=lambda each: str(each.key)), key=lambda _: draw())

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the runs of each pair: that of the first arm, and that of another with it."""
        cells: dict[tuple[str, int], dict[str, str]] = defaultdict(dict)
        for row in self.rows:
            cells[row["task_id"], row["repeat"]][row["arm"]] = row["run_id"]
        first, *others = self.arms
        for _, by_arm in sorted(cells.items()):
            yield from (
                (by_arm[first], by_arm[arm]) for arm in others if first in by_arm and arm in by_arm
            )


def read(folder: Path) -> Judged:
    """Return the stage in a folder, with the rows of the runs that left something to be judged.

    Raises:
        BenchdataError: There is none of open tasks, or its rows cannot be read.
    """
    facts = stage_file.read(folder)
    if facts is None or "prompt_version" not in facts.experiment.spec:
        raise BenchdataError(
            f"{folder}: holds no stage to be judged; name the --out of a screen, heldout or router"
        )
    rows = [*appended(folder / ROWS, SKILL_RUN)]
    return Judged(
        folder,
        facts.experiment.spec,
        facts.seed,
        facts.experiment.arms,
        tuple(row for row in rows if not UNSCORED.of(row)),
        due(facts, rows),
    )
