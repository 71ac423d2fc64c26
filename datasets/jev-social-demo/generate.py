"""Deterministic generator of synthetic `jev-social` rows: the demo set and files of any size.

Nothing here was measured. Groups are declared in tables (`GROUPS`, `grid`), the ways a run can end
in `ENDINGS`; the code only draws from them.
"""

import argparse
import hashlib
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

SEED = 20260302
REGION = "synthetic-lab"
REGION_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,55}")  # leaves 8 of 64 for a group's site
FIRST_START_MS = 1_772_438_400_000  # 2026-03-02T08:00:00Z
SPAN_MS = 6 * 24 * 3_600_000  # the starts of one call spread over six days, whatever its size
CHUNK_ROWS = 50_000
RESULT_LIMIT = 4
MAX_STEPS = 12
STEP_MS = (300, 2_500)
STALL_MS = 110_000.0

FIELDS = (
    *("schema_version", "run_id", "task_id", "started_at", "ended_at", "platform", "outcome"),
    *("jev_model", "socai_version", "socai_commit", "result_limit", "max_steps", "profile_mode"),
    *("region", "condition", "jev_social_version", "jev_social_commit", "jev_step_latency_ms"),
    *("timing_ms", "evidence", "stop_reason", "failure_category"),
)
SCHEMA_FIELDS = {
    1: tuple(field for field in FIELDS if not field.startswith("jev_social_")),
    2: FIELDS,
}


@dataclass(frozen=True)
class Release:
    """Pinned versions of one invented setup; `pace` scales its browser time."""

    jev_social_version: str
    jev_model: str
    socai_version: str
    pace: float = 1.0


RELEASES = (
    Release("0.4.0", "acme/picker-2.1-20260105", "0.6.0"),
    Release("0.5.0", "acme/picker-2.2-20260201", "0.6.2", 0.85),
    Release("0.5.1", "acme/picker-2.2-20260201", "0.6.2+build.7", 0.87),
    Release("0.6.0-rc.1", "acme/picker-2.2-20260201:eu", "0.7.0-rc.2", 1.1),
    Release("0.6.0", "acme/picker-3.0-20260220", "0.7.0", 0.8),
    Release("0.6.1", "kilnworks/selector-1.4", "0.7.0", 0.75),
)


@dataclass(frozen=True)
class Platform:
    """What a platform's pages cost (`page_ms`), yield (`comments` at most a record) and offer."""

    page_ms: float
    comments: int
    downloads: bool = False


PLATFORMS = {
    "instagram": Platform(20_000, 6),
    "tiktok": Platform(23_000, 8, downloads=True),
    "linkedin": Platform(26_000, 3),
}
CONDITIONS = {"cold": 1.6, "warm": 1.0}  # factor on everything but the model's decisions


@dataclass(frozen=True)
class Ending:
    """How runs with one stop reason look.

    `decisions` is the inclusive range of decision counts, `keeps` the share of runs that hold
    records when they end, `files` whether downloaded media survive to be counted.
    """

    failure_category: str | None
    decisions: tuple[int, int]
    keeps: float
    files: bool = True


ENDINGS = {
    "goal_satisfied": Ending(None, (4, 9), 1.0),
    "step_limit": Ending("step_limit", (MAX_STEPS + 1, MAX_STEPS + 1), 0.9),
    "empty_results": Ending("empty_results", (3, 6), 0.0),
    "login_required": Ending("access_gate", (2, 4), 0.2),
    "challenge_required": Ending("access_gate", (2, 5), 0.3),
    "rate_limited": Ending("access_gate", (3, 8), 0.7),
    "decision_failed": Ending("execution_error", (1, 6), 0.5),
    "cli_failed": Ending("execution_error", (2, 6), 0.4),
    "network_error": Ending("execution_error", (2, 6), 0.4),
    "report_failed": Ending("execution_error", (4, 9), 0.8, files=False),
    "media_unavailable": Ending("unavailable", (4, 8), 0.9, files=False),
    "browser_unavailable": Ending("unavailable", (1, 2), 0.0),
    "capability_unavailable": Ending("unavailable", (0, 0), 0.0),
    "interrupted": Ending("interrupted", (1, 8), 0.5, files=False),
    "unknown": Ending("unknown", (2, 6), 0.3),
}
MISSES = tuple(reason for reason in ENDINGS if reason != "goal_satisfied")


@dataclass(frozen=True)
class Group:
    """Rows that may be pooled: `rows` of them, of which one ends in each of `misses`.

    `site` is appended to the region label; `stalls` is the share of rows in which one page waits
    about `STALL_MS` longer, which gives the times two humps.
    """

    platform: str
    condition: str
    rows: int
    misses: tuple[str, ...] = ()
    release: Release = RELEASES[0]
    schema_version: int = 2
    profile_mode: str = "existing"
    site: str = ""
    stalls: float = 0.0


GROUPS = (
    Group("instagram", "cold", 12, ("login_required", "step_limit", "cli_failed")),
    Group("instagram", "warm", 12, ("rate_limited", "empty_results")),
    Group("tiktok", "cold", 12, ("media_unavailable", "challenge_required", "network_error")),
    Group("tiktok", "warm", 14, ("step_limit", "report_failed")),
    Group("linkedin", "cold", 10, ("browser_unavailable", "decision_failed", "unknown")),
    Group("linkedin", "warm", 16, ("interrupted", "decision_failed", "step_limit")),
    Group("instagram", "warm", 7, ("capability_unavailable",), RELEASES[1]),
    Group("linkedin", "cold", 4, ("login_required",), RELEASES[1], profile_mode="isolated"),
    Group("tiktok", "warm", 24, ("step_limit", "rate_limited"), site="-far", stalls=0.45),
    Group("instagram", "warm", 11, ("empty_results", "cli_failed"), schema_version=1),
)


def grid(
    rows: int = 10, schema_version: int = 2, releases: Sequence[Release] = RELEASES
) -> tuple[Group, ...]:
    """Every platform x condition x release as a group of `rows` rows, one in five a miss."""
    cells = [(p, c, r) for r in releases for p in PLATFORMS for c in CONDITIONS]
    return tuple(
        Group(
            platform,
            condition,
            rows,
            tuple(MISSES[(cell + miss) % len(MISSES)] for miss in range(rows // 5)),
            release,
            schema_version,
        )
        for cell, (platform, condition, release) in enumerate(cells)
    )


def size(groups: Sequence[Group]) -> int:
    """Number of rows that hold every declared row of `groups` exactly once."""
    return sum(group.rows for group in groups)


def rows(
    n: int, seed: int = SEED, region: str = REGION, groups: Sequence[Group] | None = None
) -> Iterator[bytes]:
    """Yield `n` rows as chunks of compact NDJSON, the same bytes for the same arguments.

    Default groups: `grid(rows=40)`, 36 groups of schema version 2. The declared rows of `groups`
    are one cycle, in random order: `n = size(groups)` gives each group exactly its `rows`,
    a larger `n` goes on with further cycles. Starts rise from row to row.
    """
    slots = _slots(grid(rows=40) if groups is None else groups, region)
    # Only random(), standard_normal() and bytes() are drawn: the streams that stay put
    # from one numpy release to the next.
    rng = np.random.Generator(np.random.PCG64(seed))
    chunk = max(1, CHUNK_ROWS // slots.height) * slots.height
    spacing_ms = SPAN_MS / n if n else 0.0
    for first in range(0, n, chunk):
        count = min(chunk, n - first)
        cycles = rng.random((-(-count // slots.height), slots.height)).argsort(axis=1)
        starts = first + np.arange(count) + 0.5 * rng.random(count)
        starts_ms = FIRST_START_MS + (starts * spacing_ms).astype(np.int64)
        runs = _with_times(slots[cycles.ravel()[:count]], starts_ms, rng)
        yield _ndjson(_with_evidence(runs, rng))


def _slots(groups: Sequence[Group], region: str) -> pl.DataFrame:
    """One line a declared row: its constant fields, then the parameters it is drawn with."""
    endings = [
        (group, reason)
        for group in groups
        for reason in (*group.misses, *["goal_satisfied"] * (group.rows - len(group.misses)))
    ]
    return pl.DataFrame(
        [_slot(group, reason, region) for group, reason in endings],
        schema_overrides={"failure_category": pl.String},
        infer_schema_length=None,
    )


def _slot(group: Group, reason: str, region: str) -> dict[str, Any]:
    release, platform, ending = group.release, PLATFORMS[group.platform], ENDINGS[reason]
    pace = CONDITIONS[group.condition] * release.pace
    return {
        "schema_version": group.schema_version,
        "task_id": str(uuid.UUID(bytes=_digest(f"task {group.platform}", 16), version=4)),
        "platform": group.platform,
        "jev_model": release.jev_model,
        "socai_version": release.socai_version,
        "socai_commit": _digest(f"socai {release.socai_version}", 20).hex(),
        "result_limit": RESULT_LIMIT,
        "max_steps": MAX_STEPS,
        "profile_mode": group.profile_mode,
        "region": region + group.site,
        "condition": group.condition,
        "jev_social_version": release.jev_social_version,
        "jev_social_commit": _digest(f"jev-social {release.jev_social_version}", 20).hex(),
        "stop_reason": reason,
        "failure_category": ending.failure_category,
        "fewest_decisions": ending.decisions[0],
        "most_decisions": ending.decisions[1],
        "keeps": ending.keeps,
        "files": ending.files,
        "downloads": platform.downloads,
        "comments_a_record": platform.comments,
        "page_ms": platform.page_ms * pace,
        "overhead_ms": 2_500.0 * CONDITIONS[group.condition],
        "stalls": group.stalls,
    }


def _digest(text: str, length: int) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=length).digest()


def _with_times(
    slots: pl.DataFrame, starts_ms: npt.NDArray[np.int64], rng: np.random.Generator
) -> pl.DataFrame:
    """Add identity, clocks and timers, consistent by construction."""
    count = slots.height
    fewest, most = slots["fewest_decisions"].to_numpy(), slots["most_decisions"].to_numpy()
    decisions = fewest + (rng.random(count) * (most - fewest + 1)).astype(np.int64)
    actions = np.maximum(decisions - 1, 0)  # the first decision only routes
    latency = _lognormal(rng, 800.0, 0.4, (count, MAX_STEPS + 1)).clip(*STEP_MS)
    jev_total = np.where(np.arange(MAX_STEPS + 1) < decisions[:, None], latency, 0).sum(axis=1)
    stalled = (rng.random(count) < slots["stalls"].to_numpy()) & (actions > 0)
    # Square root: the later pages of a run come from caches.
    browser = _lognormal(rng, slots["page_ms"].to_numpy() * np.sqrt(actions), 0.22, count)
    browser += stalled * _lognormal(rng, STALL_MS, 0.1, count)
    total = jev_total + browser + _lognormal(rng, slots["overhead_ms"].to_numpy(), 0.3, count)
    # The wall clock is another clock: it drifts some milliseconds against the monotonic one.
    drift = np.rint(15.0 * rng.standard_normal(count)).astype(np.int64).clip(-200, 200)
    return slots.with_columns(
        pl.Series("run_id", _uuid4(rng, count)),
        pl.Series("started_ms", starts_ms),
        pl.Series("ended_ms", starts_ms + total + drift),
        pl.Series("actions", actions),
        pl.Series("latency", latency),
        pl.Series("decisions", decisions),
        pl.Series("jev_total", jev_total),
        pl.Series("socai_browser", browser),
        pl.Series("total", total),
    )


def _with_evidence(runs: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """Add what the runs found, and the media time: a part of the browser time of runs that ask."""
    count = runs.height
    actions, browser = runs["actions"].to_numpy(), runs["socai_browser"].to_numpy()
    kept = (rng.random(count) < runs["keeps"].to_numpy()) & (actions > 0)
    found = 1 + (rng.random((count, RESULT_LIMIT - 1)) < 0.75).sum(axis=1)
    records = np.where(kept, found, 0)
    most_comments = records * runs["comments_a_record"].to_numpy()
    asks = runs["downloads"].to_numpy() & kept & (actions > 1)
    media = np.where(asks, browser * (0.25 + 0.35 * rng.random(count)), 0.0)
    wanted = np.minimum(records, 1 + (rng.random(count) < 0.4))
    files = np.where(asks & runs["files"].to_numpy(), wanted, 0)
    return runs.with_columns(
        pl.Series("records", records),
        pl.Series("comments", (most_comments * rng.random(count)).astype(np.int64)),
        pl.Series("media", media.astype(np.int64)),
        pl.Series("downloaded_media_count", files),
        pl.Series("downloaded_media_bytes", files * _lognormal(rng, 4.5e6, 0.6, count)),
    )


def _lognormal(
    rng: np.random.Generator,
    median: float | npt.NDArray[np.float64],
    sigma: float,
    shape: int | tuple[int, int],
) -> npt.NDArray[np.int64]:
    return np.rint(median * np.exp(sigma * rng.standard_normal(shape))).astype(np.int64)


def _uuid4(rng: np.random.Generator, count: int) -> list[str]:
    octets = np.frombuffer(rng.bytes(16 * count), np.uint8).reshape(count, 16).copy()
    octets[:, 6] = octets[:, 6] & 0x0F | 0x40
    octets[:, 8] = octets[:, 8] & 0x3F | 0x80
    text = octets.tobytes().hex()
    bare = (text[at : at + 32] for at in range(0, len(text), 32))
    return [f"{x[:8]}-{x[8:12]}-{x[12:16]}-{x[16:20]}-{x[20:]}" for x in bare]


def _ndjson(runs: pl.DataFrame) -> bytes:
    """One line a run, in order, with the fields of its schema version in the normal order."""
    records = pl.col("records")
    shaped = runs.with_row_index("position").with_columns(
        _timestamp("started_ms").alias("started_at"),
        _timestamp("ended_ms").alias("ended_at"),
        pl.when(pl.col("failure_category").is_null())
        .then(pl.lit("success"))
        .otherwise(pl.when(records > 0).then(pl.lit("partial")).otherwise(pl.lit("failed")))
        .alias("outcome"),
        pl.col("latency").arr.to_list().list.head("decisions").alias("jev_step_latency_ms"),
        pl.struct("jev_total", "socai_browser", "media", "total").alias("timing_ms"),
        pl.struct("records", "comments", "downloaded_media_count", "downloaded_media_bytes").alias(
            "evidence"
        ),
    )
    lines = pl.concat(
        shaped.filter(schema_version=version).select(
            "position", pl.struct(fields).struct.json_encode().alias("line")
        )
        for version, fields in SCHEMA_FIELDS.items()
    ).sort("position")["line"]
    return "".join(f"{line}\n" for line in lines).encode()


def _timestamp(column: str) -> pl.Expr:
    return pl.from_epoch(column, time_unit="ms").dt.strftime("%Y-%m-%dT%H:%M:%S%.3fZ")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the demo set or, with `--rows`, that many rows of the 36-group grid to a file."""
    parser = argparse.ArgumentParser(description="Write synthetic jev-social rows (NDJSON).")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--rows", type=int, help="rows of 36 groups (default: the demo set)")
    parser.add_argument("--seed", type=int, default=SEED, help="default %(default)s")
    parser.add_argument("--region", default=REGION, help="region label, default %(default)s")
    options = parser.parse_args(arguments)
    if options.rows is not None and options.rows < 1:
        parser.error("--rows must be at least 1")
    if options.seed < 0:
        parser.error("--seed must be 0 or more")
    if not REGION_LABEL.fullmatch(options.region):
        parser.error("--region must be 1-56 letters, digits, '.', '_' or '-', alphanumeric first")
    groups, count = (GROUPS, size(GROUPS)) if options.rows is None else (None, options.rows)
    try:
        with options.out.open("wb") as file:
            file.writelines(rows(count, options.seed, options.region, groups))
    except OSError as error:
        parser.error(f"cannot write {options.out}: {error.strerror}")


if __name__ == "__main__":
    main()
