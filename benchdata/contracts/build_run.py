"""build-run: one attempt of one build task in one framework lane."""

from __future__ import annotations

from typing import Literal

from benchdata.contracts.base import Contract
from benchdata.contracts.checks import Check, Rule
from benchdata.contracts.fields import Count, ModelId, Row, Timestamp, Uuid4
from benchdata.contracts.gate import Bar, Gate
from benchdata.contracts.grammar import (
    PIPELINE_PROOF,
    Amount,
    Billing,
    Endpoint,
    Positive,
    Sandbox,
    Sha256,
    Share,
    Slug,
    Version,
)
from benchdata.contracts.meaning import Cell, Design, Metric, Outcome, Pin
from benchdata.contracts.usage import COST, TOKENS, ModelUsage

RATE_TOLERANCE = "0.000001"
"""How far a stored rate may be from the division: in passed probes, not in shares."""

StopCause = Literal[
    "green",
    "max_turns",
    "max_wall",
    "agent_ended",
    "completed",
    "infrastructure",
    "error",
    "interrupted",
]


class Probe(Row):
    """What one probe of a suite said; `core` is the suite that others have too, `extra` our own."""

    id: Slug
    set: Literal["core", "extra"]
    verdict: Literal["pass", "fail", "skip"]
    duration_ms: Count


class RubricItem(Row):
    """What the judge said of one item of a rubric: of the task's own, or of the production list."""

    id: Slug
    list: Literal["task", "production"]
    weight: Share
    met: bool


class Extended(Row):
    """Browser checks, which no turn waits for: their own suite, probes and rate."""

    suite_digest: Sha256
    probes: list[Probe]
    pass_rate: Share | None


class Attempt(Row):
    """Who built what, where, under which pins."""

    schema_version: Literal[1]
    run_id: Uuid4
    suite_id: Uuid4
    started_at: Timestamp
    ended_at: Timestamp
    kind: Literal["agent", "conformance", "scripted"]
    task_id: Slug
    lane: Slug
    variant: Literal["plain", "context", "hardening"]
    task_digest: Sha256
    suite_digest: Sha256
    rubric_digest: Sha256 | None
    repeat: Positive
    planned_repeats: Positive
    position: Count
    retry_of: Uuid4 | None
    agent: Slug | None
    agent_version: Version | None
    model: ModelId | None
    endpoint: Endpoint | None
    billing: Billing | None
    framework_version: Version
    runtime_version: Version
    lockfile_digest: Sha256
    sandbox: Sandbox
    harness_version: Version
    seed: Count
    max_turns: Count
    max_wall_s: Amount
    suite_timeout_s: Amount


class BuildRow(Attempt):
    """Version 1: the attempt, what was measured and how it ended."""

    probes: list[Probe]
    test_pass_rate: Share | None
    turns: Count
    best_turn: Positive | None
    turns_to_green: Positive | None
    turn_pass_rates: list[Share]
    boot_ms: list[Count]
    suite_ms: list[Count]
    usage: list[ModelUsage]
    total_cost_usd: Amount | None
    wall_s: Amount
    lines_of_code: int
    rubric: list[RubricItem] | None
    rubric_judge: ModelId | None
    rubric_pass_rate: Share | None
    extended: Extended | None
    stop_cause: StopCause


def _rate(rate: str, probes: str, *, unless: str = "False") -> tuple[Rule, Rule]:
    """Return the rules of a pass rate: pass / (pass + fail), null when there is neither."""
    passed = f"count({probes}, 'verdict', 'pass')"
    decided = f"({passed} + count({probes}, 'verdict', 'fail'))"
    return (
        Rule(
            rate,
            f"{unless} or ({rate} is None) == ({decided} == 0)",
            "must be null exactly when no probe passed or failed",
        ),
        Rule(
            rate,
            f"{unless} or {rate} is None or abs({rate} * {decided} - {passed}) <= {RATE_TOLERANCE}",
            "must be pass / (pass + fail) of the probes",
        ),
    )


CHECKS: tuple[Check, ...] = (
    Rule("ended_at", "ended_at >= started_at", "must not be before started_at"),
    Rule(
        "retry_of", "retry_of is None or retry_of != run_id", "must name another row than its own"
    ),
    *(
        Rule(
            name,
            f"(kind == 'conformance') == ({name} is None)",
            "must be null exactly in conformance rows, which no agent made",
        )
        for name in ("agent", "agent_version", "model", "endpoint", "billing")
    ),
    Rule("probes", "distinct(probes, 'id') == len(probes)", "must name each probe once"),
    *_rate("test_pass_rate", "probes"),
    Rule("turns", "turns <= max_turns", "must not exceed max_turns"),
    Rule("best_turn", "best_turn is None or best_turn <= turns", "must not exceed turns"),
    Rule(
        "turns_to_green",
        "turns_to_green is None or turns_to_green <= turns",
        "must not exceed turns",
    ),
    Rule(
        "turn_pass_rates",
        "len(turn_pass_rates) <= turns",
        "must have at most one entry a turn",
    ),
    Rule("usage", "distinct(usage, 'model') == len(usage)", "must name each model once"),
    Rule(
        "rubric",
        "rubric is None or rubric_digest is not None",
        "must be null when rubric_digest is",
    ),
    Rule(
        "rubric_judge",
        "rubric_judge is None or rubric is not None",
        "must be null when rubric is",
    ),
    Rule(
        "rubric_pass_rate",
        "rubric_pass_rate is None or (rubric is not None"
        " and count(rubric, 'list', 'production') > 0)",
        "must be null when the rubric has no item of the production list",
    ),
    Rule(
        "extended.probes",
        "extended.suite_digest is None or distinct(extended.probes, 'id') == len(extended.probes)",
        "must name each probe once",
    ),
    *_rate("extended.pass_rate", "extended.probes", unless="extended.suite_digest is None"),
    Rule(
        "stop_cause",
        "kind != 'agent' or (stop_cause == 'green') == (turns_to_green is not None)",
        "must be green exactly when turns_to_green is set",
    ),
    Rule(
        "stop_cause",
        "kind == 'conformance' or stop_cause != 'completed'",
        "must not be completed when the kind is not conformance",
    ),
    Rule(
        "stop_cause",
        "kind != 'conformance'"
        " or stop_cause in ('completed', 'infrastructure', 'error', 'interrupted')",
        "must be completed when a conformance row came to its end",
    ),
)

BUILD_RUN = Contract(
    name="build-run",
    models={1: BuildRow},
    checks=CHECKS,
    identity=("run_id",),
    group=(
        *("kind", "task_id", "lane", "variant", "agent", "agent_version", "model", "endpoint"),
        *("framework_version", "runtime_version", "lockfile_digest", "task_digest"),
        *("suite_digest", "rubric_digest", "sandbox"),
        *("max_turns", "max_wall_s", "suite_timeout_s", "harness_version"),
    ),
    companions={
        "lane": ("framework_version", "runtime_version", "lockfile_digest", "task_digest"),
        "framework_version": ("lockfile_digest", "task_digest"),
        "task_id": ("task_digest", "suite_digest", "rubric_digest"),
    },
    metrics=(
        Metric(
            "test_pass_rate",
            "test_pass_rate",
            "",
            "higher",
            null_ranks="worst",
            min_effect=0.05,
            bounds=(0, 1),
        ),
        Metric("turns_to_green", "turns_to_green", "turns", null_ranks="worst"),
        COST,
        Metric("wall", "wall_s", "s", failure_ranks="worst", min_effect=0.05, title="Agent time"),
        TOKENS,
        Metric("rubric_pass_rate", "rubric_pass_rate", "", "higher", bounds=(0, 1)),
        Metric("lines_of_code", "lines_of_code", "lines", "neither"),
    ),
    primary="test_pass_rate",
    outcome=Outcome(
        success="stop_cause == 'green' or (stop_cause == 'completed' and test_pass_rate == 1)",
        partial="stop_cause != 'error' and test_pass_rate is not None and test_pass_rate > 0",
        unscored="stop_cause in ('infrastructure', 'interrupted')",
        reason="stop_cause",
    ),
    order="started_at",
    until="ended_at",
    followed="framework_version",
    design=Design(
        compared=("lane",),
        task="task_id",
        repeat="repeat",
        planned_repeats="planned_repeats",
        batch="suite_id",
    ),
    cell=Cell(
        fields=(
            *("suite_id", "kind", "task_id", "lane", "variant", "agent", "model"),
            *("framework_version", "repeat"),
        ),
        retry="retry_of",
        retried="stop_cause == 'infrastructure'",
    ),
    synthetic=f"{PIPELINE_PROOF} or kind == 'scripted'",
    gate=Gate(
        rows=10,
        only={"kind": "agent"},
        caps=("max_turns", "max_wall_s", "suite_timeout_s"),
        bars=(
            Bar(
                name="self-bench",
                tasks=("t1", "t2"),
                repeats=3,
                metric="test_pass_rate",
                at_least=0.9,
                steady=("turns_to_green", "cost", "wall"),
                only={"kind": "agent"},
                also={"t1-storefront-api": "t1", "t2-saga-queue-cron": "t2"},
            ),
        ),
    ),
    views={
        "turn_pass_rates": "turn_rates",
        "boot_ms": "boots",
        "suite_ms": "suite_runs",
        "usage": "build_usage",
        "rubric": "rubric_items",
        "extended.probes": "browser_probes",
    },
    shown=("task_id", "lane", "variant", "framework_version", "kind"),
    pins=(
        Pin("Agent", "{agent} {agent_version}"),
        Pin("Model", "{model}"),
        Pin("Endpoint", "{endpoint}"),
        Pin("Runtime", "{runtime_version}"),
        Pin("Lockfile", "{lockfile_digest:.12}"),
        Pin("Task", "{task_digest:.12}"),
        Pin("Suite", "{suite_digest:.12}"),
        Pin("Rubric", "{rubric_digest:.12}"),
        Pin("Sandbox", "{sandbox}"),
        Pin("Harness", "{harness_version}"),
        Pin(
            "Turns / wall / suite s",
            "{max_turns} / {max_wall_s:g} / {suite_timeout_s:g}",
            right=True,
        ),
    ),
)
