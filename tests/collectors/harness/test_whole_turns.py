"""Turns on the whole, of every agent: held, killed, repeated, broken off, and counted exactly."""

from __future__ import annotations

import threading
import time
import uuid
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import folders
from collectors.harness.agents.driver import RETRIES
from collectors.harness.agents.registry import driver
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.relay import Decision
from collectors.harness.supervisor.descent import descendants
from tests.support.collecting import wait_until
from tests.support.gated import Watch
from tests.support.whole import Reply, Whole, processes_with

DAEMON = "(setsid sh -c 'trap \"\" TERM INT HUP; sleep 600; : {}' >/dev/null 2>&1 &)"
FIRST, SECOND, LAST = (900, 70, 10), (40, 8, 900), (50, 5, 950)


def only(*names: str) -> pytest.MarkDecorator:
    """Run a test with these agents alone, all of them real."""
    agents = [pytest.param(name, marks=pytest.mark.agents) for name in names]
    return pytest.mark.parametrize("whole", agents, indirect=True)


def two_tools(whole: Whole) -> Reply:
    """Return a message with thinking, words and two tool calls."""
    calls = [whole.dialect.write("a.txt", "a"), whole.dialect.shell("echo b > b.txt")]
    thinking = {whole.dialect.thinking: "both at once", "text": "Writing."}
    return whole.message(*calls, counts=FIRST, **thinking)


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_a_hold_after_two_tools_is_noticed_by_nobody(
    whole: Whole, folder: RunFolder, seconds: int
) -> None:
    """The time limit is shorter than the longer hold."""
    watch = Watch(folder.work, seconds)
    replies = (two_tools(whole), whole.said(*LAST))
    found, server = whole.run(folder, *replies, facts={"timeout_s": 50.0}, on_turn=watch)
    assert (found.outcome, found.report.answer, found.turns) == ("completed", "Done.", 2)
    assert watch.files == [["a.txt", "b.txt"]]
    assert seconds <= found.held_s < seconds + 1
    total = [a + b for a, b in zip(FIRST, LAST, strict=True)]
    assert found.usage == [whole.tokens(*total)]
    if whole.driver.name != "scripted":  # which tells no cost, and what it used as claude does
        assert list(found.report.usage) == found.usage
    assert len(server.asked) == 2
    assert found.agent_s < 50


def test_killed_while_held_it_asks_nothing_and_leaves_nothing(
    whole: Whole, folder: RunFolder
) -> None:
    mark = f"mark-{uuid.uuid4()}"
    held, over = threading.Event(), threading.Event()

    def hold(_: int) -> Decision:
        held.set()
        time.sleep(1)
        over.set()
        return "go"

    replies = (whole.shell(DAEMON.format(mark), *FIRST), whole.shell("touch never"))
    found, server = whole.run(folder, *replies, on_turn=hold, halted=held.is_set)
    assert (found.outcome, found.reason, over.is_set()) == ("interrupted", None, True)
    assert (found.turns, found.usage, len(server.asked)) == (1, [whole.tokens(*FIRST)], 1)
    assert not (folder.work / "never").exists()
    assert processes_with(mark) == []


def run_held(name: str, place: Path) -> None:
    """Run an agent and never let it go on after its first turn."""

    def hold(_: int) -> Decision:
        (place / "held").touch()
        time.sleep(600)
        return "go"

    whole = Whole(driver(name))
    whole.run(folders.create(place), whole.shell(DAEMON.format(place.name)), on_turn=hold)


def test_nothing_is_left_when_the_harness_is_killed_while_it_holds(
    whole: Whole, tmp_path: Path
) -> None:
    place = tmp_path / f"mark-{uuid.uuid4()}"
    harness = get_context("spawn").Process(target=run_held, args=(whole.driver.name, place))
    harness.start()
    assert harness.pid is not None
    wait_until((place / "held").exists, 60)
    below = descendants(harness.pid)
    assert below & set(processes_with(place.name))
    harness.kill()
    harness.join()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below), 20)
    assert processes_with(place.name) == []
    assert (place / "raw" / "requests.jsonl").read_text().count("\n") == 1


REPEATING = only("claude", "codex")
"""The scripted agent takes no stream and repeats no request."""
SUMMING_UP = only("codex")
"""With the settings of a run claude makes no side request, and the scripted agent never does."""
OVERLOADED = {"status": 529, "error_type": "overloaded_error"}
LIMITED = {"status": 429, "error_type": "rate_limit_error", "headers": {"retry-after": "0"}}


@REPEATING
def test_repeated_requests_are_no_turns(whole: Whole, folder: RunFolder) -> None:
    watch = Watch(folder.work)
    then = whole.shell("echo c > c.txt", *SECOND)
    replies = (OVERLOADED, two_tools(whole), LIMITED, {"status": 500}, then, whole.said(*LAST))
    found, server = whole.run(folder, *replies, on_turn=watch)
    assert (found.outcome, found.report.answer, found.turns) == ("completed", "Done.", 3)
    assert watch.files == [["a.txt", "b.txt"], ["a.txt", "b.txt", "c.txt"]]
    total = [sum(each) for each in zip(FIRST, SECOND, LAST, strict=True)]
    assert found.usage == [whole.tokens(*total)]
    assert [each.status for each in found.exchanges] == [529, 200, 429, 500, 200, 200]
    assert [each.turn for each in found.exchanges] == [1, 1, 2, 2, 2, 3]
    assert len(server.asked) == 6


@pytest.mark.parametrize(
    ("status", "outcome", "reason"),
    [
        (429, "infrastructure", "rate_limited"),
        (500, "infrastructure", "api_unavailable"),
        (529, "infrastructure", "api_unavailable"),
        (400, "agent_error", "agent_exit"),
    ],
)
def test_an_api_that_fails_to_the_end_is_told_by_its_last_status(
    whole: Whole, folder: RunFolder, status: int, outcome: str, reason: str
) -> None:
    fault: dict[str, Any] = {"status": status, "consume": False, "headers": {"retry-after": "0"}}
    found, server = whole.run(folder, whole.shell("echo a > a.txt", *FIRST), fault)
    assert (found.outcome, found.reason, found.turns) == (outcome, reason, 1)
    assert found.usage == [whole.tokens(*FIRST)]
    assert (
        len(server.asked) <= 1 + (RETRIES + 1) ** 2
    )  # codex repeats a stream of repeated requests


@REPEATING
def test_a_message_that_breaks_off_makes_the_usage_unknown(whole: Whole, folder: RunFolder) -> None:
    broken = {**two_tools(whole), "break_after": 2}
    replies = (broken, two_tools(whole), whole.said(*LAST))
    found, server = whole.run(folder, *replies)
    assert (found.outcome, found.turns, len(server.asked)) == ("completed", 2, 3)
    assert [each.error for each in found.exchanges] == ["broken", None, None]
    (usage,) = found.usage
    assert usage.output_tokens is None


def test_an_answer_that_never_comes_is_of_the_api(whole: Whole, folder: RunFolder) -> None:
    found, _ = whole.run(folder, {"drop": True, "consume": False})
    assert (found.outcome, found.reason, found.turns) == ("infrastructure", "api_unavailable", 0)


def test_another_model_that_answers_ends_the_run_without_a_score(
    whole: Whole, folder: RunFolder
) -> None:
    """Also when its answer is the last one."""
    other = {**whole.said(*LAST), "model": "other-9"}
    found, server = whole.run(folder, whole.shell("true", *FIRST), other)
    assert (found.outcome, found.reason, found.stopped) == ("interrupted", None, "model")
    assert sorted(each.model for each in found.usage) == sorted([whole.model, "other-9"])
    assert len(server.asked) == 2


@SUMMING_UP
def test_a_side_request_is_priced_and_no_turn(whole: Whole, folder: RunFolder) -> None:
    """The program sums up a conversation that has become too long."""
    long = (400_000, 1, 0)
    replies = (whole.shell("echo a > a.txt", *long), whole.said(*LAST))
    found, _ = whole.run(folder, *replies)
    assert [each.kind for each in found.exchanges] == ["main", "side", "main"]
    untold = (100, 20, 0)  # what the stand-in says of the side request
    total = [sum(each) for each in zip(long, untold, LAST, strict=True)]
    assert (found.outcome, found.turns) == ("completed", 2)
    assert found.usage == [whole.tokens(*total)]


def test_what_it_may_use_holds_no_subagents_and_no_network(whole: Whole, folder: RunFolder) -> None:
    """So no run here has subagents; that they are priced apart is shown where they are allowed."""
    _, server = whole.run(folder)
    names = {str(each.get("name") or each.get("type")) for each in server.asked[0].body["tools"]}
    assert names
    hidden = ("agent", "task", "web", "browser", "cron", "schedule", "monitor", "mcp")
    assert not [name for name in names if any(word in name.lower() for word in hidden)]
