"""One run of an agent: how it ends, why, what it used, and that nothing of it is left."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import attempt, billing
from collectors.harness.agents.driver import Call
from collectors.harness.agents.registry import driver
from collectors.harness.attempt import Execution, Setting
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.relay import Decision
from collectors.harness.sandbox.probe import choose
from collectors.harness.sandbox.provider import Limits

MODEL = "stand-in-1"
CALL = Call("Do it.", MODEL, "agent")


def bash(command: str, **usage: int) -> dict[str, Any]:
    return {"tool_calls": [{"name": "Bash", "input": {"command": command}}], "usage": usage}


def setting(*replies: dict[str, Any], agent: str = "scripted", **changes: Any) -> Setting:
    payer = billing.choose("scripted", {}, allowed=())
    script = {"replies": list(replies), "default": {"text": "Done."}}
    facts: dict[str, Any] = {"timeout_s": 60.0, "script": script} | changes
    return Setting(driver(agent), choose(), payer, **facts)


@pytest.mark.parametrize(
    "agent", ["scripted", *(pytest.param(name, marks=pytest.mark.agents) for name in ("claude",))]
)
def test_an_agent_that_ends(folder: RunFolder, agent: str, request: pytest.FixtureRequest) -> None:
    if agent != "scripted":
        request.getfixturevalue(agent)
    told = setting(bash("echo hi > made.txt", input_tokens=900, output_tokens=12), agent=agent)
    seen: list[list[str]] = []

    def on_turn(_: int) -> Decision:
        seen.append(sorted(path.name for path in folder.work.iterdir()))
        return "go"

    found = attempt.run(CALL, told, folder, on_turn=on_turn)
    assert (found.outcome, found.reason, found.report.answer) == ("completed", None, "Done.")
    assert seen == [["made.txt"]]
    assert found.turns == 2
    (usage,) = found.usage
    assert (usage.model, usage.input_tokens, usage.output_tokens) == (MODEL, 1000, 32)
    assert 0 <= found.held_s < found.agent_s


def test_time_over_ends_it_and_what_it_used_is_known(folder: RunFolder) -> None:
    told = setting(bash("sleep 60", input_tokens=7), timeout_s=6.0)
    found = attempt.run(CALL, told, folder)
    assert (found.outcome, found.reason) == ("timeout", "agent_timeout")
    assert found.usage[0].input_tokens == 7
    assert found.agent_s < 20


def test_a_program_that_is_slow_to_begin_has_used_its_time(folder: RunFolder) -> None:
    found = attempt.run(CALL, setting(timeout_s=0.001), folder)
    assert (found.outcome, found.reason) == ("timeout", "agent_timeout")


@pytest.mark.parametrize("before", [0, 1], ids=["the first answer", "the last answer"])
def test_what_another_model_had_a_part_in_says_nothing(folder: RunFolder, before: int) -> None:
    replies = [bash("true")] * before + [{"text": "I am another.", "model": "other-1"}]
    found = attempt.run(CALL, setting(*replies), folder)
    assert (found.outcome, found.reason, found.stopped) == ("interrupted", None, "model")
    assert [each.model for each in found.usage] == ["other-1", MODEL][: before + 1]


def test_the_time_it_is_held_does_not_count(folder: RunFolder) -> None:
    told = setting(bash("true"), timeout_s=5.0)

    def hold(_: int) -> Decision:
        time.sleep(5.5)
        return "go"

    found = attempt.run(CALL, told, folder, on_turn=hold)
    assert (found.outcome, found.turns) == ("completed", 2)
    assert found.held_s >= 5.5
    assert found.agent_s < 5


def test_a_stop_between_turns_asks_nothing_more(folder: RunFolder) -> None:
    told = setting(bash("true"), bash("touch never"))
    found = attempt.run(CALL, told, folder, on_turn=lambda _: "stop")
    assert (found.outcome, found.stopped, found.turns) == ("completed", "stop", 1)
    assert not [*folder.work.iterdir()]


def test_a_cap_on_turns_refuses_the_next(folder: RunFolder) -> None:
    told = setting(*[bash("echo x >> turns")] * 9, max_turns=3)
    found = attempt.run(CALL, told, folder)
    assert (found.stopped, found.turns) == ("max_turns", 3)
    assert (folder.work / "turns").read_text() == "x\n" * 3


def test_a_halt_interrupts(folder: RunFolder) -> None:
    since = time.monotonic()
    found = attempt.run(
        CALL, setting(bash("sleep 60")), folder, halted=lambda: time.monotonic() > since + 1
    )
    assert (found.outcome, found.reason) == ("interrupted", None)


def test_a_halt_while_held_ends_when_the_callback_has_ended(folder: RunFolder) -> None:
    held, over = threading.Event(), threading.Event()

    def hold(_: int) -> Decision:
        held.set()
        time.sleep(1.5)
        over.set()
        return "go"

    found = attempt.run(CALL, setting(bash("true")), folder, on_turn=hold, halted=held.is_set)
    assert found.outcome == "interrupted"
    assert over.is_set()


@pytest.mark.parametrize(
    ("fault", "outcome", "reason"),
    [
        ({"status": 429}, "infrastructure", "rate_limited"),
        ({"status": 529}, "infrastructure", "api_unavailable"),
        ({"status": 401}, "infrastructure", "auth"),
        ({"status": 400}, "agent_error", "agent_exit"),
    ],
)
def test_only_what_the_api_proves_is_not_the_agents(
    folder: RunFolder, fault: dict[str, Any], outcome: str, reason: str
) -> None:
    found = attempt.run(CALL, setting(bash("true"), {**fault, "consume": False}), folder)
    assert (found.outcome, found.reason, found.turns) == (outcome, reason, 1)


def evil(command: str, *, limits: Limits | None = None) -> Callable[[RunFolder], Execution]:
    told = setting(bash(command), timeout_s=10.0, limits=limits or Limits())
    return lambda folder: attempt.run(CALL, told, folder)


def test_a_daemon_of_the_agent_ends_with_it(folder: RunFolder) -> None:
    beat = (
        "(setsid sh -c 'trap \"\" TERM INT HUP; while :; do date +%s%N > beat; sleep .1; done'"
        " >/dev/null 2>&1 &)"
    )
    found = evil(f"{beat}; sleep .5")(folder)
    assert found.outcome == "completed"
    last = (folder.work / "beat").read_text()
    time.sleep(0.5)
    assert (folder.work / "beat").read_text() == last


def test_a_flood_is_cut_off(folder: RunFolder) -> None:
    told = setting(*[bash("head -c 30000 /dev/zero | tr '\\0' x")] * 40)
    limited = Setting(**{**_facts(told), "limits": Limits(output_bytes=200_000)})
    found = attempt.run(CALL, limited, folder)
    assert (found.outcome, found.reason) == ("agent_error", "agent_exit")
    assert folder.stdout.stat().st_size <= 200_000


def test_it_sees_neither_this_checkout_nor_other_runs_nor_a_network(
    folder: RunFolder, root: Path
) -> None:
    other = folder.root.parent / "other"
    other.mkdir()
    (other / "secret.txt").write_text("hidden")
    look = (
        f"cat {other}/secret.txt; ls {root}; ls {folder.raw}; cat /proc/1/environ;"
        " timeout 3 bash -c 'echo > /dev/tcp/192.0.2.1/80'; echo looked > done"
    )
    found = evil(look)(folder)
    assert (folder.work / "done").exists()
    said = folder.stdout.read_text()
    assert found.outcome == "completed"
    assert "hidden" not in said
    assert "pyproject" not in said
    assert "requests.jsonl" not in said


def _facts(told: Setting) -> dict[str, Any]:
    return {name: getattr(told, name) for name in Setting.__dataclass_fields__}


@pytest.mark.parametrize("hosts", [(), ("127.0.0.1:{port}",)], ids=["none", "one"])
def test_it_reaches_the_hosts_it_may_and_no_others(
    folder: RunFolder, hosts: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as registry:
        port = registry.getsockname()[1]
        allowed = tuple(host.format(port=port) for host in hosts)
        ask = (
            "import os, socket, sys\n"
            "proxy = os.environ.get('HTTPS_PROXY', 'http://127.0.0.1:8101')\n"
            "way = socket.create_connection(('127.0.0.1', int(proxy.rsplit(':')[-1])), 5)\n"
            "way.sendall(f'CONNECT {sys.argv[1]} HTTP/1.1\\r\\n\\r\\n'.encode())\n"
            "print(way.recv(100).decode().split()[1])\n"
        )
        asked = "; ".join(
            f'/usr/bin/python3 -c "$ASK" {host} >> said 2>/dev/null'
            for host in (f"127.0.0.1:{port}", "192.0.2.1:443")
        )
        told = setting(bash(f"ASK=$(cat <<'END'\n{ask}END\n); {asked}; touch said"), hosts=allowed)
        found = attempt.run(CALL, told, folder)
    assert found.outcome == "completed"
    assert (folder.work / "said").read_text().split() == (["200", "403"] if hosts else [])
    visits = [json.loads(line) for line in folder.visits.read_text().splitlines()]
    assert [each["allowed"] for each in visits] == ([True, False] if hosts else [])
    assert json.loads(folder.profile.read_text())["hosts"] == list(allowed)
