"""The row of one execution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import benchdata
from benchdata.contracts.fields import instant_text
from benchdata.contracts.skill_run import ExecutionOutcome, FailureReason
from benchdata.contracts.usage import ModelUsage
from collectors.harness.agents.driver import Report
from collectors.harness.attempt import Execution
from collectors.harness.pricing import Prices, PriceUnknown
from collectors.harness.schedule import Attempt, Cell
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.graders.grade import Grade
from collectors.skill_eval.resolved import Resolved
from collectors.skill_eval.tasks import JUDGED, Task


@dataclass(frozen=True, slots=True)
class Clock:
    """When an execution began, and how long its parts took, in ms."""

    began: datetime
    agent_ms: int
    grading_ms: int
    total_ms: int


@dataclass(frozen=True, slots=True)
class Result:
    """How an execution ended; `execution` is None when it did not begin, `grade` when ungraded."""

    outcome: ExecutionOutcome
    reason: FailureReason | None
    execution: Execution | None
    grade: Grade | None


def row_of(
    resolved: Resolved,
    benchmark_id: str,
    spec_digest: str,
    cell: Cell,
    attempt: Attempt,
    result: Result,
    clock: Clock,
) -> dict[str, Any]:
    """Return the row of an execution, of contract skill-run."""
    arm, task = resolved.arm_of[cell.arm], resolved.task_of[cell.task]
    grade, execution = result.grade, result.execution
    usage: Sequence[ModelUsage] = execution.usage if execution else ()
    return {
        "schema_version": 1,
        "run_id": attempt.run_id,
        "benchmark_id": benchmark_id,
        "spec_digest": spec_digest,
        "harness_version": benchdata.__version__,
        "stage": "benchmark",
        "started_at": instant_text(clock.began),
        "ended_at": instant_text(clock.began + timedelta(milliseconds=clock.total_ms)),
        "category": resolved.category,
        "position": cell.position,
        "repeat": cell.repeat,
        "planned_tasks": len(resolved.tasks),
        "planned_repeats": resolved.runs,
        "retry_of": attempt.retry_of,
        **_pins(resolved, arm, task),
        "outcome": result.outcome,
        "failure_reason": result.reason,
        "passed": grade and grade.passed,
        "score": grade and grade.score,
        "fields_correct": grade and grade.fields_correct,
        "fields_total": grade and grade.fields_total,
        "usage": [each.model_dump() for each in usage],
        "turns": execution and execution.turns,
        "total_cost_usd": _cost(resolved.setting.prices, usage),
        "timing_ms": {
            "agent": clock.agent_ms,
            "grading": clock.grading_ms,
            "total": clock.total_ms,
        },
        **_skill_facts(arm, execution.report if execution else None),
    }


def _pins(resolved: Resolved, arm: Arm, task: Task) -> dict[str, Any]:
    setting = resolved.setting
    judged = task.line.grader == JUDGED
    return {
        "arm": arm.name,
        "skill_digest": arm.skill and arm.skill.digest,
        "task_id": task.line.id,
        "task_digest": task.digest,
        "agent": setting.driver.name,
        "agent_version": resolved.agent_version,
        "model": resolved.model,
        "endpoint": setting.payer.endpoint,
        "billing": setting.payer.billing,
        "mode": task.line.mode,
        "sandbox": setting.sandbox.name,
        "timeout_ms": resolved.timeout_ms,
        "grader": task.line.grader,
        "grader_model": resolved.judge_model if judged else None,
    }


def _cost(prices: Prices | None, usage: Sequence[ModelUsage]) -> float | None:
    """Return the list price of what was used; None when that or its price is unknown."""
    if not usage or prices is None:
        return None
    try:
        return prices.cost(usage)
    except PriceUnknown:
        return None


def _skill_facts(arm: Arm, report: Report | None) -> dict[str, Any]:
    """Return whether the skill was there, shown and read, and how many others were shown."""
    listed = report.skills_listed if report else None
    own = () if arm.skill is None else (arm.skill.name,)
    return {
        "skill_installed": bool(own) if report else None,
        "skill_listed": None if listed is None else bool(set(own) & set(listed)),
        "skill_read": report.skill_read if own and report else (False if report else None),
        "other_skills": None if listed is None else len(set(listed) - set(own)),
    }


def instant_now() -> datetime:
    """Return the time to the millisecond, as rows tell it."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
