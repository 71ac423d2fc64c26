"""One attempt: one valid row, whichever phase it ends in and whatever goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Self

import pytest

from collectors.jev_social import attempt as module
from collectors.jev_social import media
from collectors.jev_social.socai import Socai
from tests.collectors.jev_social.conftest import Bench
from tests.support.decision_server import Reply
from tests.support.proven import Proven
from tests.support.socai_stand_in import Script

NOTHING = {
    "records": 0,
    "comments": 0,
    "downloaded_media_count": 0,
    "downloaded_media_bytes": 0,
}
LOOP = ["started", "planning", "searching", "evidence", "planning", "downloading", "evidence"]
CANARY = "canary-9f8e7d"


def test_a_success_is_measured_and_counted(bench: Bench) -> None:
    made = bench.attempt()
    row = made.row
    assert made.end == ("success", "goal_satisfied")
    assert made.stages == [
        *("classifying", *LOOP, "planning", "researching", "report", "complete"),
    ]
    assert row["evidence"] == {
        "records": 3,
        "comments": 2,
        "downloaded_media_count": 1,
        "downloaded_media_bytes": 7000,
    }
    timing = row["timing_ms"]
    assert len(row["jev_step_latency_ms"]) == 4 == len(bench.server.requests)
    assert 0 < timing["media"] < timing["socai_browser"] < timing["total"]
    assert timing["jev_total"] + timing["socai_browser"] <= timing["total"]
    assert row["started_at"] < row["ended_at"]
    assert row["jev_model"] == bench.pins["--jev-model"]


PREFLIGHT: dict[str, tuple[Script, Mapping[str, str], str]] = {
    "SOCAI_VERSION_UNVERIFIABLE: no version": (
        {"version": "unknown"},
        {},
        "capability_unavailable",
    ),
    "SOCAI_VERSION_UNVERIFIABLE: not installed": (
        {"answers": [{"when": "--help", "exit": 1}]},
        {},
        "capability_unavailable",
    ),
    "SOCAI_VERSION_MISMATCH": ({"version": "socai 0.6.1"}, {}, "capability_unavailable"),
    "SOCAI_CAPABILITY_MISSING": (
        {"commands": {"instagram": ["search"]}},
        {},
        "capability_unavailable",
    ),
    "ONBOARDING_REQUIRED": ({}, {"JEV_SOCIAL_SYSTEM_ONE_URL": ""}, "decision_failed"),
    "INVALID_DECISION_PROVIDER": (
        {},
        {"JEV_SOCIAL_SYSTEM_ONE_URL": "http://example.org/v1/systemone"},
        "decision_failed",
    ),
    "INVALID_DECISION_PROVIDER: time": (
        {},
        {"JEV_SOCIAL_SYSTEM_ONE_TIMEOUT_MS": "120001"},
        "decision_failed",
    ),
}


@pytest.mark.parametrize(
    ("script", "variables", "reason"), PREFLIGHT.values(), ids=PREFLIGHT.keys()
)
def test_what_fails_before_a_decision_leaves_a_row(
    bench: Bench, script: Script, variables: Mapping[str, str], reason: str
) -> None:
    bench.socai(script)
    bench.variables |= variables
    made = bench.attempt()
    assert made.end == ("failed", reason)
    assert made.stages == []
    assert (made.row["jev_step_latency_ms"], made.row["evidence"]) == ([], NOTHING)
    assert bench.server.requests == []


def test_a_version_that_is_printed_with_a_v_is_recognised(bench: Bench) -> None:
    bench.socai({"version": "v0.6.0"})
    bench.pins["--socai-version"] = "v0.6.0"
    assert bench.attempt(max_steps=1).end == ("partial", "step_limit")


ROUTES: dict[str, Reply] = {
    "JEV_ROUTE_MISMATCH": {"want": ["instagram_search"]},
    "JEV_ROUTE_MISMATCH: unsupported": {"want": ["unsupported"]},
    "LOW_CLASSIFICATION_CONFIDENCE": {"confidence": 0.34},
    "JEV_UNAVAILABLE": {"status": 500},
    "INVALID_JEV_RESPONSE": {"answer": {"choice": "x"}},
    "MODEL_PIN_MISMATCH": {"model": "acme/other-1", "status": 200, "answer": {"type": "x"}},
}


@pytest.mark.parametrize("reply", ROUTES.values(), ids=ROUTES.keys())
def test_a_route_that_fails_is_timed_and_ends_it(bench: Bench, reply: Reply) -> None:
    bench.decisions({**reply, "sleep": 0.05})
    made = bench.attempt()
    assert made.end == ("failed", "decision_failed")
    assert made.stages[:1] == ["classifying"]
    assert len(made.row["jev_step_latency_ms"]) == 1
    assert made.row["timing_ms"]["jev_total"] >= 50
    assert made.row["timing_ms"]["socai_browser"] == 0


def test_a_platform_whose_commands_cannot_be_listed_ends_it_after_the_route(bench: Bench) -> None:
    bench.socai({"answers": [{"when": "tiktok --help", "exit": 1}]})
    made = bench.attempt()
    assert made.end == ("failed", "capability_unavailable")
    assert len(made.row["jev_step_latency_ms"]) == 1


@pytest.mark.parametrize(
    ("steps", "replies", "kept"),
    [
        (1, [{}, {"model": "acme/other-1"}], 3),
        (4, [{}, {}, {"model": None}], 3),
        (4, [{"model": "acme/other-1"}], 3),
    ],
    ids=["of a step-limited run", "not verified", "of the route"],
)
def test_a_wrong_model_is_reported_and_what_was_found_is_kept(
    bench: Bench, steps: int, replies: list[Reply], kept: int
) -> None:
    bench.decisions(*replies)
    made = bench.attempt(max_steps=steps)
    assert made.end == ("partial", "decision_failed")
    assert made.row["evidence"]["records"] == kept
    assert made.row["timing_ms"]["socai_browser"] > 0
    assert "row_invalid" in made.stages


def test_media_below_a_root_that_is_configured_in_socai_counts(bench: Bench) -> None:
    del bench.variables["SOCAI_RUNS_DIR"]
    (bench.folder / "configured").mkdir()
    bench.socai({"runs_dir": str(bench.folder / "configured")})
    assert bench.attempt().row["evidence"]["downloaded_media_count"] == 1


def test_media_outside_every_root_does_not_count(bench: Bench, tmp_path: Path) -> None:
    outside = tmp_path / "outside.mp4"
    outside.write_bytes(b"x")
    item = {"ok": True, "entity": {"video": {"local_path": str(outside)}}}
    bench.socai({"answers": [{"when": "tiktok get-videos", "json": {"videos": [item]}}]})
    made = bench.attempt()
    assert made.end == ("success", "goal_satisfied")
    assert made.row["evidence"]["downloaded_media_count"] == 0
    assert made.row["timing_ms"]["media"] > 0


def test_media_that_was_not_asked_for_does_not_count(bench: Bench) -> None:
    inside = bench.folder / "runs" / "a.mp4"
    inside.write_bytes(b"x")
    cards = [{"url": "https://www.tiktok.com/@a/video/1", "local_path": str(inside)}]
    bench.socai({"answers": [{"when": "tiktok search", "json": {"cards": cards}}]})
    bench.decisions({}, {"want": ["search_*"]}, {"want": ["finish"]})
    made = bench.attempt()
    assert made.row["evidence"]["records"] == 1
    assert made.row["evidence"]["downloaded_media_count"] == 0


def test_more_files_than_records_fail_the_verification_and_nothing_else(bench: Bench) -> None:
    paths = [bench.folder / "runs" / f"{number}.jpg" for number in range(4)]
    for path in paths:
        path.write_bytes(b"x")
    item = {"ok": True, "images": [{"local_path": str(path)} for path in paths]}
    bench.socai({"answers": [{"when": "tiktok get-videos", "json": {"videos": [item]}}]})
    made = bench.attempt()
    assert made.end == ("partial", "media_unavailable")
    assert made.stages[-1] == "media_verification_failed"
    assert made.row["evidence"] == NOTHING | {"records": 3}


def test_an_error_of_the_verification_fails_nothing_else(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(CANARY)

    monkeypatch.setattr(media, "found", fail)
    made = bench.attempt()
    assert made.end == ("partial", "media_unavailable")
    assert made.stages[-1] == "media_verification_failed"


def test_a_fault_of_the_collector_leaves_a_row(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError(CANARY)

    monkeypatch.setattr(Socai, "act", fail)
    made = bench.attempt()
    assert made.end == ("failed", "unknown")
    assert len(made.row["jev_step_latency_ms"]) == 2
    assert capfd.readouterr() == ("", "")


class Jumping(datetime):
    """A wall clock that is set an hour forward between two looks at it."""

    looks = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Return the time, an hour later each time."""
        cls.looks += 1
        now = datetime.now(tz or UTC) + timedelta(hours=cls.looks)
        return cls.fromtimestamp(now.timestamp(), tz)


@pytest.mark.faults
def test_a_clock_that_is_set_meanwhile_costs_the_measurements_and_not_the_row(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, proven: Proven
) -> None:
    monkeypatch.setattr(module, "datetime", Jumping)
    made = bench.attempt()
    assert made.end == ("failed", "unknown")
    assert made.stages[-1] == "row_invalid"
    assert (made.row["jev_step_latency_ms"], made.row["evidence"]) == ([], NOTHING)
    assert made.row["timing_ms"]["total"] > 0
    proven("a clock set meanwhile: jev-social", 1, "a valid row without measurements")


def contents(folder: Path) -> dict[str, Any]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_an_attempt_has_no_state_but_its_row(bench: Bench) -> None:
    home = bench.folder / "home"
    (home / ".jev-social" / "runs").mkdir(parents=True)
    (home / ".jev-social" / "config.json").write_text('{"openrouterApiKey": "k"}', "utf-8")
    before = contents(home)
    assert bench.attempt().end == ("success", "goal_satisfied")
    assert contents(home) == before
    assert contents(bench.folder / "tmp") == {}


def test_a_request_to_stop_that_came_before_ends_it_at_once(bench: Bench) -> None:
    bench.stop.request()
    made = bench.attempt()
    assert made.end == ("failed", "interrupted")
    assert bench.server.requests == []
    assert bench.actions() == []
