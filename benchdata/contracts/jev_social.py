"""jev-social: one research attempt of the Jev Social loop; version 1 is read-only history."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field as Bounds

from benchdata.contracts.base import Contract
from benchdata.contracts.checks import Check, IsList, Rule, fields
from benchdata.contracts.fields import Commit, Count, Label, ModelId, Row, Semver, Timestamp, Uuid4
from benchdata.contracts.gate import Gate
from benchdata.contracts.meaning import Design, Metric, Outcome, Pin

CLOCK_TOLERANCE_MS = 1_000
CATEGORIES = {
    "access_gate": ("login_required", "challenge_required", "rate_limited"),
    "unavailable": ("capability_unavailable", "browser_unavailable", "media_unavailable"),
    "execution_error": ("decision_failed", "cli_failed", "network_error", "report_failed"),
    "interrupted": ("interrupted",),
    "step_limit": ("step_limit",),
    "empty_results": ("empty_results",),
    "unknown": ("unknown",),
}
"""The failure category of every stop reason but `goal_satisfied`, which has none."""

StopReason = Literal[
    "goal_satisfied",
    "login_required",
    "challenge_required",
    "rate_limited",
    "capability_unavailable",
    "browser_unavailable",
    "media_unavailable",
    "decision_failed",
    "cli_failed",
    "network_error",
    "report_failed",
    "step_limit",
    "empty_results",
    "interrupted",
    "unknown",
]
Category = Literal[
    "access_gate",
    "unavailable",
    "execution_error",
    "interrupted",
    "step_limit",
    "empty_results",
    "unknown",
]


class Timing(Row):
    """Monotonic durations in ms; media overlaps socai_browser."""

    jev_total: Count
    socai_browser: Count
    media: Count
    total: Count


class Evidence(Row):
    """What the attempt brought home."""

    records: Count
    comments: Count
    downloaded_media_count: Count
    downloaded_media_bytes: Count


class Attempt(Row):
    """Who ran what, where, under which pins."""

    schema_version: Literal[1, 2]
    run_id: Uuid4
    task_id: Uuid4
    started_at: Timestamp
    ended_at: Timestamp
    platform: Literal["instagram", "tiktok", "linkedin"]
    outcome: Literal["success", "partial", "failed"]
    jev_model: ModelId
    socai_version: Semver
    socai_commit: Commit
    result_limit: Annotated[int, Bounds(ge=1, le=100)]
    max_steps: Annotated[int, Bounds(ge=1, le=30)]
    profile_mode: Literal["existing", "isolated"]
    region: Label
    condition: Literal["cold", "warm"]


class Runtime(Attempt):
    """The pins that version 2 added."""

    jev_social_version: Semver
    jev_social_commit: Commit


class Measured(Row):
    """What was measured and how it ended."""

    jev_step_latency_ms: list[Count]
    timing_ms: Timing
    evidence: Evidence
    stop_reason: StopReason
    failure_category: Category | None


class RowV1(Measured, Attempt):
    """Version 1."""

    schema_version: Literal[1]


class RowV2(Measured, Runtime):
    """Version 2."""

    schema_version: Literal[2]


CHECKS: tuple[Check, ...] = (
    *fields("started_at ended_at"),
    Rule("ended_at", "ended_at >= started_at", "must not be before started_at"),
    IsList("jev_step_latency_ms"),
    *fields("max_steps jev_step_latency_ms"),
    Rule(
        "jev_step_latency_ms",
        "len(jev_step_latency_ms) <= max_steps + 1",
        "must have at most max_steps + 1 entries",
    ),
    *fields("timing_ms evidence platform"),
    Rule(
        "timing_ms.jev_total",
        "timing_ms.jev_total == sum(jev_step_latency_ms)",
        "must equal the sum of jev_step_latency_ms",
    ),
    *(
        Rule(f"timing_ms.{part}", f"timing_ms.{part} <= timing_ms.total", "must not exceed total")
        for part in ("jev_total", "socai_browser", "media")
    ),
    Rule(
        "timing_ms.total",
        f"timing_ms.jev_total + timing_ms.socai_browser <= timing_ms.total + {CLOCK_TOLERANCE_MS}",
        "must hold jev_total and socai_browser together, within the clock tolerance of 1000 ms",
    ),
    Rule(
        "timing_ms.total",
        f"abs(ms_between(started_at, ended_at) - timing_ms.total) <= {CLOCK_TOLERANCE_MS}",
        "must agree with ended_at - started_at within 1000 ms",
    ),
    Rule(
        "evidence.downloaded_media_bytes",
        "(evidence.downloaded_media_count == 0) == (evidence.downloaded_media_bytes == 0)",
        "must be 0 exactly when downloaded_media_count is 0",
    ),
    Rule(
        "evidence.downloaded_media_count",
        "evidence.downloaded_media_count == 0 or platform == 'tiktok'",
        "must be 0 on a platform other than tiktok",
    ),
    Rule(
        "evidence.downloaded_media_count",
        "evidence.downloaded_media_count <= evidence.records",
        "must not exceed records",
    ),
    *fields("outcome stop_reason failure_category"),
    Rule(
        "failure_category",
        "outcome != 'success' or (failure_category is None and stop_reason == 'goal_satisfied')",
        "must be null, with stop reason goal_satisfied, when the outcome is success",
    ),
    Rule(
        "evidence.records",
        "outcome != 'success' or evidence.records >= 1",
        "must be at least 1 when the outcome is success",
    ),
    Rule(
        "jev_step_latency_ms",
        "outcome != 'success' or len(jev_step_latency_ms) >= 1",
        "must have an entry when the outcome is success",
    ),
    Rule(
        "failure_category",
        "outcome == 'success' or failure_category is not None",
        "must be set when the outcome is not success",
    ),
    Rule(
        "stop_reason",
        "outcome == 'success' or stop_reason != 'goal_satisfied'",
        "must not be goal_satisfied when the outcome is not success",
    ),
    Rule(
        "failure_category",
        "outcome == 'success' or "
        + " or ".join(
            f"(failure_category == {category!r} and stop_reason in {reasons!r})"
            for category, reasons in CATEGORIES.items()
        ),
        "must be the category of its stop_reason",
    ),
    Rule(
        "evidence",
        "stop_reason != 'empty_results' or (evidence.records == 0 and evidence.comments == 0"
        " and evidence.downloaded_media_count == 0 and evidence.downloaded_media_bytes == 0)",
        "must be all 0 when the stop reason is empty_results",
    ),
    *fields("socai_version socai_commit jev_model jev_social_version jev_social_commit"),
    *fields("run_id task_id result_limit profile_mode region condition"),
)

JEV_SOCIAL = Contract(
    name="jev-social",
    models={1: RowV1, 2: RowV2},
    checks=CHECKS,
    identity=("run_id",),
    group=(
        *("schema_version", "task_id", "platform", "jev_social_version", "jev_social_commit"),
        *("jev_model", "socai_version", "socai_commit", "result_limit", "max_steps"),
        *("profile_mode", "region", "condition"),
    ),
    companions={"jev_social_commit": ("jev_social_version",)},
    metrics=(
        *(
            Metric(name, path, "ms", failure_ranks="worst", min_effect=0.05, title=title)
            for name, path, title in (
                ("total", "timing_ms.total", "Total"),
                ("jev", "timing_ms.jev_total", "Jev"),
                ("socai_browser", "timing_ms.socai_browser", "socai/browser"),
                ("media", "timing_ms.media", "Media-op"),
            )
        ),
        Metric("records", "evidence.records", "", "higher", title="Records"),
        Metric("comments", "evidence.comments", "", "higher", title="Comments"),
        Metric(
            "downloaded_media", "evidence.downloaded_media_count", "", "higher", title="Media count"
        ),
    ),
    primary="total",
    outcome=Outcome(
        success="outcome == 'success'", partial="outcome == 'partial'", reason="stop_reason"
    ),
    order="started_at",
    until="ended_at",
    followed="jev_social_commit",
    design=Design(task="task_id"),
    synthetic="starts_with(region, 'synthetic-')",
    gate=Gate(rows=10, versions=frozenset({2})),
    views={"jev_step_latency_ms": "steps"},
    shown=("platform", "condition"),
    remark="Media time overlaps browser time, so the parts need not add up to the total.",
    pins=(
        Pin("Task ID", "{task_id}"),
        Pin(
            "Jev Social",
            "{jev_social_version} @ {jev_social_commit:.12}",
            absent="legacy schema v1",
        ),
        Pin("Jev model", "{jev_model}"),
        Pin("socai", "{socai_version} @ {socai_commit:.12}"),
        Pin("Profile", "{profile_mode}"),
        Pin("Region", "{region}"),
        Pin("Limit / steps", "{result_limit} / {max_steps}", right=True),
    ),
)
