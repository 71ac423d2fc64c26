"""Executes a cell: a fresh folder, the agent, its grade, a row, and nothing left behind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchdata.errors import BenchdataError
from collectors.harness import attempt as attempts
from collectors.harness import judging, trees
from collectors.harness.agents.driver import Call
from collectors.harness.batches import JUDGE, RUNS
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder, keep
from collectors.harness.running import Halt
from collectors.harness.schedule import Attempt, Cell
from collectors.skill_eval import execution as executions
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.execution import GRADE, OUTPUT
from collectors.skill_eval.graders import grading
from collectors.skill_eval.graders.grade import Grade, GradingFailed
from collectors.skill_eval.resolved import Resolved
from collectors.skill_eval.row import Batch, Result, Subject, row_of
from collectors.skill_eval.tasks import JUDGED, Task


@dataclass(frozen=True)
class Engine:
    """Executes cells of one benchmark; what it keeps of each lies in `folder`, for its owner."""

    resolved: Resolved
    benchmark_id: str
    spec_digest: str
    folder: Path

    def __call__(self, cell: Cell, attempt: Attempt, halt: Halt) -> Mapping[str, Any]:
        """Execute a cell and return its row, whatever happens."""
        arm, task = self.resolved.arm_of[cell.arm], self.resolved.task_of[cell.task]
        result, clock = executions.executed(
            self.folder / RUNS / attempt.run_id,
            lambda folder: self._executed(arm, task, folder, halt),
        )
        return row_of(self.batch, self.subject(cell), cell, attempt, result, clock)

    @property
    def batch(self) -> Batch:
        """What all rows have alike."""
        resolved = self.resolved
        return Batch(
            benchmark_id=self.benchmark_id,
            spec_digest=self.spec_digest,
            stage="benchmark",
            category=resolved.category,
            tasks=len(resolved.tasks),
            repeats=resolved.runs,
            setting=resolved.setting,
            agent_version=resolved.agent_version,
            model=resolved.model,
        )

    def subject(self, cell: Cell) -> Subject:
        """Return what the row of a cell is about."""
        task = self.resolved.task_of[cell.task]
        return Subject(
            arm=self.resolved.arm_of[cell.arm],
            task_id=task.line.id,
            task_digest=task.digest,
            mode=task.line.mode,
            grader=task.line.grader,
            grader_model=self.resolved.judge_model if task.line.grader == JUDGED else None,
        )

    def _executed(self, arm: Arm, task: Task, folder: RunFolder, halt: Halt) -> Result:
        _lay_out(task, folder)
        call = Call(
            prompt=task.line.prompt,
            model=self.resolved.model,
            tools="agent" if task.line.mode == "agent" else "skill",
            skill=arm.skill,
        )
        execution = attempts.run(call, self.resolved.setting, folder, halted=halt)
        output = executions.left(execution.report)
        keep(folder.root, OUTPUT, output)
        if ended := executions.ungraded(execution, arm, self.resolved.arms, folder.root):
            return ended
        try:
            grade = self._grade(task, output, folder, halt)
        except GradingFailed as failure:
            keep(folder.root, GRADE, json.dumps({"failed": str(failure)}))
            return Result("grading_error", "verifier_failed", execution, None)
        keep(folder.root, GRADE, json.dumps(asdict(grade)))
        return Result(execution.outcome, execution.reason, execution, grade)

    def _grade(self, task: Task, output: str, folder: RunFolder, halt: Halt) -> Grade:
        """Grade an answer; a model that grades runs as a run of its own beside this one."""
        ask = judging.through(self.resolved.setting, folder.root / JUDGE, halt)
        return grading.grade(task, output, judge_model=self.resolved.judge_model, ask=ask)


def _lay_out(task: Task, folder: RunFolder) -> None:
    """Give the agent its copy of what it works on.

    Raises:
        SetupFailed: It cannot be copied, or is no longer what the plan was about.
    """
    if task.workspace is None:
        return
    try:
        trees.copy(task.workspace, folder.work)
        task.check("workspace", folder.work)
    except (OSError, BenchdataError) as error:
        raise SetupFailed(f"the workspace cannot be given: {error}") from None
