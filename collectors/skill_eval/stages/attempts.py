"""Executes a cell of a stage: the agent in a fresh copy of its task's input, what it left kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.errors import BenchdataError
from collectors.harness import attempt as attempts
from collectors.harness import trees
from collectors.harness.agents.driver import Call
from collectors.harness.batches import RUNS
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder, keep
from collectors.harness.running import Halt
from collectors.harness.schedule import Attempt, Cell
from collectors.skill_eval import execution as executions
from collectors.skill_eval.execution import GRADE, OUTPUT
from collectors.skill_eval.graders.grade import Grade, GradingFailed
from collectors.skill_eval.row import Batch, Result, Subject, row_of
from collectors.skill_eval.stages import artefacts
from collectors.skill_eval.stages.arms import StageArm
from collectors.skill_eval.stages.artefacts import ARTEFACT
from collectors.skill_eval.stages.staged import Staged
from collectors.skill_eval.suite.suite import SuiteTask, checked

GRADER = "rubric"


@dataclass(frozen=True)
class Attempts:
    """Executes cells of one stage; what it keeps of each lies in `folder`, for its owner."""

    staged: Staged
    stage_id: str
    spec_digest: str
    folder: Path

    def __call__(self, cell: Cell, attempt: Attempt, halt: Halt) -> Mapping[str, Any]:
        """Execute a cell and return its row, whatever happens."""
        arm, task = self.staged.arm_of[cell.arm], self.staged.task_of[cell.task]
        result, clock = executions.executed(
            self.folder / RUNS / attempt.run_id,
            lambda folder: self._executed(arm, task, folder, halt),
        )
        return row_of(self.batch, self.subject(cell), cell, attempt, result, clock)

    @property
    def batch(self) -> Batch:
        """What all rows have alike."""
        staged = self.staged
        return Batch(
            benchmark_id=self.stage_id,
            spec_digest=self.spec_digest,
            stage=staged.stage,
            category=staged.suite.name,
            tasks=len(staged.suite.tasks),
            repeats=staged.repeats,
            setting=staged.setting,
            agent_version=staged.agent_version,
            model=staged.model,
        )

    def subject(self, cell: Cell) -> Subject:
        """Return what the row of a cell is about."""
        return Subject(
            arm=self.staged.arm_of[cell.arm].arm,
            task_id=cell.task,
            task_digest=self.staged.task_of[cell.task].digest,
            mode="agent",
            grader=GRADER,
            grader_model=self.staged.pins.judge_model,
        )

    def _executed(self, arm: StageArm, task: SuiteTask, folder: RunFolder, halt: Halt) -> Result:
        self._lay_out(task, folder)
        wanted = Call(
            prompt=task.file.prompt, model=self.staged.model, tools="agent", skill=arm.arm.skill
        )
        with arm.ready(wanted, self.staged.setting, folder) as (call, setting):
            execution = attempts.run(call, setting, folder, halted=halt)
        keep(folder.root, OUTPUT, executions.left(execution.report))
        others = [each.arm for each in self.staged.arms]
        if ended := executions.ungraded(execution, arm.arm, others, folder.root):
            return ended
        artefacts.keep(folder.work, folder.root)
        passed = _passed(task, folder.root)
        return Result(execution.outcome, execution.reason, execution, Grade(passed, None))

    def _lay_out(self, task: SuiteTask, folder: RunFolder) -> None:
        """Give the agent its copy of what it starts from.

        Raises:
            SetupFailed: It cannot be copied, or is no longer what the plan was about.
        """
        try:
            trees.copy(task.input, folder.work)
            same = trees.digest(folder.work) == self.staged.inputs[task.id]
        except (OSError, BenchdataError) as error:
            raise SetupFailed(f"the input cannot be given: {error}") from None
        if not same:
            raise SetupFailed(f"task {task.id}: input: changed after it was read")


def _passed(task: SuiteTask, root: Path) -> bool | None:
    """Return what the task's check says; one that fails says nothing, and loses no artefact."""
    try:
        passed = checked(task, root / ARTEFACT)
    except (GradingFailed, SetupFailed) as failure:
        keep(root, GRADE, json.dumps({"failed": str(failure)}))
        return None
    keep(root, GRADE, json.dumps({"passed": passed}))
    return passed
