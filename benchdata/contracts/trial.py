"""trial: one trial of any agent benchmark, for rows that come from other tools."""

from __future__ import annotations

import hashlib
import uuid
from typing import Literal

from benchdata.contracts.base import Contract
from benchdata.contracts.checks import Check, Rule
from benchdata.contracts.fields import Commit, ModelId, Row, Timestamp, Uuid4
from benchdata.contracts.grammar import Amount, Positive, Share, Slug, Version
from benchdata.contracts.meaning import Design, Metric, Outcome, Pin
from benchdata.contracts.usage import COST, TOKENS, ModelUsage

LOST = "infrastructure"
"""The outcome of a trial that failed by what it ran on, not by its agent."""
CONTROL = "none"
"""The arm without any skill."""
UNSCORED = f"outcome in ('{LOST}', 'unscored')"


class TrialRow(Row):
    """Version 1; a slug may be 64 hex digits, where the source's name of a task fits no slug."""

    schema_version: Literal[1]
    source: Slug
    source_commit: Commit | None
    study: Slug
    task_id: Slug
    domain: Slug | None
    difficulty: Slug | None
    arm: Slug
    agent: Slug | None
    agent_version: Version | None
    model: ModelId | None
    repeat: Positive | None
    planned_tasks: Positive | None
    planned_repeats: Positive | None
    trial_id: Uuid4
    score: Share | None
    passed: bool | None
    outcome: Literal["completed", "agent_error", "timeout", "infrastructure", "unscored"]
    usage: list[ModelUsage] | None
    total_cost_usd: Amount | None
    wall_s: Amount | None
    skill_installed: bool | None
    skill_listed: bool | None
    skill_read: bool | None
    started_at: Timestamp | None


def imported_id(source: str, study: str, name: str) -> str:
    """Return the `trial_id` of a trial that its source calls `name`: always the same UUIDv4.

    It is the first 16 bytes of the SHA-256 of the three, a newline between.
    """
    digest = hashlib.sha256("\n".join((source, study, name)).encode()).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


CHECKS: tuple[Check, ...] = (
    Rule(
        "score",
        f"score is None or not ({UNSCORED})",
        "must be null when the trial is not scored",
    ),
    Rule(
        "passed",
        f"passed is None or not ({UNSCORED})",
        "must be null when the trial is not scored",
    ),
    Rule(
        "outcome",
        f"{UNSCORED} or score is not None or passed is not None",
        f"must be {LOST} or unscored when neither score nor passed is set",
    ),
    Rule(
        "usage",
        "usage is None or distinct(usage, 'model') == len(usage)",
        "must name each model once",
    ),
)

TRIAL = Contract(
    name="trial",
    models={1: TrialRow},
    checks=CHECKS,
    identity=("trial_id",),
    group=("source", "study", "agent", "agent_version", "model"),
    metrics=(
        Metric("passed", "passed", "", "higher", min_effect=0.05, bounds=(0, 1)),
        Metric("score", "score", "", "higher", min_effect=0.05, bounds=(0, 1)),
        COST,
        Metric("wall", "wall_s", "s", failure_ranks="worst", min_effect=0.05, title="Wall time"),
        TOKENS,
    ),
    primary="passed",
    unit="task",
    tasks="sampled",
    outcome=Outcome(
        success="passed or (passed is None and score == 1)",
        partial="score is not None and score > 0",
        unscored=UNSCORED,
        reason="outcome",
    ),
    order="started_at",
    followed="agent_version",
    design=Design(
        compared=("arm",),
        baselines=(CONTROL,),
        task="task_id",
        repeat="repeat",
        planned_tasks="planned_tasks",
        planned_repeats="planned_repeats",
    ),
    synthetic="agent == 'scripted'",
    views={"usage": "trial_usage"},
    shown=("source", "study", "agent", "model"),
    pins=(
        Pin("Agent", "{agent} {agent_version}"),
        Pin("Model", "{model}"),
    ),
)
