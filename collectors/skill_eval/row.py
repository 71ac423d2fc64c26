"""The row of one execution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import benchdata
from benchdata.contracts.fields import instant_text
from benchdata.contracts.grammar import Stage
from benchdata.contracts.skill_run import ExecutionOutcome, FailureReason
from benchdata.contracts.usage import ModelUsage
from benchdata.stats.pricing import known_cost
from collectors.harness.agents.driver import Report
from collectors.harness.attempt import Execution, Setting
from collectors.harness.schedule import Attempt, Cell
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.graders.grade import Grade

MS = 1_000


@dataclass(frozen=True, slots=True)
class Batch:
    """What the rows of one invocation have alike; `tasks` and `repeats` are planned."""

    benchmark_id: str
    spec_digest: str
    stage: Stage
    category: str
    tasks: int
    repeats: int
    setting: Setting
    agent_version: str
    model: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What one row is about: which arm on which task, and how that is graded."""

    arm: Arm
    task_id: str
    task_digest: str
    mode: str
    grader: str
    grader_model: str | None


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
    batch: Batch, subject: Subject, cell: Cell, attempt: Attempt, result: Result, clock: Clock
) -> dict[str, Any]:
    """Return the row of an execution, of contract skill-run."""
    grade, execution = result.grade, result.execution
    usage: Sequence[ModelUsage] = execution.usage if execution else ()
    return {
        "schema_version": 1,
        "run_id": attempt.run_id,
        "started_at": instant_text(clock.began),
        "ended_at": instant_text(clock.began + timedelta(milliseconds=clock.total_ms)),
        "position": cell.position,
        "repeat": cell.repeat,
        "retry_of": attempt.retry_of,
        **_pins(batch, subject),
        "outcome": result.outcome,
        "failure_reason": result.reason,
        "passed": grade and grade.passed,
        "score": grade and grade.score,
        "fields_correct": grade and grade.fields_correct,
        "fields_total": grade and grade.fields_total,
        "usage": [each.model_dump() for each in usage],
        "turns": execution and execution.turns,
        "total_cost_usd": known_cost(batch.setting.prices, usage),
        "timing_ms": {
            "agent": clock.agent_ms,
            "grading": clock.grading_ms,
            "total": clock.total_ms,
        },
        **_skill_facts(subject.arm, execution.report if execution else None),
    }


def _pins(batch: Batch, subject: Subject) -> dict[str, Any]:
    setting, arm = batch.setting, subject.arm
    return {
        "benchmark_id": batch.benchmark_id,
        "spec_digest": batch.spec_digest,
        "harness_version": benchdata.__version__,
        "stage": batch.stage,
        "category": batch.category,
        "planned_tasks": batch.tasks,
        "planned_repeats": batch.repeats,
        "arm": arm.name,
        "skill_digest": arm.skill and arm.skill.digest,
        "task_id": subject.task_id,
        "task_digest": subject.task_digest,
        **setting.pins(batch.agent_version, batch.model),
        "billing": setting.payer.billing,
        "mode": subject.mode,
        "timeout_ms": round(setting.timeout_s * MS),
        "grader": subject.grader,
        "grader_model": subject.grader_model,
    }


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
