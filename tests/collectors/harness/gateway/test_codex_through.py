"""The real codex through a gateway: turns, usage and cost are exactly those of the script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.usage import ModelUsage
from benchdata.stats import pricing
from collectors.harness.agents.codex import TOKEN
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.gateway import Gateway
from tests.support.driven import MODEL, Driven, ask, drive
from tests.support.gated import CREDENTIAL, Watch, gated, tokens
from tests.support.responses_api import serving

pytestmark = pytest.mark.agents

SUBTASK = "draw the beak alone"


def shell(command: str) -> dict[str, Any]:
    return {"name": "exec_command", "arguments": {"cmd": command}}


def used(whole: int, cached: int, output: int, reasoning: int = 0) -> dict[str, int]:
    counts = {"input_tokens": whole, "cached_tokens": cached}
    return {**counts, "output_tokens": output, "reasoning_tokens": reasoning}


def counted(*counts: int | None) -> list[ModelUsage]:
    return [tokens(*counts, model=MODEL["responses"])]


def run(
    driver: AgentDriver, folder: RunFolder, gateway: Gateway, *extra: str, **rest: Any
) -> Driven:
    """Run the agent with the gateway's token in the place of a key."""
    token = {TOKEN: gateway.token}
    return drive(driver, ask(driver), folder, gateway.url, environment=token, extra=extra, **rest)


TWO_TOOLS = {
    "reasoning": "two at once",
    "text": "Writing.",
    "tool_calls": [shell("echo a > a.txt"), shell("echo b > b.txt")],
    "usage": used(900, 300, 40, 8),
}
ONE_TOOL = {"tool_calls": [shell("echo c > c.txt")], "usage": used(1000, 900, 9)}
LAST = {"text": "Done.", "usage": used(1100, 1000, 5)}
SCRIPT = {"replies": [TWO_TOOLS, ONE_TOOL, LAST]}
SNAPSHOTS = [["a.txt", "b.txt"], ["a.txt", "b.txt", "c.txt"]]
COST = (800 * 5.0 + 54 * 30.0 + 2200 * 0.5) / 1_000_000


def test_turns_usage_and_cost_are_those_of_the_script(
    codex: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    watch = Watch(folder.work)
    with serving(SCRIPT) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(codex, folder, gateway)
    assert (done.code, done.report.answer) == (0, "Done.")
    assert (gateway.turns, watch.files) == (3, SNAPSHOTS)
    assert gateway.usage() == list(done.report.usage) == counted(800, 54, 0, 2200)
    assert pricing.load().cost(gateway.usage()) == pytest.approx(COST, abs=1e-12)
    sent = {asked.headers["authorization"] for asked in server.asked}
    assert sent == {f"Bearer {CREDENTIAL}"}
    assert gateway.last_status == 200


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_a_held_agent_notices_nothing(
    codex: AgentDriver, folder: RunFolder, tmp_path: Path, seconds: int
) -> None:
    watch = Watch(folder.work, seconds)
    script = {"replies": [TWO_TOOLS, LAST]}
    with serving(script) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(codex, folder, gateway, meanwhile=lambda agent: agent.wait(seconds + 30))
    assert (done.code, done.report.failed, done.report.answer) == (0, False, "Done.")
    assert (watch.files, gateway.turns, len(server.asked)) == (SNAPSHOTS[:1], 2, 2)
    assert seconds <= gateway.held_s < seconds + 1


@pytest.mark.parametrize(
    ("policy", "cause", "asked"),
    [
        ({"model": "gpt-5.4"}, "model", 0),
        ({"max_turns": 1}, "max_turns", 1),
        ({"max_cost_usd": 0.005, "prices": pricing.load()}, "max_cost", 2),
    ],
    ids=["model", "turns", "cost"],
)
def test_a_refusal_ends_the_agent_at_once(
    codex: AgentDriver,
    folder: RunFolder,
    tmp_path: Path,
    policy: dict[str, Any],
    cause: str,
    asked: int,
) -> None:
    with serving(SCRIPT) as server, gated(server, tmp_path, **policy) as gateway:
        done = run(codex, folder, gateway)
    assert (done.code, done.report.failed) == (1, True)
    assert (len(server.asked), gateway.turns) == (asked, asked)
    assert [each.refused for each in gateway.exchanges] == [None] * asked + [cause]


def test_errors_of_the_api_and_retries_are_no_turns(
    codex: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    failing = {"fail": "try again", "fail_code": "server_error"}
    broken = {**ONE_TOOL, "break_after": 2}
    script = {"replies": [{"status": 503}, TWO_TOOLS, failing, broken, ONE_TOOL, LAST]}
    watch = Watch(folder.work)
    with serving(script) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(codex, folder, gateway)
    assert (done.code, done.report.answer) == (0, "Done.")
    assert (gateway.turns, watch.files, len(server.asked)) == (3, SNAPSHOTS, 6)
    errors = [each.error for each in gateway.exchanges]
    assert errors == ["server_error", None, "server_error", "broken", None, None]
    assert gateway.usage() == counted(None, None, None, None)


def test_a_subagent_is_priced_and_makes_no_turns(
    codex: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    spawn = {
        "name": "spawn_agent",
        "namespace": "multi_agent_v1",
        "arguments": {"message": SUBTASK},
    }
    script = {
        "replies": [
            {"tool_calls": [spawn], "usage": used(10, 0, 1)},
            {"tool_calls": [shell("sleep 2")], "usage": used(20, 0, 2)},
            LAST,
        ],
        "routes": [{"opening": SUBTASK, "default": {"text": "Drawn.", "usage": used(30, 0, 3)}}],
    }
    on = ("-c", "agents.enabled=true")
    with serving(script) as server, gated(server, tmp_path) as gateway:
        done = run(codex, folder, gateway, *on)
    assert (done.code, gateway.turns) == (0, 3)
    assert sorted(each.kind for each in gateway.exchanges) == ["main", "main", "main", "sub"]
    assert gateway.usage() == counted(160, 11, 0, 1000)
    assert len(server.asked) == 4


def test_summing_up_a_long_conversation_is_a_side_request(
    codex: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    long = {**TWO_TOOLS, "usage": used(400_000, 0, 1)}
    script = {"replies": [long, LAST], "side": {"text": "So far: a, b.", "usage": used(50, 0, 6)}}
    early = ("-c", "model_auto_compact_token_limit=1000")
    watch = Watch(folder.work)
    with serving(script) as server, gated(server, tmp_path, on_turn=watch) as gateway:
        done = run(codex, folder, gateway, *early)
    assert (done.code, done.report.answer, watch.files) == (0, "Done.", SNAPSHOTS[:1])
    assert [each.kind for each in gateway.exchanges] == ["main", "side", "main"]
    assert (gateway.turns, gateway.usage()) == (2, counted(400_150, 12, 0, 1000))
