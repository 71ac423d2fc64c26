"""Valid rows of the shipped trial contract, of synthetic values only, and what breaks them."""

from __future__ import annotations

from typing import Any

from tests.support.breaks import Break, broken
from tests.support.trees import GONE, Changes, changed

PASSED: dict[str, Any] = {
    "schema_version": 1,
    "source": "acme-trials",
    "source_commit": "2972a88ca13d",
    "study": "sample-1",
    "task_id": "picture-sorting",
    "domain": "media",
    "difficulty": "easy",
    "arm": "curated",
    "agent": "claude",
    "agent_version": "2.1.4",
    "model": "acme/worker-2.1",
    "repeat": 2,
    "planned_tasks": 32,
    "planned_repeats": 3,
    "trial_id": "8d3f0a6b-2c71-4e95-a0d8-6b1f4c7e9d52",
    "score": 1.0,
    "passed": True,
    "outcome": "completed",
    "usage": [
        {
            "model": "acme/worker-2.1",
            "input_tokens": 1581,
            "output_tokens": 1980,
            "cache_creation_tokens": 0,
            "cache_read_tokens": 68753,
        }
    ],
    "total_cost_usd": 0.14,
    "wall_s": 16.977597,
    "skill_installed": True,
    "skill_listed": True,
    "skill_read": True,
    "started_at": "2026-03-02T08:00:00.000Z",
}

LOOSE: Changes = {
    "trial_id": " 8D3F0A6B-2C71-4E95-A0D8-6B1F4C7E9D52 ",
    "source_commit": "2972A88CA13D",
    "agent_version": "v2.1.4",
    "score": 1,
    "wall_s": 17,
}
"""Values that have another normal form."""

NOT_SCORED: Changes = {"score": None, "passed": None}
LOST: Changes = {**NOT_SCORED, "outcome": "infrastructure", "usage": None, "wall_s": None}
UNKNOWN = (
    *("source_commit", "domain", "difficulty", "agent", "agent_version", "model", "repeat"),
    *("planned_tasks", "planned_repeats", "usage", "total_cost_usd", "wall_s"),
    *("skill_installed", "skill_listed", "skill_read", "started_at"),
)

VARIANTS: tuple[Changes, ...] = (
    *({}, LOOSE, LOST, dict.fromkeys(UNKNOWN)),
    {"outcome": "timeout", "passed": False, "score": 0.25},
    {"outcome": "agent_error", "passed": False, "score": None},
    {"passed": None, "score": 0.5},
    {**NOT_SCORED, "outcome": "unscored"},
    {"task_id": "0f" * 32, "usage": []},
)
"""Changes that leave the row valid."""


def valid_row(changes: Changes | None = None, /, **fields: Any) -> dict[str, Any]:
    """Return a fresh valid row of a trial that passed with `changes` made."""
    return changed(PASSED, {**(changes or {}), **fields})


def numbered_row(number: int, /, **fields: Any) -> dict[str, Any]:
    """Return a valid row whose identity and place in the plan are made of `number`."""
    return valid_row(
        trial_id=f"{number:08x}-0000-4000-8000-{number:012x}",
        task_id=f"task-{number // 3}",
        repeat=number % 3 + 1,
        **fields,
    )


BREAKS: tuple[Break, ...] = (
    broken("refused name", "row.usage[0].Token", {"usage": [{"Token": 1}]}),
    broken("secret or path", "study", {"study": "/" + "home/somebody/study"}),
    broken("version", "schema_version", {"schema_version": 2}, {"schema_version": None}),
    broken("unknown key", "prompt", {"prompt": "x"}),
    broken("missing key", "started_at", {"started_at": GONE}),
    broken("source", "source", {"source": "acme/trials"}, {"source": None}),
    broken("source_commit", "source_commit", {"source_commit": "v1.2"}),
    broken("study", "study", {"study": "Sample 1"}),
    broken("task_id", "task_id", {"task_id": "a" * 65}, {"task_id": "a_b"}),
    broken("domain", "domain", {"domain": ""}),
    broken("difficulty", "difficulty", {"difficulty": 3}),
    broken("arm", "arm", {"arm": "A"}, {"arm": None}),
    broken("agent", "agent", {"agent": "Claude"}),
    broken("agent_version", "agent_version", {"agent_version": 2.1}),
    broken("model", "model", {"model": "latest"}),
    broken("repeat", "repeat", {"repeat": 0}),
    broken("planned_tasks", "planned_tasks", {"planned_tasks": "32"}),
    broken("planned_repeats", "planned_repeats", {"planned_repeats": 3.0}),
    broken("trial_id", "trial_id", {"trial_id": "picture-sorting__1"}, {"trial_id": None}),
    broken("score", "score", {"score": 1.01}, {"score": True}),
    broken("passed", "passed", {"passed": 1}),
    broken("outcome", "outcome", {"outcome": "success"}, {"outcome": None}),
    broken("usage", "usage", {"usage": {}}),
    broken("usage item", "usage[0].model", {"usage": [{}]}),
    broken("total_cost_usd", "total_cost_usd", {"total_cost_usd": -1}),
    broken("wall_s", "wall_s", {"wall_s": "17"}),
    broken("skill_installed", "skill_installed", {"skill_installed": 1}),
    broken("skill_listed", "skill_listed", {"skill_listed": "no"}),
    broken("skill_read", "skill_read", {"skill_read": 0}),
    broken("started_at", "started_at", {"started_at": "2026-03-02"}),
    broken(
        "score of a trial without",
        "score",
        {"outcome": "infrastructure"},
        {"outcome": "unscored", "passed": None},
    ),
    broken("passed of a trial without", "passed", {"outcome": "unscored", "score": None}),
    broken(
        "scored",
        "outcome",
        NOT_SCORED,
        {**NOT_SCORED, "outcome": "timeout"},
    ),
    broken("each model once", "usage", {"usage": [PASSED["usage"][0]] * 2}),
)
