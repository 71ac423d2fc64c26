"""Turn boundaries without the gateway: the real Claude Code, which asks the stand-in itself."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import InputError
from collectors.harness import attempt, billing, folders
from collectors.harness.agents.claude_turns import GO_ON, SAID
from collectors.harness.agents.driver import AgentDriver, Call
from collectors.harness.agents.registry import driver
from collectors.harness.attempt import Boundaries, Execution, Setting
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.relay import OnTurn
from collectors.harness.holds import Hook
from collectors.harness.sandbox.bubblewrap import Bubblewrap
from collectors.harness.sandbox.probe import choose
from collectors.harness.sandbox.provider import SandboxProvider
from collectors.harness.sandbox.workspace import Workspace
from tests.support.driven import MODEL
from tests.support.gated import Watch, tokens
from tests.support.messages_api import serving
from tests.support.scripted_api import Server

agents = pytest.mark.agents
both = pytest.mark.parametrize("way", ["hook", "process"])

NAMES = (
    *("input_tokens", "output_tokens"),
    *("cache_creation_input_tokens", "cache_read_input_tokens"),
)


def made(*commands: str, counts: tuple[int, ...]) -> dict[str, Any]:
    calls = [{"name": "Bash", "input": {"command": each}} for each in commands]
    return {"tool_calls": calls, "usage": dict(zip(NAMES, counts, strict=True))}


REPLIES = (
    {**made("echo a > a.txt", "cp a.txt b.txt", counts=(900, 77, 4000, 10)), "thinking": "two"},
    made("echo c > c.txt", counts=(30, 8, 100, 4010)),
    made("echo d > d.txt", counts=(20, 6, 50, 4110)),
    {"text": "Done.", **made(counts=(7, 5, 0, 4160)), "tool_calls": []},
)
FILES = [["a.txt", "b.txt"], ["a.txt", "b.txt", "c.txt"], ["a.txt", "b.txt", "c.txt", "d.txt"]]


def run(
    agent: AgentDriver,
    server: Server,
    folder: RunFolder,
    way: Boundaries,
    on_turn: OnTurn | None = None,
    *,
    sandbox: SandboxProvider | None = None,
    **facts: Any,
) -> Execution:
    payer = billing.choose("claude", {}, allowed=(), base_url=server.url)
    known: dict[str, Any] = {"timeout_s": 60.0, **facts}
    setting = Setting(agent, sandbox or choose(), payer, boundaries=way, **known)
    call = Call("Do it.", MODEL["messages"], "agent")
    return attempt.run(call, setting, folder, on_turn=on_turn)


@agents
@both
@pytest.mark.parametrize(
    "sandbox", [Bubblewrap(), Workspace("asked for")], ids=lambda each: each.name
)
def test_turns_and_usage_are_those_of_the_script(
    claude: AgentDriver, folder: RunFolder, way: Boundaries, sandbox: SandboxProvider
) -> None:
    watch = Watch(folder.work)
    with serving({"replies": REPLIES}) as server:
        found = run(claude, server, folder, way, watch, sandbox=sandbox)
    assert (found.outcome, found.reason, found.report.answer) == ("completed", None, "Done.")
    assert (found.turns, found.report.turns, watch.files) == (4, 4, FILES)
    assert found.usage == [tokens(957, 96, 4150, 12290)]
    assert found.report.sessions == {"hook": 1, "process": 4}[way]
    assert (found.stopped, len(server.asked), folder.requests.exists()) == (None, 4, False)


@agents
def test_the_model_is_told_nothing_of_the_hook(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    ways: tuple[tuple[Boundaries, RunFolder], ...] = (
        ("process", folder),
        ("hook", folders.create(tmp_path / "other")),
    )
    told = []
    for way, one in ways:
        with serving({"replies": REPLIES}) as server:
            run(claude, server, one, way, Watch(one.work))
        told.append(str([asked.body for asked in server.asked]).lower())
    without, hooked = told
    assert hooked.count("hook") == without.count("hook")
    assert "posttoolbatch" not in hooked
    assert "/dev/tcp" not in hooked


@agents
def test_one_process_a_message_is_told_to_go_on(claude: AgentDriver, folder: RunFolder) -> None:
    with serving({"replies": REPLIES}) as server:
        run(claude, server, folder, "process")
    last = server.asked[-1].body["messages"]
    assert str(last).count(GO_ON) == 3
    assert [each["role"] for each in last] == ["user", "assistant"] * 3 + ["user"]


@agents
@both
@pytest.mark.parametrize("seconds", [3, pytest.param(65, marks=pytest.mark.slow)])
def test_a_hold_is_waited_for_and_does_not_count(
    claude: AgentDriver, folder: RunFolder, way: Boundaries, seconds: int
) -> None:
    watch = Watch(folder.work, seconds)
    with serving({"replies": [REPLIES[0], REPLIES[-1]]}) as server:
        found = run(claude, server, folder, way, watch)
    assert (found.outcome, found.turns, watch.files) == ("completed", 2, FILES[:1])
    assert seconds <= found.held_s < seconds + 1
    first, second = (asked.at for asked in server.asked)
    assert second - first > seconds
    assert found.usage == [tokens(907, 82, 4000, 4170)]


@agents
@both
@pytest.mark.parametrize("cause", ["stop", "max_turns"])
def test_after_a_stop_nothing_more_is_asked(
    claude: AgentDriver, folder: RunFolder, way: Boundaries, cause: str
) -> None:
    watch = Watch(folder.work, stop_at=2 if cause == "stop" else None)
    with serving({"replies": REPLIES}) as server:
        limit = None if cause == "stop" else 2
        found = run(claude, server, folder, way, watch, max_turns=limit)
    assert (found.outcome, found.stopped, found.turns) == ("completed", cause, 2)
    assert watch.files == FILES[:2]
    assert not (folder.work / "d.txt").exists()
    assert len(server.asked) == 2
    assert found.usage == [tokens(930, 85, 4100, 4020)]


@agents
@both
def test_time_over_in_a_later_turn_ends_it(
    claude: AgentDriver, folder: RunFolder, way: Boundaries
) -> None:
    watch = Watch(folder.work)
    slow = made("while :; do sleep 1; done", counts=(30, 8, 100, 4010))
    with serving({"replies": [REPLIES[0], slow]}) as server:
        found = run(claude, server, folder, way, watch, timeout_s=8.0)
    assert (found.outcome, found.reason, found.turns) == ("timeout", "agent_timeout", 2)
    assert (watch.files, found.agent_s < 20) == (FILES[:1], True)
    assert found.usage == [tokens(930, 85, 4100, 4020)]


@agents
@both
def test_that_another_model_answered_is_known_at_the_end(
    claude: AgentDriver, folder: RunFolder, way: Boundaries
) -> None:
    with serving({"replies": [{"text": "I am another.", "model": "other-1"}]}) as server:
        found = run(claude, server, folder, way)
    assert (found.outcome, found.stopped) == ("interrupted", "model")


@agents
def test_an_endpoint_elsewhere_is_the_one_host_it_reaches(
    claude: AgentDriver, folder: RunFolder
) -> None:
    key = {"ANTHROPIC_API_KEY": "a-key"}
    url = "https://model.invalid"
    payer = billing.choose("claude", key, allowed=("api-key",), base_url=url, declared=True)
    setting = Setting(claude, choose(), payer, 60.0, boundaries="hook")
    found = attempt.run(Call("Do it.", MODEL["messages"], "agent"), setting, folder)
    assert found.report.failed
    visits = [json.loads(line) for line in folder.visits.read_text().splitlines()]
    assert {each["host"] for each in visits if each["allowed"]} == {"model.invalid:443"}


@agents
@both
def test_a_fault_of_the_callback_ends_the_run_and_is_raised(
    claude: AgentDriver, folder: RunFolder, way: Boundaries
) -> None:
    def broken(_: int) -> Any:
        raise LookupError("mine")

    with serving({"replies": REPLIES}) as server, pytest.raises(LookupError, match="mine"):
        run(claude, server, folder, way, broken)
    assert len(server.asked) == 1


def test_a_command_waits_for_the_callback_and_one_that_is_to_stop_hears_nothing() -> None:
    over = threading.Event()

    def on_turn(turn: int) -> Any:
        over.wait(10)
        return "go" if turn == 1 else "stop"

    with Hook(on_turn, None) as hook:
        with said(hook, SAID) as first:
            first.settimeout(0.3)
            with pytest.raises(TimeoutError):
                first.recv(10)
            over.set()
            first.settimeout(10)
            assert first.recv(10) == b"go\n"
        with said(hook, b"nonsense\n") as other:
            assert other.recv(10) == b""
        with said(hook, SAID) as second:
            second.settimeout(0.5)
            with pytest.raises(TimeoutError):
                second.recv(10)
            assert (hook.turns, hook.stopped) == (2, "stop")
    assert not hook.socket.exists()


def said(hook: Hook, words: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", int(hook.url.rsplit(":")[-1])), 10)
    connection.sendall(words)
    return connection


@pytest.mark.parametrize(
    ("facts", "message"),
    [({}, "for claude only"), ({"script": {}}, "script"), ({"max_cost_usd": 1.0}, "max_cost_usd")],
)
def test_what_only_the_gateway_can_do_is_refused(
    facts: Mapping[str, Any], message: str, request: pytest.FixtureRequest
) -> None:
    agent = request.getfixturevalue("claude") if facts else driver("scripted")
    payer = billing.choose(agent.name, {}, allowed=(), base_url="http://127.0.0.1:1")
    with pytest.raises(InputError, match=message):
        Setting(agent, choose(), payer, 1.0, boundaries="hook", **facts)
