"""skill-run: one execution of one arm, with a skill or without, on one task."""

from __future__ import annotations

from typing import Literal

from benchdata.contracts.base import Contract
from benchdata.contracts.checks import Check, Rule
from benchdata.contracts.fields import Count, ModelId, Row, Timestamp, Uuid4
from benchdata.contracts.gate import ArmNeeds, Gate, Judged
from benchdata.contracts.grammar import (
    PIPELINE_PROOF,
    Amount,
    Arm,
    Billing,
    Endpoint,
    Positive,
    Sandbox,
    Sha256,
    Share,
    Slug,
    Stage,
    Version,
)
from benchdata.contracts.meaning import Cell, Design, Metric, Outcome, Pin
from benchdata.contracts.usage import COST, TOKENS, ModelUsage

CLOCK_TOLERANCE_MS = 1_000
ROUTER_ARMS = ("base", "find-skills", "edge")
WITHOUT_SKILL = ("none", "base", "edge")
"""The arms that install no skill of their own."""
UNSCORED = ("infrastructure", "grading_error", "interrupted")
"""The outcomes that say nothing of the agent."""
FAILURE_REASONS: dict[str, tuple[str, ...]] = {
    "completed": (),
    "agent_error": ("agent_exit",),
    "timeout": ("agent_timeout",),
    "grading_error": ("verifier_failed",),
    "infrastructure": (
        *("rate_limited", "api_unavailable", "auth"),
        *("setup_failed", "verifier_failed", "harness_error"),
    ),
    "interrupted": (),
}
"""The failure reasons of every outcome; where there are none, the reason is null."""

ExecutionOutcome = Literal[
    "completed", "agent_error", "timeout", "grading_error", "infrastructure", "interrupted"
]
FailureReason = Literal[
    "rate_limited",
    "api_unavailable",
    "auth",
    "setup_failed",
    "verifier_failed",
    "harness_error",
    "agent_exit",
    "agent_timeout",
]


class Timing(Row):
    """Durations in ms."""

    agent: Count
    grading: Count
    total: Count


class SkillRun(Row):
    """Version 1."""

    schema_version: Literal[1]
    run_id: Uuid4
    benchmark_id: Uuid4
    spec_digest: Sha256
    harness_version: Version
    stage: Stage
    started_at: Timestamp
    ended_at: Timestamp
    category: Slug
    arm: Arm
    skill_digest: Sha256 | None
    task_id: Slug
    task_digest: Sha256
    repeat: Positive
    planned_tasks: Positive
    planned_repeats: Positive
    position: Count
    agent: Slug
    agent_version: Version
    model: ModelId
    endpoint: Endpoint
    billing: Billing
    mode: Literal["document", "agent"]
    sandbox: Sandbox
    timeout_ms: Positive
    grader: Literal["exact", "json-fields", "llm-judge", "script", "rubric"]
    grader_model: ModelId | None
    outcome: ExecutionOutcome
    failure_reason: FailureReason | None
    passed: bool | None
    score: Share | None
    fields_correct: Count | None
    fields_total: Count | None
    usage: list[ModelUsage]
    turns: Count | None
    total_cost_usd: Amount | None
    timing_ms: Timing
    skill_installed: bool | None
    skill_listed: bool | None
    skill_read: bool | None
    other_skills: Count | None
    retry_of: Uuid4 | None


def _ends() -> str:
    """Return the expression that holds when the failure reason is one of its outcome."""
    pairs = (
        (outcome, f"failure_reason in {reasons!r}" if reasons else "failure_reason is None")
        for outcome, reasons in FAILURE_REASONS.items()
    )
    return " or ".join(f"(outcome == {outcome!r} and {holds})" for outcome, holds in pairs)


CHECKS: tuple[Check, ...] = (
    Rule("ended_at", "ended_at >= started_at", "must not be before started_at"),
    Rule(
        "timing_ms.total",
        f"abs(ms_between(started_at, ended_at) - timing_ms.total) <= {CLOCK_TOLERANCE_MS}",
        "must agree with ended_at - started_at within 1000 ms",
    ),
    Rule(
        "timing_ms.total",
        f"timing_ms.agent + timing_ms.grading <= timing_ms.total + {CLOCK_TOLERANCE_MS}",
        "must hold agent and grading together, within the clock tolerance of 1000 ms",
    ),
    Rule(
        "arm",
        f"(stage == 'router') == (arm in {ROUTER_ARMS!r})",
        "must be base, find-skills or edge in the router stage, and in no other",
    ),
    Rule(
        "skill_digest",
        f"(skill_digest is None) == (arm in {WITHOUT_SKILL!r})",
        "must be null exactly when the arm is none, base or edge",
    ),
    Rule(
        "grader_model",
        "grader_model is None or grader in ('llm-judge', 'rubric')",
        "must be null unless a model grades",
    ),
    Rule("failure_reason", _ends(), "must be one of its outcome, and null where that has none"),
    *(
        Rule(
            path,
            f"{path} is None or outcome not in {UNSCORED!r}",
            f"must be null when the outcome is {', '.join(UNSCORED)}: nothing was graded",
        )
        for path in ("passed", "score")
    ),
    *(
        Rule(
            path,
            f"{path} is not None or grader == 'rubric' or outcome in {UNSCORED!r}",
            "must be set: the agent was given its task, so what it left is graded",
        )
        for path in ("passed", "score")
    ),
    Rule(
        "fields_correct",
        "fields_correct is None or grader == 'json-fields'",
        "must be null unless the grader is json-fields",
    ),
    Rule(
        "fields_total",
        "(fields_total is None) == (fields_correct is None)",
        "must be set exactly when fields_correct is",
    ),
    Rule(
        "fields_correct",
        "fields_correct is None or fields_correct <= fields_total",
        "must not exceed fields_total",
    ),
    Rule("retry_of", "retry_of is None or retry_of != run_id", "must not be the row itself"),
    Rule("usage", "distinct(usage, 'model') == len(usage)", "must name each model once"),
)

SKILL_RUN = Contract(
    name="skill-run",
    models={1: SkillRun},
    checks=CHECKS,
    identity=("run_id",),
    group=(
        *("category", "stage", "spec_digest", "agent", "agent_version", "model", "endpoint"),
        *("sandbox", "harness_version"),
    ),
    companions={"agent_version": ("spec_digest",), "model": ("spec_digest",)},
    unit="task",
    tasks="sampled",
    metrics=(
        Metric("score", "score", "", "higher", min_effect=0.05, bounds=(0, 1), title="Score"),
        Metric("passed", "passed", "", "higher", min_effect=0.05, bounds=(0, 1), title="Pass rate"),
        Metric(
            *("agent_time", "timing_ms.agent", "ms"),
            failure_ranks="worst",
            min_effect=0.05,
            title="Agent time",
        ),
        Metric(
            *("total_time", "timing_ms.total", "ms"),
            failure_ranks="worst",
            min_effect=0.05,
            title="Total time",
        ),
        TOKENS,
        COST,
        Metric("turns", "turns", "", title="Turns"),
    ),
    primary="score",
    outcome=Outcome(
        success="passed or (passed is None and grader == 'rubric' and outcome == 'completed')",
        partial="score is not None and score > 0",
        unscored=f"outcome in {UNSCORED!r}",
        reason="failure_reason",
    ),
    order="started_at",
    until="ended_at",
    followed="agent_version",
    design=Design(
        compared=("arm", "skill_digest"),
        baselines=("none", ROUTER_ARMS[0]),
        task="task_id",
        repeat="repeat",
        planned_tasks="planned_tasks",
        planned_repeats="planned_repeats",
        batch="benchmark_id",
    ),
    cell=Cell(
        fields=("benchmark_id", "arm", "task_id", "repeat"),
        retry="retry_of",
        retried="outcome == 'infrastructure'",
    ),
    synthetic=PIPELINE_PROOF,
    gate=Gate(
        arms=ArmNeeds(
            tasks=6,
            repeats=2,
            alike=("timeout_ms", "mode", "other_skills"),
            by_task=("task_digest", "grader"),
        ),
        judged=Judged(by="judgment", rows="grader == 'rubric'"),
    ),
    views={"usage": "skill_usage"},
    shown=("category", "stage", "agent", "model"),
    pins=(
        Pin("Spec", "{spec_digest:.12}"),
        Pin("Agent", "{agent} {agent_version}"),
        Pin("Model", "{model}"),
        Pin("Endpoint", "{endpoint}"),
        Pin("Sandbox", "{sandbox}"),
        Pin("Harness", "{harness_version}"),
    ),
)
