"""Valid Jev Social rows, made of nothing but synthetic values, in normal form."""

from __future__ import annotations

from typing import Any

from tests.support.trees import changed

V2_KEYS = (
    *("schema_version", "run_id", "task_id", "started_at", "ended_at", "platform", "outcome"),
    *("jev_model", "socai_version", "socai_commit", "result_limit", "max_steps", "profile_mode"),
    *("region", "condition", "jev_social_version", "jev_social_commit", "jev_step_latency_ms"),
    *("timing_ms", "evidence", "stop_reason", "failure_category"),
)
"""The keys of the protocol's table, in its order."""

V1_KEYS = tuple(key for key in V2_KEYS if not key.startswith("jev_social_"))

STOP_REASONS = {
    "login_required": "access_gate",
    "challenge_required": "access_gate",
    "rate_limited": "access_gate",
    "capability_unavailable": "unavailable",
    "browser_unavailable": "unavailable",
    "media_unavailable": "unavailable",
    "decision_failed": "execution_error",
    "cli_failed": "execution_error",
    "network_error": "execution_error",
    "report_failed": "execution_error",
    "step_limit": "step_limit",
    "empty_results": "empty_results",
    "interrupted": "interrupted",
    "unknown": "unknown",
}
"""Every stop reason but success, with its failure category, as the protocol's section 5 says."""

SUCCESS: dict[str, Any] = {
    "schema_version": 2,
    "run_id": "0b7f0d3e-51c6-4c1a-9f52-3d9e4a6b8c10",
    "task_id": "7c2d9a54-0e1b-4f6d-8a37-b5c4d3e2f1a0",
    "started_at": "2026-03-02T08:00:00.000Z",
    "ended_at": "2026-03-02T08:01:40.000Z",
    "platform": "tiktok",
    "outcome": "success",
    "jev_model": "acme/picker-2.1",
    "socai_version": "0.6.0",
    "socai_commit": "3149e534fbac836e8a8f6909b068afcc85fae6fb",
    "result_limit": 4,
    "max_steps": 12,
    "profile_mode": "existing",
    "region": "synthetic-lab",
    "condition": "cold",
    "jev_social_version": "0.4.0",
    "jev_social_commit": "30f6136c22e1723c14fb230eb976288265213fa0",
    "jev_step_latency_ms": [600, 700, 800, 900],
    "timing_ms": {"jev_total": 3000, "socai_browser": 90000, "media": 40000, "total": 100000},
    "evidence": {
        "records": 4,
        "comments": 3,
        "downloaded_media_count": 2,
        "downloaded_media_bytes": 6845118,
    },
    "stop_reason": "goal_satisfied",
    "failure_category": None,
}

NOTHING = {
    "outcome": "failed",
    "stop_reason": "unknown",
    "failure_category": "unknown",
    "jev_step_latency_ms": [],
    "timing_ms": {"jev_total": 0, "socai_browser": 0, "media": 0, "total": 100000},
    "evidence": {
        "records": 0,
        "comments": 0,
        "downloaded_media_count": 0,
        "downloaded_media_bytes": 0,
    },
}
"""What a row holds that failed before it did anything."""


def valid_row(version: int = 2, /, **changes: Any) -> dict[str, Any]:
    """Return a fresh valid row of a successful attempt; `changes` replace top-level values."""
    row = changed(SUCCESS, {"schema_version": version} | changes)
    return row if version == 2 else {key: row[key] for key in row if key not in V2_ONLY}


V2_ONLY = frozenset(V2_KEYS) - frozenset(V1_KEYS)


def failed_row(version: int = 2, /, **changes: Any) -> dict[str, Any]:
    """Return a fresh valid row of an attempt that failed before it did anything."""
    return valid_row(version, **(NOTHING | changes))


def numbered_row(number: int, version: int = 2, /, **changes: Any) -> dict[str, Any]:
    """Return a valid row whose identity is made of `number`."""
    return valid_row(version, run_id=f"{number:08x}-0000-4000-8000-{number:012x}", **changes)
