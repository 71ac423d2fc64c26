"""What every execution of an agent has: a fresh folder, a result whatever happens, what is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.rows.writing import appended
from collectors.harness import folders
from collectors.harness.agents.driver import Report
from collectors.harness.attempt import Execution
from collectors.harness.folders import FAULT, RunFolder, keep
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.row import MS, Clock, Result, instant_now

OUTPUT = "output.txt"
GRADE = "grade.json"
FAILED = ("agent_error", "timeout")
UNGRADED = ("infrastructure", "interrupted")


def executed(kept: Path, execute: Callable[[RunFolder], Result]) -> tuple[Result, Clock]:
    """Execute in a new folder at `kept`, as `folders.used` does, and return how long it took."""
    began, since = instant_now(), time.monotonic()
    result = folders.used(kept, execute, lambda why: Result("infrastructure", why, None, None))
    total_ms = round((time.monotonic() - since) * MS)
    agent_ms = round(result.execution.agent_s * MS) if result.execution else 0
    return result, Clock(began, agent_ms, max(0, total_ms - agent_ms), total_ms)


def left(report: Report) -> str:
    """Return what an agent said: the answer, or of a run that did not end well its last words."""
    return (report.said if report.answer is None else report.answer) or ""


def ungraded(execution: Execution, arm: Arm, arms: Iterable[Arm], kept: Path) -> Result | None:
    """Return the result of a run that says nothing of the agent or of its arm; None: grade it."""
    if execution.outcome in UNGRADED:
        return Result(execution.outcome, execution.reason, execution, None)
    if fault := _wrongly_shown(arm, execution.report, arms):
        keep(kept, FAULT, fault)
        return Result("infrastructure", "setup_failed", execution, None)
    return None


def failed(rows: Path) -> int:
    """Return how many runs ended in a failure of the agent or of its time; all are graded."""
    return sum(row["outcome"] in FAILED for row in appended(rows, SKILL_RUN))


def _wrongly_shown(arm: Arm, report: Report, arms: Iterable[Arm]) -> str | None:
    """Say what is wrong when the agent was not shown its arm's skill, or was another arm's."""
    if report.skills_listed is None:
        return None
    own = {arm.skill.name} if arm.skill else set()
    skills = {each.skill.name for each in arms if each.skill}
    for name in sorted((skills & {*report.skills_listed}) ^ own):
        shown = "was not shown" if name in own else "was shown"
        return f"arm {arm.name}: the agent {shown} the skill {name}"
    return None
