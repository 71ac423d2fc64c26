"""From what happened in an attempt to its row."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdata.contracts.jev_social import CATEGORIES, JEV_SOCIAL, StopReason
from collectors.jev_social.task import Task

PINS = (
    *("jev_social_version", "jev_social_commit", "jev_model", "socai_version", "socai_commit"),
    *("profile_mode", "region", "condition"),
)
"""The fields that the flags of the same names declare."""

CATEGORY = {reason: category for category, reasons in CATEGORIES.items() for reason in reasons}


@dataclass(frozen=True, slots=True)
class End:
    """How an attempt ended: what its stop reason is made of."""

    status: str
    code: str
    text: str
    records: int
    started: bool


def says(pattern: str) -> Callable[[End], bool]:
    """Return a test of the words of a gate."""
    return lambda end: re.search(pattern, end.text.lower()) is not None


def has(*parts: str) -> Callable[[End], bool]:
    """Return a test of the code: whether it holds one of some words."""
    return lambda end: any(part in end.code for part in parts)


def starts(*parts: str) -> Callable[[End], bool]:
    """Return a test of the code: whether it starts with one of some words."""
    return lambda end: end.code.startswith(parts)


STOP_REASONS: Sequence[tuple[StopReason, Callable[[End], bool]]] = (
    # first, so that a wrong model is not hidden by a run that also reached its limit of steps
    ("decision_failed", starts("MODEL_PIN_")),
    # nor is a fault of the collector an answer of the platform
    ("unknown", starts("COLLECTOR_FAILED")),
    ("goal_satisfied", lambda end: end.status == "completed" and not end.code and end.records > 0),
    ("step_limit", lambda end: end.status == "step_limit"),
    ("interrupted", lambda end: end.status == "interrupted"),
    ("interrupted", has("ABORT", "INTERRUPT")),
    ("decision_failed", lambda end: end.status == "decision_failed"),
    ("decision_failed", has("JEV", "DECISION", "CLASSIFICATION", "ONBOARDING")),
    ("decision_failed", has("UNSUPPORTED_TASK", "LOW_ACTION")),
    ("login_required", says("login|sign.?in")),
    ("challenge_required", says("captcha|challenge")),
    ("rate_limited", says("rate.?limit")),
    ("report_failed", has("REPORT")),
    ("media_unavailable", has("VIDEO_CAPABILITY", "MEDIA")),
    ("browser_unavailable", starts("BROWSER_", "REMOTE_SESSION_")),
    ("capability_unavailable", has("SOCAI_VERSION_", "CAPABILITY", "NOT_FOUND")),
    ("cli_failed", has("TIMEOUT", "SOCAI_FAILED", "SOCAI_OUTPUT_TOO_LARGE")),
    ("cli_failed", has("EMPTY_SOCAI_OUTPUT", "INVALID_SOCAI_OUTPUT", "CLI")),
    ("network_error", has("NETWORK", "FETCH")),
    ("empty_results", lambda end: end.started and end.records == 0),
    ("unknown", lambda _: True),
)
"""The first test that holds gives the stop reason."""


def stop_reason(end: End) -> StopReason:
    """Return why an attempt stopped."""
    return next(reason for reason, holds in STOP_REASONS if holds(end))


def header_of(task: Task, pins: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields that are known before an attempt, in normal form.

    Raises:
        RowError: A pin breaks the contract; the path is its name.
    """
    known = {
        "schema_version": 2,
        **task.model_dump(exclude={"goal"}),
        **{name: pins[name] for name in PINS},
    }
    instant = "1970-01-01T00:00:00.000Z"
    row = JEV_SOCIAL.validate(
        {**known, "run_id": task.task_id, "started_at": instant, "ended_at": instant, **nothing(0)}
    )
    return {name: row[name] for name in known}


def nothing(total: int) -> dict[str, Any]:
    """Return the fields of what happened when no more is known than that `total` ms went by."""
    return {
        **measured(latencies=(), browser=0, media=0, total=total),
        **evidence(0, 0, 0, 0),
        **outcome("unknown", 0),
    }


def measured(*, latencies: Sequence[int], browser: int, media: int, total: int) -> dict[str, Any]:
    """Return the fields of time, in ms."""
    return {
        "jev_step_latency_ms": list(latencies),
        "timing_ms": {
            "jev_total": sum(latencies),
            "socai_browser": browser,
            "media": media,
            "total": total,
        },
    }


def evidence(records: int, comments: int, files: int, size: int) -> dict[str, Any]:
    """Return the field of evidence; `size` is in bytes."""
    return {
        "evidence": {
            "records": records,
            "comments": comments,
            "downloaded_media_count": files,
            "downloaded_media_bytes": size,
        }
    }


def outcome(reason: StopReason, records: int) -> dict[str, Any]:
    """Return the fields that say how it ended."""
    if reason == "goal_satisfied":
        return {"outcome": "success", "stop_reason": reason, "failure_category": None}
    return {
        "outcome": "partial" if records else "failed",
        "stop_reason": reason,
        "failure_category": CATEGORY[reason],
    }
