"""Valid judgments of nothing but synthetic values, in normal form, and what breaks them."""

from __future__ import annotations

from typing import Any

from tests.support.breaks import Break, broken
from tests.support.trees import GONE, Changes, changed

POINTWISE: dict[str, Any] = {
    "schema_version": 1,
    "judgment_id": "6c0e9b1d-7f24-4a53-8b96-2d8f4e1a3c70",
    "judged_at": "2026-03-05T10:00:00.000Z",
    "run_id": "3b6f1a52-0c4d-4e8a-9d27-5f1c8a7e6b01",
    "other_run_id": None,
    "check_id": None,
    "stage": "heldout",
    "task_id": "launch-page",
    "task_digest": "07" * 32,
    "kind": "pointwise",
    "attempt": 1,
    "outcome": "judged",
    "judge_model": "acme/judge-3.0-20260201",
    "prompt_version": "1-0a1b2c3d4e5f",
    "render_version": "3.1-a0b1c2d3e4f5",
    "endpoint": "vendor",
    "artefact_digest": "ab" * 32,
    "other_artefact_digest": None,
    "brief_fidelity": 2,
    "hierarchy_readability": 3,
    "usability": 1,
    "craft": 3,
    "critical_failures": [],
    "quality": 2.25,
    "order": None,
    "winner": None,
    "total_cost_usd": 0.013,
    "duration_ms": 8200,
}

LOOSE: Changes = {
    "run_id": "3B6F1A52-0c4d-4e8a-9d27-5f1c8a7e6b01",
    "judged_at": "2026-03-05T10:00:00Z",
    "prompt_version": "v1-0a1b2c3d4e5f ",
    "artefact_digest": "AB" * 32,
    "total_cost_usd": 0,
}
"""Values that have another normal form."""

NO_SCORES: Changes = dict.fromkeys(
    (
        *("brief_fidelity", "hierarchy_readability", "usability", "craft"),
        *("critical_failures", "quality"),
    )
)
PAIRWISE: Changes = {
    **NO_SCORES,
    "kind": "pairwise",
    "other_run_id": "4c7a2b63-1d5e-4f9b-8e38-6a2d9b8f7c12",
    "other_artefact_digest": "cd" * 32,
    "order": "ba",
    "winner": "tie",
}
CRITICAL: Changes = {"critical_failures": ["blank_or_not_loading"], "quality": 0.0}
CHECK: Changes = {"kind": "repeat", "check_id": "5d8b3c74-2e6f-4a0c-9f49-7b3e0c9a8d23"}

VARIANTS: tuple[Changes, ...] = (
    *({}, LOOSE, PAIRWISE, CRITICAL, CHECK),
    {**CHECK, "kind": "blank", **CRITICAL},
    {**CHECK, "kind": "stripped", "craft": 0, "quality": 1.5},
    {**NO_SCORES, "outcome": "malformed", "total_cost_usd": None},
    {**PAIRWISE, "outcome": "refused", "winner": None},
    {**NO_SCORES, **CHECK, "outcome": "timeout"},
)
"""Changes that leave the row valid."""


def valid_row(changes: Changes | None = None, /, **fields: Any) -> dict[str, Any]:
    """Return a fresh valid judgment of one artefact with `changes` made."""
    return changed(POINTWISE, {**(changes or {}), **fields})


def numbered_row(number: int, /, **fields: Any) -> dict[str, Any]:
    """Return a valid judgment whose identity is made of `number`."""
    identity = f"{number:08x}-0000-4000-8000-{number:012x}"
    return valid_row(judgment_id=identity, duration_ms=8000 + number, **fields)


BREAKS: tuple[Break, ...] = (
    broken("refused name", "row.post_text", {"post_text": "x"}),
    broken("secret or path", "task_id", {"task_id": "sk-" + "A1" * 12}),
    broken("version", "schema_version", {"schema_version": 0}),
    broken("unknown key", "arm", {"arm": "none"}),
    broken("missing key", "winner", {"winner": GONE}),
    broken("judgment_id", "judgment_id", {"judgment_id": ""}),
    broken("judged_at", "judged_at", {"judged_at": "2026-02-30T10:00:00.000Z"}),
    broken("run_id", "run_id", {"run_id": None}),
    broken("other_run_id", "other_run_id", {"other_run_id": "b"}),
    broken("check_id", "check_id", {"check_id": 1}),
    broken("stage", "stage", {"stage": None}),
    broken("task_id", "task_id", {"task_id": "Launch"}),
    broken("task_digest", "task_digest", {"task_digest": "7" * 63}),
    broken("kind", "kind", {"kind": "pair"}),
    broken("attempt", "attempt", {"attempt": 0}),
    broken("outcome", "outcome", {"outcome": "completed"}),
    broken("judge_model", "judge_model", {"judge_model": "acme/latest"}),
    broken(
        "prompt_version",
        "prompt_version",
        *({"prompt_version": text} for text in ("1", "1-0a1b2c3d4e5", "-0a1b2c3d4e5f", "1-A" * 13)),
    ),
    broken("render_version", "render_version", {"render_version": "3.1-a0b1c2d3e4fg"}),
    broken("endpoint", "endpoint", {"endpoint": "local"}),
    broken("artefact_digest", "artefact_digest", {"artefact_digest": None}),
    broken("other_artefact_digest", "other_artefact_digest", {"other_artefact_digest": "x"}),
    broken("brief_fidelity", "brief_fidelity", {"brief_fidelity": 4}, {"brief_fidelity": 2.0}),
    broken("hierarchy_readability", "hierarchy_readability", {"hierarchy_readability": -1}),
    broken("usability", "usability", {"usability": True}),
    broken("craft", "craft", {"craft": "3"}),
    broken("critical_failures", "critical_failures", {"critical_failures": {}}),
    broken("critical failure", "critical_failures[1]", {"critical_failures": ["a", "B"]}),
    broken("quality", "quality", {"quality": 3.1}, {"quality": "2.25"}),
    broken("order", "order", {"order": "AB"}),
    broken("winner", "winner", {"winner": "c"}),
    broken("total_cost_usd", "total_cost_usd", {"total_cost_usd": -1}),
    broken("duration_ms", "duration_ms", {"duration_ms": None}),
    broken(
        "check_id of a check",
        "check_id",
        {"kind": "blank"},
        {"kind": "repeat"},
        {"kind": "stripped"},
    ),
    broken(
        "other_run_id of a pair",
        "other_run_id",
        {"other_run_id": PAIRWISE["other_run_id"]},
        {**PAIRWISE, "other_run_id": None},
    ),
    broken(
        "other_artefact_digest of a pair",
        "other_artefact_digest",
        {"other_artefact_digest": "cd" * 32},
        {**PAIRWISE, "other_artefact_digest": None},
    ),
    broken("order of a pair", "order", {"order": "ab"}, {**PAIRWISE, "order": None}),
    *(
        broken(
            f"{name} of a verdict",
            name,
            {**PAIRWISE, name: value},
            {name: None},
            {**NO_SCORES, "outcome": "refused", name: value},
            {**NO_SCORES, **CHECK, "outcome": "error", name: value},
        )
        for name, value in (
            *(("brief_fidelity", 0), ("hierarchy_readability", 1), ("usability", 2), ("craft", 3)),
            *(("critical_failures", []), ("quality", 1.0)),
        )
    ),
    broken(
        "winner of a pair",
        "winner",
        {"winner": "a"},
        {**PAIRWISE, "winner": None},
        {**PAIRWISE, "outcome": "malformed"},
    ),
    broken("critical failure means 0", "quality", {"critical_failures": ["blank-page"]}),
    broken("mean of four", "quality", {"quality": 2.0}, {"craft": 2}, {"quality": 0}),
)
