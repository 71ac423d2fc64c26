"""One way or more to break each check of the Jev Social protocol, in the protocol's order."""

from __future__ import annotations

from typing import NamedTuple

from tests.support.trees import GONE, Changes

SOMEBODYS_FILE = "/" + "home/somebody/rows"


class Break(NamedTuple):
    """Changes to `valid_row()`, each of which breaks one check first, with `path` reported."""

    name: str
    path: str
    ways: tuple[Changes, ...]


def _break(name: str, path: str, *ways: Changes) -> Break:
    return Break(name, path, ways)


NOT_SUCCESS = {"outcome": "failed", "failure_category": "unknown", "stop_reason": "unknown"}

BREAKS: tuple[Break, ...] = (
    _break("refused name", "row.timing_ms.Token", {"timing_ms.Token": 1}),
    _break("secret or path", "task_id", {"task_id": SOMEBODYS_FILE}),
    _break("version", "schema_version", {"schema_version": 3}, {"schema_version": "2"}),
    _break("unknown key", "extra", {"extra": 1}),
    _break("missing key", "condition", {"condition": GONE}),
    _break("started_at", "started_at", {"started_at": "2026-03-02 08:00:00"}),
    _break("ended_at", "ended_at", {"ended_at": 5}, {"ended_at": "2026-02-30T08:01:40.000Z"}),
    _break(
        "ended before started",
        "ended_at",
        {"started_at": "2026-03-03T08:00:00.000Z"},
        {"ended_at": "2026-03-02T07:59:59.999Z"},
    ),
    _break("latency no array", "jev_step_latency_ms", {"jev_step_latency_ms": {}}),
    _break("max_steps", "max_steps", {"max_steps": 31}, {"max_steps": 0}),
    _break("latency entry", "jev_step_latency_ms[1]", {"jev_step_latency_ms": [600, -1, "7", 900]}),
    _break(
        "latency length",
        "jev_step_latency_ms",
        {"max_steps": 1},
        {"jev_step_latency_ms": [1] * 14},
    ),
    _break("timing no object", "timing_ms", {"timing_ms": []}),
    _break("timing unknown", "timing_ms.setup", {"timing_ms.setup": 0}),
    _break("timing missing", "timing_ms.media", {"timing_ms.media": GONE}),
    _break("timing value", "timing_ms.total", {"timing_ms.total": 1e5}, {"timing_ms.total": -1}),
    _break("evidence no object", "evidence", {"evidence": None}),
    _break("evidence unknown", "evidence.likes", {"evidence.likes": 0}),
    _break("evidence missing", "evidence.comments", {"evidence.comments": GONE}),
    _break("evidence value", "evidence.records", {"evidence.records": True}),
    _break("platform", "platform", {"platform": "TikTok"}),
    _break(
        "jev_total is the sum",
        "timing_ms.jev_total",
        {"timing_ms.jev_total": 3001},
        {"jev_step_latency_ms": [600, 700, 800, 901]},
    ),
    _break(
        "jev_total within total",
        "timing_ms.jev_total",
        {"timing_ms.total": 2999},
        {"jev_step_latency_ms": [100001], "timing_ms.jev_total": 100001},
    ),
    _break("browser within total", "timing_ms.socai_browser", {"timing_ms.socai_browser": 100001}),
    _break("media within total", "timing_ms.media", {"timing_ms.media": 100001}),
    _break(
        "parts within total",
        "timing_ms.total",
        {"timing_ms.socai_browser": 98001},
        {"jev_step_latency_ms": [11001], "timing_ms.jev_total": 11001},
    ),
    _break(
        "span is total",
        "timing_ms.total",
        {"ended_at": "2026-03-02T08:01:41.001Z"},
        {"started_at": "2026-03-02T08:00:01.001Z"},
    ),
    _break(
        "media count and bytes",
        "evidence.downloaded_media_bytes",
        {"evidence.downloaded_media_bytes": 0},
        {"evidence.downloaded_media_count": 0},
    ),
    _break(
        "media on tiktok only",
        "evidence.downloaded_media_count",
        {"platform": "linkedin"},
        {"platform": "instagram"},
    ),
    _break(
        "media within records",
        "evidence.downloaded_media_count",
        {"evidence.records": 1},
        {"evidence.downloaded_media_count": 5},
    ),
    _break("outcome", "outcome", {"outcome": "won"}, {"outcome": None}),
    _break("stop_reason", "stop_reason", {"stop_reason": " unknown"}),
    _break("failure_category", "failure_category", {"failure_category": "none"}),
    _break(
        "success without category",
        "failure_category",
        {"failure_category": "unknown"},
        {"stop_reason": "unknown"},
    ),
    _break(
        "success with records",
        "evidence.records",
        {
            "evidence.records": 0,
            "evidence.downloaded_media_count": 0,
            "evidence.downloaded_media_bytes": 0,
        },
    ),
    _break(
        "success with a step",
        "jev_step_latency_ms",
        {"jev_step_latency_ms": [], "timing_ms.jev_total": 0},
    ),
    _break("category set", "failure_category", {"outcome": "partial", "stop_reason": "unknown"}),
    _break(
        "no goal without success",
        "stop_reason",
        {"outcome": "failed", "failure_category": "unknown"},
    ),
    _break("category of reason", "failure_category", NOT_SUCCESS | {"stop_reason": "cli_failed"}),
    _break(
        "empty results are empty",
        "evidence",
        NOT_SUCCESS | {"failure_category": "empty_results", "stop_reason": "empty_results"},
    ),
    _break("socai_version", "socai_version", {"socai_version": "0.6"}),
    _break("socai_commit", "socai_commit", {"socai_commit": "3149e5"}),
    _break("jev_model", "jev_model", {"jev_model": "acme//picker"}),
    _break(
        "floating model", "jev_model", {"jev_model": "acme/latest"}, {"jev_model": "~acme/picker"}
    ),
    _break("jev_social_version", "jev_social_version", {"jev_social_version": "V0.4.0"}),
    _break("jev_social_commit", "jev_social_commit", {"jev_social_commit": "g" * 40}),
    _break("run_id", "run_id", {"run_id": "0b7f0d3e-51c6-1c1a-9f52-3d9e4a6b8c10"}),
    _break("task_id", "task_id", {"task_id": ""}),
    _break("result_limit", "result_limit", {"result_limit": 101}, {"result_limit": 0}),
    _break("profile_mode", "profile_mode", {"profile_mode": "shared"}),
    _break("region", "region", {"region": "r" * 65}),
    _break("condition", "condition", {"condition": "hot"}),
)

BOTH: dict[tuple[str, str], Changes] = {
    ("success without category", "success with records"): {
        "stop_reason": "unknown",
        "evidence.records": 0,
        "evidence.downloaded_media_count": 0,
        "evidence.downloaded_media_bytes": 0,
    },
    ("category set", "no goal without success"): {"outcome": "failed"},
    ("no goal without success", "category of reason"): {
        "outcome": "failed",
        "failure_category": "step_limit",
    },
    ("category of reason", "empty results are empty"): NOT_SUCCESS
    | {"stop_reason": "empty_results"},
    ("jev_model", "floating model"): {"jev_model": "acme//latest"},
}
"""Rows that break both of two checks which look at the same values."""

CONTRADICTIONS = {
    ("timing no object", "timing unknown"),  # what is no object has no keys
    ("evidence no object", "evidence unknown"),
    ("success with a step", "category set"),  # a row is a success or is not
}
"""Neighbours in the order that no row can break both."""
