"""The real Claude Code through a gateway: turns, usage and cost are exactly those of the script."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from benchdata.contracts.grammar import Billing
from benchdata.stats import pricing
from collectors.harness.agents.claude import CREDENTIAL as VARIABLE
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.relay import Decision
from tests.support.driven import Driven, ask, drive
from tests.support.gated import CREDENTIAL, Watch, gated, tokens
from tests.support.messages_api import serving

pytestmark = pytest.mark.agents

SUBTASK = "draw the beak alone"


def tool(name: str, **given: Any) -> dict[str, Any]:
    return {"name": name, "input": given}


def bash(command: str) -> dict[str, Any]:
    return tool("Bash", command=command, description="works")


def used(*counts: int) -> dict[str, int]:
    names = ("input_tokens", "output_tokens")
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return dict(zip((*names, *cached), counts, strict=True))


def run(
    driver: AgentDriver,
    folder: RunFolder,
    gateway: Gateway,
    *extra: str,
    variables: Mapping[str, str] | None = None,
    **rest: Any,
) -> Driven:
    """Run the agent with the gateway's token in the place of a key."""
    given = {"ANTHROPIC_API_KEY": gateway.token, **(variables or {})}
    return drive(driver, ask(driver), folder, gateway.url, environment=given, extra=extra, **rest)


TWO_TOOLS = {
    "thinking": "two at once",
    "text": "Writing.",
    "tool_calls": [
        tool("Write", file_path="{{cwd}}/a.txt", content="a"),
        bash("cat a.txt > b.txt"),
    ],
    "usage": used(900, 77, 4000, 10),
}
ONE_TOOL = {"tool_calls": [bash("echo c > c.txt")], "usage": used(30, 8, 100, 4010)}
LAST = {"text": "Done.", "usage": used(7, 5, 0, 4110)}
SCRIPT = {"replies": [TWO_TOOLS, ONE_TOOL, LAST]}
TOTAL = tokens(937, 90, 4100, 8130)
COST = (937 * 3.0 + 90 * 15.0 + 4100 * 3.75 + 8130 * 0.3) / 1_000_000


SNAPSHOTS = [["a.txt", "b.txt"], ["a.txt", "b.txt", "c.txt"]]


def test_turns_usage_and_cost_are_those_of_the_script(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    """Two tools in one message, thinking, and a snapshot with all of a turn's files in it."""
    watch = Watch(folder.work)
    with serving(SCRIPT) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(claude, folder, gateway)
    assert (done.code, done.report.answer) == (0, "Done.")
    assert (gateway.turns, watch.files) == (3, SNAPSHOTS)
    assert gateway.usage() == list(done.report.usage) == [TOTAL]
    assert pricing.load().cost(gateway.usage()) == pytest.approx(COST, abs=1e-12)
    assert done.report.cost_usd == pytest.approx(COST, abs=1e-12)
    assert (len(server.asked), gateway.last_status, gateway.stopped) == (3, 200, None)


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_a_held_agent_notices_nothing(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path, seconds: int
) -> None:
    watch = Watch(folder.work, seconds)
    script = {"replies": [TWO_TOOLS, LAST]}
    with serving(script) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(claude, folder, gateway, meanwhile=lambda agent: agent.wait(seconds + 30))
    assert (done.code, done.report.failed, done.report.answer) == (0, False, "Done.")
    assert (watch.files, gateway.turns, len(server.asked)) == (SNAPSHOTS[:1], 2, 2)
    assert seconds <= gateway.held_s < seconds + 1
    assert server.asked[1].headers["x-stainless-retry-count"] == "0"
    assert list(done.report.usage) == gateway.usage() == [tokens(907, 82, 4000, 4120)]


def test_an_agent_that_is_killed_while_held_asks_nothing_and_leaves_nothing(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    held, over = threading.Event(), threading.Event()

    def hold(_: int) -> Decision:
        held.set()
        over.wait(20)
        return "go"

    def kill(process: Popen[bytes]) -> None:
        assert held.wait(20)
        process.kill()
        process.wait(5)
        until = time.monotonic() + 5
        while gateway.exchanges[-1].error != "gone" and time.monotonic() < until:
            time.sleep(0.01)
        over.set()

    with serving(SCRIPT) as server, gated(server, tmp_path, on_turn=hold) as gateway:
        done = run(claude, folder, gateway, meanwhile=kill)
    assert done.code == -9
    assert [each.error for each in gateway.exchanges] == [None, "gone"]
    assert (gateway.turns, gateway.usage(), len(server.asked)) == (
        1,
        [tokens(900, 77, 4000, 10)],
        1,
    )
    assert not gateway.socket.parent.exists()


def test_a_stop_after_a_turn_asks_for_nothing_more(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    watch = Watch(folder.work, stop_at=2)
    with serving(SCRIPT) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(claude, folder, gateway)
    assert (done.code, done.report.failed, done.report.api_status) == (1, True, 402)
    assert (gateway.stopped, gateway.turns, watch.files) == ("stop", 2, SNAPSHOTS)
    assert gateway.usage() == list(done.report.usage) == [tokens(930, 85, 4100, 4020)]
    assert (len(server.asked), gateway.last_status) == (2, 200)
    assert [each.refused for each in gateway.exchanges] == [None, None, "stop"]


@pytest.mark.parametrize(
    ("policy", "cause", "asked"),
    [
        ({"model": "claude-opus-4-8"}, "model", 0),
        ({"max_turns": 1}, "max_turns", 1),
        ({"max_cost_usd": 0.018, "prices": pricing.load()}, "max_cost", 1),
        ({"max_cost_usd": 0.02, "prices": pricing.load()}, "max_cost", 2),
    ],
    ids=["model", "turns", "cost of one", "cost of two"],
)
def test_a_refusal_ends_the_agent_at_once(
    claude: AgentDriver,
    folder: RunFolder,
    tmp_path: Path,
    policy: dict[str, Any],
    cause: str,
    asked: int,
) -> None:
    with serving(SCRIPT) as server, gated(server, tmp_path, **policy) as gateway:
        done = run(claude, folder, gateway)
    assert (done.code, done.report.failed) == (1, True)
    assert (len(server.asked), gateway.turns) == (asked, asked)
    assert [each.refused for each in gateway.exchanges] == [None] * asked + [cause]


def test_errors_of_the_api_and_retries_are_no_turns(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    overloaded = {"status": 529, "error_type": "overloaded_error"}
    limited = {"status": 429, "error_type": "rate_limit_error", "headers": {"retry-after": "0"}}
    script = {"replies": [overloaded, TWO_TOOLS, limited, {"status": 500}, ONE_TOOL, LAST]}
    watch = Watch(folder.work)
    with serving(script) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(claude, folder, gateway)
    assert (done.code, done.report.answer) == (0, "Done.")
    assert (gateway.turns, watch.files) == (3, SNAPSHOTS)
    assert gateway.usage() == list(done.report.usage) == [TOTAL]
    assert [each.status for each in gateway.exchanges] == [529, 200, 429, 500, 200, 200]
    assert [each.turn for each in gateway.exchanges] == [1, 1, 2, 2, 2, 3]


def test_a_message_that_was_cut_off_within_is_asked_again_and_its_output_is_unknown(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    script = {"replies": [{**TWO_TOOLS, "break_after": 3}, TWO_TOOLS, LAST]}
    watch = Watch(folder.work)
    with serving(script) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(claude, folder, gateway)
    assert (done.code, gateway.turns, watch.files) == (0, 2, SNAPSHOTS[:1])
    assert gateway.usage() == [tokens(1807, None, 8000, 4130)]
    assert pricing.load().cost(gateway.usage()) is None
    assert [each.error for each in gateway.exchanges] == ["broken", None, None]
    assert len(server.asked) == 3


def test_a_cut_off_message_whose_tool_has_run_is_a_turn(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    """The program runs a tool as soon as it is announced, and goes on from there."""
    overloaded = {"error_after": 7, "error_type": "overloaded_error"}
    first = {"text": "Now.", "tool_calls": [bash("echo c > c.txt")], **overloaded}
    watch = Watch(folder.work)
    with (
        serving({"replies": [first, LAST]}) as server,
        gated(server, tmp_path, on_turn=watch) as gateway,
    ):
        done = run(claude, folder, gateway)
    assert (done.code, gateway.turns, watch.files) == (0, 2, [["c.txt"]])
    assert [each.error for each in gateway.exchanges] == ["overloaded_error", None]


def test_a_side_request_is_priced_and_no_turn(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    """A web search is a request of its own, which offers the model only a tool of the server."""
    search = {"tool_calls": [tool("WebSearch", query="pelicans")], "usage": used(10, 1, 0, 0)}
    route = {
        "opening": "web search for the query",
        "default": {"text": "x", "usage": used(5, 2, 0, 0)},
    }
    script = {"replies": [search, LAST], "routes": [route]}
    with serving(script) as server, gated(server, tmp_path) as gateway:
        done = run(claude, folder, gateway, "--tools", "Bash,WebSearch")
    assert (done.code, done.report.answer) == (0, "Done.")
    assert [each.kind for each in gateway.exchanges] == ["main", "side", "main"]
    assert (gateway.turns, gateway.usage()) == (2, [tokens(22, 8, 0, 4110)])
    assert len(server.asked) == 3


def test_summing_up_a_long_conversation_is_a_side_request(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    long = {**TWO_TOOLS, "usage": used(190_000, 1, 0, 0)}
    summary = {"text": "<summary>So far: a, b.</summary>", "usage": used(50, 6, 0, 0)}
    early = {
        "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "5",
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000",
    }
    watch = Watch(folder.work)
    with (
        serving({"replies": [long, summary, LAST]}) as server,
        gated(server, tmp_path, on_turn=watch) as gateway,
    ):
        done = run(claude, folder, gateway, variables=early)
    assert (done.code, done.report.answer, watch.files) == (0, "Done.", SNAPSHOTS[:1])
    assert [each.kind for each in gateway.exchanges] == ["main", "side", "main"]
    assert (gateway.turns, gateway.usage()) == (2, [tokens(190_057, 12, 0, 4110)])


@pytest.mark.parametrize("background", [False, True])
def test_a_subagent_is_priced_and_makes_no_turns(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path, *, background: bool
) -> None:
    given = {"description": "the beak", "prompt": SUBTASK, "subagent_type": "general-purpose"}
    delegate = {
        "tool_calls": [tool("Agent", **given, run_in_background=background)],
        "usage": used(10, 1, 0, 0),
    }
    below = [
        {"tool_calls": [bash("echo sub > sub.txt")], "usage": used(2, 3, 0, 0)},
        {"text": "The beak is drawn.", "usage": used(4, 5, 0, 0)},
    ]
    replies = [delegate, LAST, *([LAST] if background else [])]
    script = {"replies": replies, "routes": [{"opening": SUBTASK, "replies": below}]}
    with serving(script) as server, gated(server, tmp_path) as gateway:
        done = run(claude, folder, gateway, "--tools", "Agent,Bash")
    kinds = [each.kind for each in gateway.exchanges]
    assert (kinds.count("main"), kinds.count("sub"), gateway.turns) == (
        len(replies),
        2,
        len(replies),
    )
    assert (done.code, (folder.work / "sub.txt").read_text()) == (0, "sub\n")
    assert done.report.sessions == 1 + background
    last = len(replies) - 1
    assert gateway.usage() == [tokens(16 + 7 * last, 9 + 5 * last, 0, 4110 * last)]
    assert list(done.report.usage) == gateway.usage()
    assert len(server.asked) == len(kinds)


@pytest.mark.parametrize("billing", ["api-key", "subscription"])
def test_the_credential_is_put_in_for_the_token(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path, billing: Billing
) -> None:
    with serving({"replies": [LAST]}) as server, gated(server, tmp_path) as gateway:
        token = {VARIABLE[billing]: gateway.token}
        done = drive(claude, ask(claude), folder, gateway.url, billing=billing, environment=token)
    assert (done.code, done.report.answer) == (0, "Done.")
    assert server.asked[0].headers["authorization"] == f"Bearer {CREDENTIAL}"
    assert gateway.token not in str(server.asked)
    assert "x-api-key" not in server.asked[0].headers
    assert ("oauth" in server.asked[0].headers["anthropic-beta"]) == (billing == "subscription")
    for raw in (folder.stdout, folder.stderr, tmp_path / "requests.jsonl"):
        assert CREDENTIAL not in raw.read_text()
