"""The loop: which statuses it ends in, what it asks, and that a failing command does not end it."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.collectors.jev_social.conftest import Bench
from tests.support.collecting import wait_until
from tests.support.decision_server import Reply
from tests.support.socai_stand_in import Script, calls

SEARCH: Reply = {"want": ["search_*"]}
STATE: Reply = {"want": ["page_state_*"]}
READ: Reply = {"want": ["read_post_*"]}
FINISH: Reply = {"want": ["finish"]}


def answer(when: str, **answer: Any) -> Script:
    return {"answers": [{"when": when, **answer}]}


ENDS: dict[str, tuple[Script, list[Reply], tuple[str, str]]] = {
    "completed": ({}, [SEARCH, FINISH], ("success", "goal_satisfied")),
    "partial: nothing found": ({"found": 0}, [SEARCH, FINISH], ("failed", "empty_results")),
    "partial: an action failed": (
        answer("tiktok page_state", exit=1),
        [SEARCH, STATE, FINISH],
        ("partial", "cli_failed"),
    ),
    "partial: an action said that it failed": (
        answer("tiktok page_state", json={"ok": False}),
        [SEARCH, STATE, FINISH],
        ("partial", "unknown"),
    ),
    "partial: and gave its code": (
        answer("tiktok page_state", json={"ok": False, "error": {"code": "BROWSER_GONE"}}),
        [SEARCH, STATE, FINISH],
        ("partial", "browser_unavailable"),
    ),
    "partial: with no items": (
        answer("tiktok search", stdout="garbage"),
        [SEARCH, FINISH],
        ("failed", "cli_failed"),
    ),
    "blocked": (
        answer("tiktok search", json={"ok": False, "reason": "login_required", "cards": []}),
        [SEARCH],
        ("failed", "login_required"),
    ),
    "blocked: after items": (
        answer("tiktok page_state", json={"challenge_required": True}),
        [SEARCH, STATE],
        ("partial", "challenge_required"),
    ),
    "blocked: too often": (
        answer("tiktok page_state", json={"rate_limited": True}),
        [SEARCH, STATE],
        ("partial", "rate_limited"),
    ),
    "step_limit": ({}, [SEARCH, STATE, READ, READ], ("partial", "step_limit")),
    "decision_failed": ({}, [SEARCH, {"status": 500}], ("partial", "decision_failed")),
    "decision_failed: unsure": ({}, [SEARCH, {"confidence": 0.1}], ("partial", "decision_failed")),
    "failed: the first action is not decided": (
        {},
        [{"drop": True}],
        ("failed", "decision_failed"),
    ),
    "failed: or not surely": ({}, [{"confidence": 0.1}], ("failed", "decision_failed")),
}


@pytest.mark.parametrize(("script", "replies", "end"), ENDS.values(), ids=ENDS.keys())
def test_a_run_ends_in_the_protocols_statuses(
    bench: Bench, script: Script, replies: list[Reply], end: tuple[str, str]
) -> None:
    bench.socai(script)
    bench.decisions({}, *replies)
    made = bench.attempt()
    assert made.end == end
    assert len(made.row["jev_step_latency_ms"]) == len(replies) + 1
    assert bench.server.replies == []


def test_a_goal_that_leaves_nothing_to_do_ends_without_results(bench: Bench) -> None:
    bench.socai({"commands": {"tiktok": ["search"]}})
    made = bench.attempt(goal="-x")
    assert made.end == ("failed", "empty_results")
    assert len(made.row["jev_step_latency_ms"]) == 1


def test_a_failing_command_is_tried_once_and_the_loop_goes_on(bench: Bench) -> None:
    bench.socai(answer("tiktok search", exit=1))
    bench.decisions({}, SEARCH, SEARCH, FINISH)
    made = bench.attempt()
    assert made.end == ("failed", "cli_failed")
    assert [argv[1] for argv in bench.actions()] == ["search", "page_state"]
    assert made.stages.count("planning") == 3
    told = bench.server.requests[2].json["state"]["history"]
    assert told == [
        {
            "action": "Search for: kiln repair",
            "status": "failed",
            "observation": {
                "ok": False,
                "count": 0,
                "blocked": False,
                "urls": [],
                "code": "SOCAI_FAILED",
            },
        }
    ]


def test_what_is_asked_has_the_protocols_shape(bench: Bench) -> None:
    url = "https://www.tiktok.com/@kilns/video/71"
    cards = [{"url": url, "caption": "c" * 500}]
    bench.socai(answer("tiktok search", json={"ok": True, "cards": cards}))
    bench.attempt()
    route, first, second, *_ = (asked.json for asked in bench.server.requests)
    assert route["state"].keys() == {"request", "requested_platform", "supported_workflows"}
    assert route["state"]["requested_platform"] == "tiktok"
    assert route["questions"]["route"]["criteria"].keys() == {
        *("instagram_search", "tiktok_search", "linkedin_search", "unsupported"),
    }
    for asked, key in ((route, "route"), (first, "action")):
        assert asked.keys() == {"model", "state", "questions"}
        question = asked["questions"][key]
        assert question["type"] == "choice"
        assert question["instructions"].keys() == {"task", "rules"}
    assert first["state"] == {
        "request": "Search TikTok for kiln repair and download one video",
        "platform": "tiktok",
        "target_count": 4,
        "remaining_steps": 4,
        "history": [],
        "evidence": [],
    }
    assert "finish" not in first["questions"]["action"]["criteria"]
    assert "finish" in second["questions"]["action"]["criteria"]
    assert second["state"]["remaining_steps"] == 3
    assert second["state"]["evidence"] == [{"url": url, "text": "c" * 400, "detail_read": False}]
    observation = {"ok": True, "count": 1, "blocked": False, "urls": [url]}
    assert second["state"]["history"][0]["observation"] == observation


@pytest.mark.parametrize("steps", [1, 2])
def test_there_are_no_more_decisions_than_steps_and_the_route(bench: Bench, steps: int) -> None:
    bench.decisions({}, SEARCH, READ, READ)
    made = bench.attempt(max_steps=steps)
    assert made.end == ("partial", "step_limit")
    assert len(made.row["jev_step_latency_ms"]) == steps + 1


@pytest.mark.parametrize("platform", ["instagram", "linkedin"])
def test_the_other_platforms_are_researched_too(bench: Bench, platform: str) -> None:
    made = bench.attempt(platform=platform, goal="kiln repair")
    assert made.end == ("success", "goal_satisfied")
    assert made.row["evidence"]["comments"] == 2
    assert made.row["timing_ms"]["media"] == 0
    assert {argv[0] for argv in bench.actions()} == {platform}


@pytest.mark.parametrize("moment", ["a decision", "a command"])
def test_a_request_to_stop_ends_what_is_under_way(bench: Bench, moment: str) -> None:
    hang: Script = answer("tiktok search", sleep=60, ignore_term=True, spawn=60)
    bench.socai(hang if moment == "a command" else {})
    bench.decisions({}, {"sleep": 60 if moment == "a decision" else 0})

    def stop() -> None:
        if moment == "a decision":
            wait_until(lambda: len(bench.server.requests) == 2)
        else:
            wait_until(lambda: bench.actions() != [])
        bench.stop.request()

    thread = threading.Thread(target=stop)
    thread.start()
    made = bench.attempt()
    thread.join()
    assert made.end == ("failed", "interrupted")
    assert len(made.row["jev_step_latency_ms"]) == 2
    browser = made.row["timing_ms"]["socai_browser"]
    assert (browser > 0) is (moment == "a command")
    assert made.row["timing_ms"]["total"] < 20_000
    assert calls(bench.folder / "bin")
