"""Executes a cell: a fresh folder, the agent, its grade, a row, and nothing left behind."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchdata.errors import BenchdataError
from collectors.harness import attempt as attempts
from collectors.harness import folders, judging, trees
from collectors.harness.agents.driver import Call, Report
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from collectors.harness.running import Halt
from collectors.harness.schedule import Attempt, Cell
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.graders import grading
from collectors.skill_eval.graders.grade import Grade, GradingFailed
from collectors.skill_eval.resolved import MS, Resolved
from collectors.skill_eval.row import Clock, Result, instant_now, row_of
from collectors.skill_eval.tasks import Task

RUNS = ".runs"
"""Hidden, so that who reads the rows of a benchmark's folder does not walk into it."""
JUDGE = "judge"
OUTPUT = "output.txt"
GRADE = "grade.json"
FAULT = "harness-error.txt"
UNGRADED = ("infrastructure", "interrupted")


@dataclass(frozen=True)
class Engine:
    """Executes cells of one benchmark; what it keeps of each lies in `folder`, for its owner."""

    resolved: Resolved
    benchmark_id: str
    spec_digest: str
    folder: Path

    def __call__(self, cell: Cell, attempt: Attempt, halt: Halt) -> Mapping[str, Any]:
        """Execute a cell and return its row, whatever happens."""
        began, since = instant_now(), time.monotonic()
        kept = self.folder / RUNS / attempt.run_id
        result = self._result(cell, kept, halt)
        total_ms = round((time.monotonic() - since) * MS)
        agent_ms = round(result.execution.agent_s * MS) if result.execution else 0
        clock = Clock(began, agent_ms, max(0, total_ms - agent_ms), total_ms)
        return row_of(
            self.resolved, self.benchmark_id, self.spec_digest, cell, attempt, result, clock
        )

    def _result(self, cell: Cell, kept: Path, halt: Halt) -> Result:
        arm, task = self.resolved.arm_of[cell.arm], self.resolved.task_of[cell.task]
        try:
            folder = folders.create(kept)
            try:
                return self._executed(arm, task, folder, halt)
            finally:
                folder.remove()
        except SetupFailed as failure:
            _keep(kept, FAULT, str(failure))
            return Result("infrastructure", "setup_failed", None, None)
        except Exception:  # noqa: BLE001 -- a row whatever happens; the fault is kept beside it
            _keep(kept, FAULT, traceback.format_exc())
            return Result("infrastructure", "harness_error", None, None)

    def _executed(self, arm: Arm, task: Task, folder: RunFolder, halt: Halt) -> Result:
        _lay_out(task, folder)
        call = Call(
            prompt=task.line.prompt,
            model=self.resolved.model,
            tools="agent" if task.line.mode == "agent" else "skill",
            skill=arm.skill,
        )
        execution = attempts.run(call, self.resolved.setting, folder, halted=halt)
        output = _left(execution.report)
        _keep(folder.root, OUTPUT, output)
        if execution.outcome in UNGRADED:
            return Result(execution.outcome, execution.reason, execution, None)
        if fault := _wrongly_shown(arm, execution.report, self.resolved):
            _keep(folder.root, FAULT, fault)
            return Result("infrastructure", "setup_failed", execution, None)
        try:
            grade = self._grade(task, output, folder, halt)
        except GradingFailed as failure:
            _keep(folder.root, GRADE, json.dumps({"failed": str(failure)}))
            return Result("grading_error", "verifier_failed", execution, None)
        _keep(folder.root, GRADE, json.dumps(asdict(grade)))
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


def _left(report: Report) -> str:
    """Return what is graded: the answer, or of a run that did not end well its last words."""
    return (report.said if report.answer is None else report.answer) or ""


def _wrongly_shown(arm: Arm, report: Report, resolved: Resolved) -> str | None:
    """Say what is wrong when the agent was not shown its arm's skill, or was another arm's."""
    if report.skills_listed is None:
        return None
    own = {arm.skill.name} if arm.skill else set()
    skills = {each.skill.name for each in resolved.arms if each.skill}
    for name in sorted((skills & {*report.skills_listed}) ^ own):
        shown = "was not shown" if name in own else "was shown"
        return f"arm {arm.name}: the agent {shown} the skill {name}"
    return None


def _keep(folder: Path, name: str, text: str) -> None:
    """Keep a text beside a run; a disk that is full loses it and not the row."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", "backslashreplace")
