"""A screen that was made before, and what a held-out stage after it may not be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import BenchdataError, counted
from benchdata.rows.writing import appended
from collectors.harness import stage_file
from collectors.harness.stages import ROWS
from collectors.skill_eval.arms import BASELINE
from collectors.skill_eval.stages.judgments import JUDGMENTS
from collectors.skill_eval.stages.pins import refuse_changes
from collectors.skill_eval.stages.stage import due
from collectors.skill_eval.stages.staged import Staged

SAME = (
    *("protocol", "agent", "model"),
    *("judge", "judge_model", "prompt_version", "render_version"),
)
"""What a held-out stage has as its screen had it. The agent's version may differ: programs update
themselves, and both arms of a stage have one."""


@dataclass(frozen=True, slots=True)
class Screened:
    """A whole screen; `spec` is that of its file."""

    folder: Path
    spec: dict[str, Any]
    is_judged: bool

    @property
    def skill(self) -> str:
        """The digest of the skill that was screened."""
        (digest,) = (arm["skill"] for name, arm in self.spec["arms"].items() if name != BASELINE)
        return str(digest)

    @property
    def _place(self) -> str:
        return f"the screen in {self.folder}"

    def refuse_other(self, fields: Mapping[str, Any]) -> None:
        """Refuse what the screen had otherwise.

        Raises:
            BenchdataError: Naming the first field that differs, both values, and what to do.
        """
        refuse_changes(self._place, self.spec, fields)

    def refuse(self, staged: Staged) -> None:
        """Refuse a held-out stage that would not confirm this screen.

        Raises:
            BenchdataError: Naming what differs from the screen or was seen in it, both values, and
                what to do.
        """
        place, spec = self._place, staged.spec
        (digest,) = (arm.arm.skill.digest for arm in staged.arms if arm.arm.skill)
        refuse_changes(place, {"skill": self.skill}, {"skill": digest})
        self.refuse_other({name: spec[name] for name in SAME})
        seen = {content: task for task, content in self.spec["contents"].items()}
        for task in staged.suite.tasks:
            if task.id in self.spec["tasks"]:
                raise BenchdataError(
                    f"task {task.id}: {place} has a task of this id;"
                    " a held-out stage takes fresh tasks, so give another suite"
                )
            if task.content in seen:
                raise BenchdataError(
                    f"task {task.id}: {place} gave agents the same prompt and input as task"
                    f" {seen[task.content]}; a held-out stage takes fresh tasks, so give another"
                    " suite"
                )

    def notes(self) -> Iterator[str]:
        """Say what a reader of the plan has to know of the screen."""
        judged = "" if self.is_judged else ", which is not judged yet: nobody knows what it showed"
        yield f"Screen: {self.folder}{judged}."


def read(folder: Path) -> Screened:
    """Return the screen in a folder. It must be whole, so that nobody goes on from a lucky part.

    Raises:
        BenchdataError: There is none, or runs of it are still due.
    """
    facts = stage_file.read(folder)
    if facts is None:
        raise BenchdataError(f"{folder}: holds no {stage_file.NAME}; name the --out of a screen")
    if (stage := facts.experiment.spec.get("stage")) != "screen":
        raise BenchdataError(f"{folder}: is a stage {stage}, and no screen; name that of a screen")
    if missing := due(facts, appended(folder / ROWS, SKILL_RUN)):
        raise BenchdataError(
            f"{folder}: {counted(missing, 'run')} of this screen are still due; run the same"
            " `screen` again, so that the held-out stage confirms a whole one"
        )
    return Screened(folder, facts.experiment.spec, (folder / JUDGMENTS).exists())
