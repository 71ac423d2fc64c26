"""Synthetic jev-social rows: valid by an independent check, as declared, reproducible."""

import importlib.util
import itertools
import json
import re
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "datasets" / "jev-social-demo"
Row = dict[str, Any]

CATEGORIES = {
    **dict.fromkeys(("login_required", "challenge_required", "rate_limited"), "access_gate"),
    **dict.fromkeys(
        ("capability_unavailable", "browser_unavailable", "media_unavailable"), "unavailable"
    ),
    **dict.fromkeys(
        ("decision_failed", "cli_failed", "network_error", "report_failed"), "execution_error"
    ),
    **{reason: reason for reason in ("step_limit", "empty_results", "interrupted", "unknown")},
}
KEYS = (
    *("schema_version", "run_id", "task_id", "started_at", "ended_at", "platform", "outcome"),
    *("jev_model", "socai_version", "socai_commit", "result_limit", "max_steps", "profile_mode"),
    *("region", "condition", "jev_social_version", "jev_social_commit", "jev_step_latency_ms"),
    *("timing_ms", "evidence", "stop_reason", "failure_category"),
)
UUID4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
VERSION = r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"
SEGMENT = r"[0-9A-Za-z][0-9A-Za-z._-]*"
FORMATS = {
    "run_id": UUID4,
    "task_id": UUID4,
    "started_at": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",
    "ended_at": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",
    "platform": "instagram|tiktok|linkedin",
    "outcome": "success|partial|failed",
    "jev_model": rf"(?!.*latest){SEGMENT}(/{SEGMENT}){{0,3}}(:{SEGMENT})?",
    "socai_version": VERSION,
    "socai_commit": "[0-9a-f]{40}",
    "profile_mode": "existing|isolated",
    "region": "[0-9A-Za-z][0-9A-Za-z._-]{0,63}",
    "condition": "cold|warm",
    "jev_social_version": VERSION,
    "jev_social_commit": "[0-9a-f]{40}",
    "stop_reason": "|".join(("goal_satisfied", *CATEGORIES)),
}
TIMERS = ["jev_total", "socai_browser", "media", "total"]
COUNTS = ["records", "comments", "downloaded_media_count", "downloaded_media_bytes"]


def faults(row: Row) -> list[str]:
    """Names of the rules of the protocol, section 5, that a normalized `row` breaks."""
    v1 = row["schema_version"] == 1
    latency, timing, evidence = row["jev_step_latency_ms"], row["timing_ms"], row["evidence"]
    integers = [
        row["result_limit"],
        row["max_steps"],
        *latency,
        *timing.values(),
        *evidence.values(),
    ]
    started, ended = (datetime.fromisoformat(row[key]) for key in ("started_at", "ended_at"))
    span_ms = (ended - started).total_seconds() * 1000
    files, size = evidence["downloaded_media_count"], evidence["downloaded_media_bytes"]
    success, reason = row["outcome"] == "success", row["stop_reason"]
    rules = {
        "keys": list(row) == [key for key in KEYS if not (v1 and key.startswith("jev_social"))],
        "nested keys": list(timing) == TIMERS and list(evidence) == COUNTS,
        "integers": all(type(x) is int and 0 <= x < 2**53 for x in integers),
        "limits": 1 <= row["result_limit"] <= 100 and 1 <= row["max_steps"] <= 30,
        "end": ended >= started,
        "steps": len(latency) <= row["max_steps"] + 1,
        "jev_total": timing["jev_total"] == sum(latency),
        "parts": max(timing[part] for part in TIMERS[:3]) <= timing["total"],
        "sum": timing["jev_total"] + timing["socai_browser"] <= timing["total"] + 1000,
        "span": abs(span_ms - timing["total"]) <= 1000,
        "media pair": (files > 0) == (size > 0),
        "media place": files == 0 or (row["platform"] == "tiktok" and files <= evidence["records"]),
        "success": success == (reason == "goal_satisfied"),
        "evidence of success": not success or (evidence["records"] >= 1 and len(latency) >= 1),
        "category": row["failure_category"] == CATEGORIES.get(reason),
        "empty": reason != "empty_results" or not any(evidence.values()),
        "partial": success or (row["outcome"] == "partial") == (evidence["records"] > 0),
        "comments": evidence["comments"] == 0 or evidence["records"] > 0,
        "media time": timing["media"] == 0 or row["platform"] == "tiktok",
    }
    broken = [name for name, held in rules.items() if not held]
    texts = {key: pattern for key, pattern in FORMATS.items() if key in row}
    return broken + [key for key, form in texts.items() if not re.fullmatch(form, row[key])]


def parse(chunks: Iterable[bytes]) -> list[Row]:
    return [json.loads(line) for line in b"".join(chunks).splitlines()]


def group_key(row: Row) -> tuple[Any, ...]:
    measured = {"run_id", "started_at", "ended_at", "outcome", "stop_reason", "failure_category"}
    return tuple(v for k, v in row.items() if k not in measured and not isinstance(v, list | dict))


def run_generator(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, FOLDER / "generate.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("jev_social_demo", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def demo() -> list[Row]:
    return parse([(FOLDER / "rows.ndjson").read_bytes()])


def test_committed_rows_are_what_the_generator_writes(tmp_path: Path) -> None:
    result = run_generator("--out", tmp_path / "rows.ndjson")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "rows.ndjson").read_bytes() == (FOLDER / "rows.ndjson").read_bytes()


def test_lines_are_compact_json_with_lf_ends(demo: list[Row]) -> None:
    text = (FOLDER / "rows.ndjson").read_bytes().decode("ascii")
    assert text == "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in demo)
    assert len(text) < 200_000


def test_every_demo_row_keeps_every_rule(demo: list[Row]) -> None:
    assert {row["run_id"]: faults(row) for row in demo if faults(row)} == {}
    assert len({row["run_id"] for row in demo}) == len(demo)


@pytest.mark.parametrize(
    ("rule", "break_it"),
    [
        ("keys", lambda row: row.update(note="x")),
        ("integers", lambda row: row["evidence"].update(comments=True)),
        ("jev_total", lambda row: row["jev_step_latency_ms"].append(1)),
        ("span", lambda row: row["timing_ms"].update(total=row["timing_ms"]["total"] + 1500)),
        ("parts", lambda row: row["timing_ms"].update(media=10**9)),
        ("media pair", lambda row: row["evidence"].update(downloaded_media_bytes=0)),
        ("media place", lambda row: row.update(platform="linkedin")),
        ("category", lambda row: row.update(failure_category="unknown")),
        ("evidence of success", lambda row: row["evidence"].update(records=0)),
        ("run_id", lambda row: row.update(run_id="7d1c0f9e-0000-1000-8000-000000000000")),
        ("jev_model", lambda row: row.update(jev_model="acme/picker:latest")),
    ],
)
def test_the_independent_check_sees_a_broken_rule(
    demo: list[Row], rule: str, break_it: Callable[[Row], None]
) -> None:
    with_media = next(row for row in demo if row["evidence"]["downloaded_media_count"])
    row = json.loads(json.dumps(with_media))
    break_it(row)
    assert rule in faults(row)


def test_demo_shows_every_case_a_report_must_handle(demo: list[Row]) -> None:
    sizes = Counter(map(group_key, demo))
    assert sorted(sizes.values()) == [4, 7, 10, 11, 12, 12, 12, 14, 16, 24]
    assert len({group_key(row) for row in demo if row["schema_version"] == 1}) == 1
    assert {row["stop_reason"] for row in demo} == {"goal_satisfied", *CATEGORIES}
    assert len({(row["platform"], row["condition"]) for row in demo}) == 6
    assert all(row["region"].startswith("synthetic-") for row in demo)
    outcomes = Counter(row["outcome"] for row in demo)
    assert outcomes["success"] > outcomes["partial"] + outcomes["failed"]
    assert min(outcomes["partial"], outcomes["failed"]) >= 5


def test_starts_rise_over_days_that_each_hold_both_conditions(demo: list[Row]) -> None:
    starts = [row["started_at"] for row in demo]
    assert starts == sorted(starts)
    days = defaultdict(set)
    for row in demo:
        days[row["started_at"][:10]].add(row["condition"])
    assert len(days) >= 5
    assert all(conditions == {"cold", "warm"} for conditions in days.values())


def test_times_look_like_runs(demo: list[Row]) -> None:
    assert all(300 <= step <= 2500 for row in demo for step in row["jev_step_latency_ms"])
    successes = [row for row in demo if row["outcome"] == "success"]
    assert all(20_000 <= row["timing_ms"]["socai_browser"] <= 200_000 for row in successes)
    assert all(row["timing_ms"]["media"] <= row["timing_ms"]["socai_browser"] for row in demo)
    near = [row for row in successes if row["region"] == "synthetic-lab"]
    for platform in ("instagram", "tiktok", "linkedin"):
        medians = {
            condition: statistics.median(
                row["timing_ms"]["total"]
                for row in near
                if (row["platform"], row["condition"]) == (platform, condition)
            )
            for condition in ("cold", "warm")
        }
        assert medians["cold"] > 1.2 * medians["warm"]


def test_the_far_group_has_two_humps(demo: list[Row]) -> None:
    far = sorted(r["timing_ms"]["total"] for r in demo if r["region"] == "synthetic-lab-far")
    gap, below = max((b - a, i + 1) for i, (a, b) in enumerate(itertools.pairwise(far)))
    assert gap > 40_000
    assert 6 <= below <= len(far) - 6


def test_datasheet_explains_every_region(demo: list[Row]) -> None:
    text = (FOLDER / "datasheet.md").read_text(encoding="utf-8")
    front = text.split("---\n")[1]
    assert re.match(r"title: \S.*\nregions:\n(  \S+: \S.*\n)+\Z", front)
    assert set(re.findall(r"^  (\S+): ", front, re.MULTILINE)) == {row["region"] for row in demo}


def test_a_large_draw_has_36_valid_groups_of_benchmark_rows(generator: ModuleType) -> None:
    chunks = list(generator.rows(60_000, seed=7))
    rows = parse(chunks)
    assert len(chunks) > 1
    assert len(rows) == 60_000
    assert len({row["run_id"] for row in rows}) == 60_000
    assert len(set(map(group_key, rows))) == 36
    assert {row["schema_version"] for row in rows} == {2}
    assert 780 < sum(map(len, chunks)) / len(rows) < 880
    assert [found for row in rows[::10] if (found := faults(row))] == []


def test_a_draw_of_any_size_starts_at_once(generator: ModuleType) -> None:
    first = next(generator.rows(5_000_000))
    assert len(first.splitlines()) <= generator.CHUNK_ROWS


@pytest.mark.parametrize(("schema_version", "rows"), [(1, 10), (2, 9), (2, 12)])
def test_groups_region_and_schema_can_be_chosen(
    generator: ModuleType, schema_version: int, rows: int
) -> None:
    groups = generator.grid(rows, schema_version, generator.RELEASES[:1])
    drawn = parse(generator.rows(generator.size(groups), 3, "lab-eu", groups))
    assert [found for row in drawn if (found := faults(row))] == []
    assert list(Counter(map(group_key, drawn)).values()) == [rows] * 6
    assert {(row["region"], row["schema_version"]) for row in drawn} == {("lab-eu", schema_version)}


def test_only_the_seed_decides(generator: ModuleType, tmp_path: Path) -> None:
    run_generator("--out", tmp_path / "a", "--rows", "500", "--seed", "5", "--region", "lab-eu")
    here = b"".join(generator.rows(500, 5, "lab-eu"))
    assert (tmp_path / "a").read_bytes() == here
    other = parse(generator.rows(500, 6, "lab-eu"))
    assert not {row["run_id"] for row in parse([here])} & {row["run_id"] for row in other}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rows", "0"], "--rows must be at least 1"),
        (["--seed", "-1"], "--seed must be 0 or more"),
        (["--region", "lab eu"], "--region must be"),
        (["--region", "x" * 57], "--region must be"),
        (["--out", "missing/rows.ndjson"], "cannot write missing"),
    ],
)
def test_bad_arguments_give_one_message(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = run_generator("--out", tmp_path / "rows.ndjson", *arguments)
    assert result.returncode != 0
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "rows.ndjson").exists()
