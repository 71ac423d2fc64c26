"""Valid skill-run rows of nothing but synthetic values, in normal form, and what breaks them."""

from __future__ import annotations

from typing import Any

from tests.support.breaks import Break, broken
from tests.support.trees import GONE, Changes, changed

COMPLETED: dict[str, Any] = {
    "schema_version": 1,
    "run_id": "3b6f1a52-0c4d-4e8a-9d27-5f1c8a7e6b01",
    "benchmark_id": "9a1d4c7e-52b8-4f36-8e0a-1c2b3d4e5f60",
    "spec_digest": "5e" * 32,
    "harness_version": "0.1.0",
    "stage": "benchmark",
    "started_at": "2026-03-02T08:00:00.000Z",
    "ended_at": "2026-03-02T08:01:40.000Z",
    "category": "invoice-extraction",
    "arm": "acme/skills@invoice-reader",
    "skill_digest": "a1" * 32,
    "task_id": "invoice-07",
    "task_digest": "07" * 32,
    "repeat": 2,
    "planned_tasks": 10,
    "planned_repeats": 3,
    "position": 17,
    "agent": "claude",
    "agent_version": "2.1.4",
    "model": "acme/worker-2.1-20260105",
    "endpoint": "vendor",
    "billing": "subscription",
    "mode": "document",
    "sandbox": "bubblewrap",
    "timeout_ms": 600000,
    "grader": "json-fields",
    "grader_model": None,
    "outcome": "completed",
    "failure_reason": None,
    "passed": False,
    "score": 0.75,
    "fields_correct": 6,
    "fields_total": 8,
    "usage": [
        {
            "model": "acme/worker-2.1-20260105",
            "input_tokens": 1200,
            "output_tokens": 340,
            "cache_creation_tokens": 5000,
            "cache_read_tokens": 21000,
        },
        {
            "model": "acme/helper-1.0",
            "input_tokens": 90,
            "output_tokens": 12,
            "cache_creation_tokens": 0,
            "cache_read_tokens": 0,
        },
    ],
    "turns": 6,
    "total_cost_usd": 0.0421,
    "timing_ms": {"agent": 98000, "grading": 900, "total": 100000},
    "skill_installed": True,
    "skill_listed": True,
    "skill_read": True,
    "other_skills": 0,
    "retry_of": None,
}

LOOSE: Changes = {
    "run_id": " 3B6F1A52-0C4D-4E8A-9D27-5F1C8A7E6B01 ",
    "spec_digest": "5E" * 32,
    "started_at": "2026-03-02T08:00:00Z",
    "agent_version": "v2.1.4",
    "arm": "edge:acme/skills@invoice-reader",
    "score": 1,
}
"""Values that have another normal form."""

NOT_GRADED: Changes = {"passed": None, "score": None, "fields_correct": None, "fields_total": None}
INFRASTRUCTURE: Changes = {
    **NOT_GRADED,
    "outcome": "infrastructure",
    "failure_reason": "rate_limited",
    "usage": [],
    "turns": None,
    "total_cost_usd": None,
    "skill_installed": None,
    "skill_listed": None,
    "skill_read": None,
    "other_skills": None,
}
TIMED_OUT: Changes = {"outcome": "timeout", "failure_reason": "agent_timeout"}
BASELINE: Changes = {"arm": "none", "skill_digest": None, "skill_installed": False}
RUBRIC: Changes = {**NOT_GRADED, "grader": "rubric", "stage": "heldout", "mode": "agent"}
ROUTED: Changes = {"stage": "router", "arm": "find-skills"}
JUDGED: Changes = {
    "grader": "llm-judge",
    "grader_model": "acme/judge-3",
    "passed": True,
    "score": 1.0,
    "fields_correct": None,
    "fields_total": None,
}

VARIANTS: tuple[Changes, ...] = (
    *({}, LOOSE, INFRASTRUCTURE, TIMED_OUT, BASELINE, RUBRIC, ROUTED, JUDGED),
    {**RUBRIC, **TIMED_OUT},
    {**NOT_GRADED, "outcome": "interrupted"},
    {**NOT_GRADED, "outcome": "grading_error", "failure_reason": "verifier_failed"},
    {"outcome": "agent_error", "failure_reason": "agent_exit", "score": 0, "fields_correct": 0},
    {"retry_of": "00000000-0000-4000-8000-000000000000", "arm": "local:my-reader"},
    {"usage": [COMPLETED["usage"][0] | {"cache_read_tokens": None}]},
)
"""Changes that leave the row valid."""


def valid_row(changes: Changes | None = None, /, **fields: Any) -> dict[str, Any]:
    """Return a fresh valid row of a completed execution with `changes` made."""
    return changed(COMPLETED, {**(changes or {}), **fields})


def numbered_row(number: int, /, **fields: Any) -> dict[str, Any]:
    """Return a valid row whose identity and place in the plan are made of `number`."""
    return valid_row(
        run_id=f"{number:08x}-0000-4000-8000-{number:012x}",
        position=number,
        task_id=f"task-{number // 3}",
        repeat=number % 3 + 1,
        **fields,
    )


BREAKS: tuple[Break, ...] = (
    broken("refused name", "row.usage[0].Token", {"usage": [{"Token": 1}]}),
    broken("secret or path", "arm", {"arm": "/" + "home/somebody/skill"}),
    broken("version", "schema_version", {"schema_version": 2}, {"schema_version": True}),
    broken("unknown key", "prompt", {"prompt": "x"}),
    broken("missing key", "retry_of", {"retry_of": GONE}),
    broken("run_id", "run_id", {"run_id": "3b6f1a52-0c4d-1e8a-9d27-5f1c8a7e6b01"}),
    broken("benchmark_id", "benchmark_id", {"benchmark_id": None}, {"benchmark_id": "b1"}),
    broken("spec_digest", "spec_digest", {"spec_digest": "5e" * 31}, {"spec_digest": "5g" * 32}),
    broken("harness_version", "harness_version", {"harness_version": "0.1 beta"}),
    broken("stage", "stage", {"stage": "final"}, {"stage": "Benchmark"}),
    broken("started_at", "started_at", {"started_at": "2026-03-02"}),
    broken("ended_at", "ended_at", {"ended_at": 5}),
    broken("category", "category", {"category": "Invoices"}, {"category": "a" * 65}),
    broken(
        "arm",
        "arm",
        *(
            {"arm": arm}
            for arm in ("None", "acme/skills", "local:My Skill", "a/b/c@d", "x:y:a/b@c")
        ),
    ),
    broken("skill_digest", "skill_digest", {"skill_digest": ""}),
    broken("task_id", "task_id", {"task_id": "-a"}, {"task_id": "a_b"}, {"task_id": "a-"}),
    broken("task_digest", "task_digest", {"task_digest": None}),
    broken("repeat", "repeat", {"repeat": 0}, {"repeat": 1.0}),
    broken("planned_tasks", "planned_tasks", {"planned_tasks": None}),
    broken("planned_repeats", "planned_repeats", {"planned_repeats": "3"}),
    broken("position", "position", {"position": -1}),
    broken("agent", "agent", {"agent": "Claude Code"}),
    broken("agent_version", "agent_version", {"agent_version": "2_1"}),
    broken("model", "model", {"model": "acme/worker:latest"}, {"model": "a/b/c/d/e"}),
    broken("endpoint", "endpoint", {"endpoint": "stand-in"}),
    broken("billing", "billing", {"billing": None}),
    broken("mode", "mode", {"mode": "chat"}),
    broken("sandbox", "sandbox", {"sandbox": "none"}),
    broken("timeout_ms", "timeout_ms", {"timeout_ms": 0}),
    broken("grader", "grader", {"grader": "human"}),
    broken("grader_model", "grader_model", {"grader_model": "judge~1"}),
    broken("outcome", "outcome", {"outcome": "success"}),
    broken("failure_reason", "failure_reason", {"failure_reason": "unknown"}),
    broken("passed", "passed", {"passed": 1}),
    broken("score", "score", {"score": 1.01}, {"score": -0.1}, {"score": "1"}),
    broken("fields_correct", "fields_correct", {"fields_correct": 0.5}),
    broken("fields_total", "fields_total", {"fields_total": -1}),
    broken("usage", "usage", {"usage": None}, {"usage": {}}),
    broken("usage item", "usage[0].model", {"usage": [{}]}),
    broken(
        "usage count",
        "usage[0].output_tokens",
        {"usage": [COMPLETED["usage"][0] | {"output_tokens": -1}]},
        {"usage": [COMPLETED["usage"][0] | {"output_tokens": 1.5}]},
    ),
    broken("turns", "turns", {"turns": -1}),
    broken("total_cost_usd", "total_cost_usd", {"total_cost_usd": -0.01}),
    broken("timing unknown", "timing_ms.setup", {"timing_ms.setup": 0}),
    broken("timing value", "timing_ms.grading", {"timing_ms.grading": None}),
    broken("skill_installed", "skill_installed", {"skill_installed": "yes"}),
    broken("skill_listed", "skill_listed", {"skill_listed": 1}),
    broken("skill_read", "skill_read", {"skill_read": 0}),
    broken("other_skills", "other_skills", {"other_skills": -1}),
    broken("retry_of", "retry_of", {"retry_of": "first"}),
    broken("ended before started", "ended_at", {"ended_at": "2026-03-02T07:59:59.999Z"}),
    broken("span is total", "timing_ms.total", {"ended_at": "2026-03-02T08:01:41.001Z"}),
    broken(
        "parts within total",
        "timing_ms.total",
        {"timing_ms.agent": 100101},
        {"timing_ms.grading": 3001},
    ),
    broken(
        "arms of the router",
        "arm",
        {"arm": "edge", "skill_digest": None},
        {"arm": "find-skills"},
        {"stage": "router"},
        {"stage": "router", **BASELINE},
    ),
    broken(
        "digest of the skill",
        "skill_digest",
        {"skill_digest": None},
        {"arm": "none"},
        {"stage": "router", "arm": "base"},
        {**ROUTED, "skill_digest": None},
    ),
    broken("grading model", "grader_model", {"grader_model": "acme/judge-3"}),
    broken(
        "reason of the outcome",
        "failure_reason",
        {"failure_reason": "agent_exit"},
        {"outcome": "timeout"},
        {"outcome": "timeout", "failure_reason": "agent_exit"},
        {"outcome": "agent_error", "failure_reason": "agent_timeout"},
        {"outcome": "interrupted", "failure_reason": "agent_timeout"},
        {"outcome": "infrastructure"},
        {"outcome": "infrastructure", "failure_reason": "agent_exit"},
        {"outcome": "grading_error", "failure_reason": "harness_error"},
    ),
    broken(
        "passed of an outcome without",
        "passed",
        {"outcome": "interrupted"},
        {"outcome": "grading_error", "failure_reason": "verifier_failed", "score": None},
        {**RUBRIC, "outcome": "interrupted", "passed": True},
    ),
    broken("score of an outcome without", "score", {"outcome": "interrupted", "passed": None}),
    broken("passed set", "passed", {"passed": None}, {**NOT_GRADED}, {**TIMED_OUT, "passed": None}),
    broken("score set", "score", {"score": None}),
    broken("fields of another grader", "fields_correct", {"grader": "exact"}),
    broken(
        "both fields",
        "fields_total",
        {"fields_total": None},
        {"fields_correct": None},
        {"grader": "exact", "fields_correct": None},
    ),
    broken("fields within total", "fields_correct", {"fields_correct": 9}),
    broken("retry of another", "retry_of", {"retry_of": COMPLETED["run_id"]}),
    broken("each model once", "usage", {"usage": [COMPLETED["usage"][0]] * 2}),
)
