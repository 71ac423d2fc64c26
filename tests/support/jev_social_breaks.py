"""One way or more to break each check of the Jev Social protocol, in the protocol's order."""

from __future__ import annotations

from tests.support.breaks import Break, broken
from tests.support.trees import GONE, Changes

SOMEBODYS_FILE = "/" + "home/somebody/rows"

NOT_SUCCESS = {"outcome": "failed", "failure_category": "unknown", "stop_reason": "unknown"}

BREAKS: tuple[Break, ...] = (
    broken("refused name", "row.timing_ms.Token", {"timing_ms.Token": 1}),
    broken("secret or path", "task_id", {"task_id": SOMEBODYS_FILE}),
    broken("version", "schema_version", {"schema_version": 3}, {"schema_version": "2"}),
    broken("unknown key", "extra", {"extra": 1}),
    broken("missing key", "condition", {"condition": GONE}),
    broken("started_at", "started_at", {"started_at": "2026-03-02 08:00:00"}),
    broken("ended_at", "ended_at", {"ended_at": 5}, {"ended_at": "2026-02-30T08:01:40.000Z"}),
    broken(
        "ended before started",
        "ended_at",
        {"started_at": "2026-03-03T08:00:00.000Z"},
        {"ended_at": "2026-03-02T07:59:59.999Z"},
    ),
    broken("latency no array", "jev_step_latency_ms", {"jev_step_latency_ms": {}}),
    broken("max_steps", "max_steps", {"max_steps": 31}, {"max_steps": 0}),
    broken("latency entry", "jev_step_latency_ms[1]", {"jev_step_latency_ms": [600, -1, "7", 900]}),
    broken(
        "latency length",
        "jev_step_latency_ms",
        {"max_steps": 1},
        {"jev_step_latency_ms": [1] * 14},
    ),
    broken("timing no object", "timing_ms", {"timing_ms": []}),
    broken("timing unknown", "timing_ms.setup", {"timing_ms.setup": 0}),
    broken("timing missing", "timing_ms.media", {"timing_ms.media": GONE}),
    broken("timing value", "timing_ms.total", {"timing_ms.total": 1e5}, {"timing_ms.total": -1}),
    broken("evidence no object", "evidence", {"evidence": None}),
    broken("evidence unknown", "evidence.likes", {"evidence.likes": 0}),
    broken("evidence missing", "evidence.comments", {"evidence.comments": GONE}),
    broken("evidence value", "evidence.records", {"evidence.records": True}),
    broken("platform", "platform", {"platform": "TikTok"}),
    broken(
        "jev_total is the sum",
        "timing_ms.jev_total",
        {"timing_ms.jev_total": 3001},
        {"jev_step_latency_ms": [600, 700, 800, 901]},
    ),
    broken(
        "jev_total within total",
        "timing_ms.jev_total",
        {"timing_ms.total": 2999},
        {"jev_step_latency_ms": [100001], "timing_ms.jev_total": 100001},
    ),
    broken("browser within total", "timing_ms.socai_browser", {"timing_ms.socai_browser": 100001}),
    broken("media within total", "timing_ms.media", {"timing_ms.media": 100001}),
    broken(
        "parts within total",
        "timing_ms.total",
        {"timing_ms.socai_browser": 98001},
        {"jev_step_latency_ms": [11001], "timing_ms.jev_total": 11001},
    ),
    broken(
        "span is total",
        "timing_ms.total",
        {"ended_at": "2026-03-02T08:01:41.001Z"},
        {"started_at": "2026-03-02T08:00:01.001Z"},
    ),
    broken(
        "media count and bytes",
        "evidence.downloaded_media_bytes",
        {"evidence.downloaded_media_bytes": 0},
        {"evidence.downloaded_media_count": 0},
    ),
    broken(
        "media on tiktok only",
        "evidence.downloaded_media_count",
        {"platform": "linkedin"},
        {"platform": "instagram"},
    ),
    broken(
        "media within records",
        "evidence.downloaded_media_count",
        {"evidence.records": 1},
        {"evidence.downloaded_media_count": 5},
    ),
    broken("outcome", "outcome", {"outcome": "won"}, {"outcome": None}),
    broken("stop_reason", "stop_reason", {"stop_reason": " unknown"}),
    broken("failure_category", "failure_category", {"failure_category": "none"}),
    broken(
        "success without category",
        "failure_category",
        {"failure_category": "unknown"},
        {"stop_reason": "unknown"},
    ),
    broken(
        "success with records",
        "evidence.records",
        {
            "evidence.records": 0,
            "evidence.downloaded_media_count": 0,
            "evidence.downloaded_media_bytes": 0,
        },
    ),
    broken(
        "success with a step",
        "jev_step_latency_ms",
        {"jev_step_latency_ms": [], "timing_ms.jev_total": 0},
    ),
    broken("category set", "failure_category", {"outcome": "partial", "stop_reason": "unknown"}),
    broken(
        "no goal without success",
        "stop_reason",
        {"outcome": "failed", "failure_category": "unknown"},
    ),
    broken("category of reason", "failure_category", NOT_SUCCESS | {"stop_reason": "cli_failed"}),
    broken(
        "empty results are empty",
        "evidence",
        NOT_SUCCESS | {"failure_category": "empty_results", "stop_reason": "empty_results"},
    ),
    broken("socai_version", "socai_version", {"socai_version": "0.6"}),
    broken("socai_commit", "socai_commit", {"socai_commit": "3149e5"}),
    broken("jev_model", "jev_model", {"jev_model": "acme//picker"}),
    broken(
        "floating model", "jev_model", {"jev_model": "acme/latest"}, {"jev_model": "~acme/picker"}
    ),
    broken("jev_social_version", "jev_social_version", {"jev_social_version": "V0.4.0"}),
    broken("jev_social_commit", "jev_social_commit", {"jev_social_commit": "g" * 40}),
    broken("run_id", "run_id", {"run_id": "0b7f0d3e-51c6-1c1a-9f52-3d9e4a6b8c10"}),
    broken("task_id", "task_id", {"task_id": ""}),
    broken("result_limit", "result_limit", {"result_limit": 101}, {"result_limit": 0}),
    broken("profile_mode", "profile_mode", {"profile_mode": "shared"}),
    broken("region", "region", {"region": "r" * 65}),
    broken("condition", "condition", {"condition": "hot"}),
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
