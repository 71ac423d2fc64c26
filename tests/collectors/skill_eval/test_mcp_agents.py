"""The real Claude Code and codex as clients of `benchdata mcp`: rows, a plan, a yes, a result."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import folders
from collectors.harness.folders import RunFolder
from tests.collectors.harness.conftest import installed
from tests.support import benched, messages_api, responses_api, scripted_api
from tests.support.drawn import DEMO
from tests.support.driven import ask, drive
from tests.support.scripted_api import Body, Server, Shape

pytestmark = pytest.mark.agents

Reply = Mapping[str, Any]

RESULTS = {"tool_result", "function_call_output"}
REMEMBERED = {
    "token": re.compile(r"confirmation_token\W+([\w-]{43})"),
    "run": re.compile(r"run_id\W+([0-9a-f-]{36})"),
}
"""What a model repeats of what its tools told it, where a reply says `{{token}}` or `{{run}}`."""


def remembering(shape: Shape) -> Shape:
    """Return an API whose model knows what it was told last."""

    def filled(reply: Reply, body: Body) -> Reply:
        text, told = json.dumps(reply), json.dumps(body)
        for name, pattern in REMEMBERED.items():
            if found := pattern.findall(told):
                text = text.replace(f"{{{{{name}}}}}", found[-1])
        known: Reply = json.loads(text)
        return known

    return replace(
        shape,
        whole=lambda reply, body: shape.whole(filled(reply, body), body),
        stream=lambda reply, body: shape.stream(filled(reply, body), body),
    )


@dataclass(frozen=True)
class Client:
    """An agent program: how its model calls a tool of the server, and how it is told of it."""

    name: str
    shape: Shape

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Return the reply that calls a tool of the server."""
        if self.name == "claude":
            called = {"name": f"mcp__benchdata__{tool}", "input": arguments}
        else:
            called = {"name": tool, "namespace": "mcp__benchdata", "arguments": arguments}
        return {"tool_calls": [called]}

    def flags(self, server: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the arguments that tell the program of the server."""
        if self.name == "claude":
            return ("--mcp-config", json.dumps({"mcpServers": {"benchdata": server}}))
        settings = {
            "command": json.dumps(server["command"]),
            "args": json.dumps(server["args"]),
            **{f"env.{key}": json.dumps(value) for key, value in server["env"].items()},
            "required": "true",
            "default_tools_approval_mode": '"approve"',
        }
        pairs = (f"mcp_servers.benchdata.{key}={value}" for key, value in settings.items())
        return tuple(flag for pair in pairs for flag in ("-c", pair))


CLIENTS = (Client("claude", messages_api.SHAPE), Client("codex", responses_api.SHAPE))


@pytest.fixture(params=CLIENTS, ids=lambda client: client.name)
def client(request: pytest.FixtureRequest) -> Client:
    found: Client = request.param
    installed(found.name)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RunFolder]:
    made = folders.create(tmp_path / "run")
    yield made
    made.remove()


def told(client: Client, folder: RunFolder, *calls: tuple[str, Mapping[str, Any]]) -> list[str]:
    """Let a program's model make these calls; return what it was told after each."""
    server = {
        "command": sys.executable,
        "args": ["-m", "benchdata", "mcp", "--data", str(DEMO)],
        "env": {"XDG_CONFIG_HOME": str(folder.root / "mine"), "PATH": os.environ["PATH"]},
    }
    driver = installed(client.name)
    script = {"replies": [*(client.call(*one) for one in calls), {"text": "Done."}]}
    with scripted_api.serving(remembering(client.shape), script) as api:
        done = drive(driver, ask(driver), folder, api.url, extra=client.flags(server))
        assert (done.code, done.report.answer) == (0, "Done."), done.stderr
        return _results(api)


def _results(api: Server) -> list[str]:
    """Return what came with the last request, of every call in order."""
    body = api.asked[-1].body
    said = [*body.get("messages", ()), *body.get("input", ())]
    parts = [part for each in said for part in _parts(each)]
    return [json.dumps(part) for part in parts if part.get("type") in RESULTS]


def _parts(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    return content if isinstance(content, list) else [message]


def test_it_asks_about_rows(client: Client, folder: RunFolder) -> None:
    sql = "select platform, count(*) as runs from rows group by platform"
    answer, refusal = told(
        client,
        folder,
        ("query", {"sql": sql}),
        ("query", {"sql": "select * from read_csv('/etc/passwd')"}),
    )
    for said in ("linkedin", "30", "instagram", "42"):
        assert said in answer
    assert "table function `read_csv` is not allowed" in refusal
    assert "root:" not in refusal


def test_it_benchmarks_only_with_the_token_of_the_plan(client: Client, folder: RunFolder) -> None:
    asked = benched.place(folder.work)
    plan, alone, changed, begun, status, result = told(
        client,
        folder,
        ("benchmark", asked),
        ("benchmark", {**asked, "confirmation_token": "yes", "confirm": True}),
        ("benchmark", {**asked, "confirmation_token": "{{token}}", "runs": 2}),
        ("benchmark", {**asked, "confirmation_token": "{{token}}"}),
        ("benchmark_status", {"run_id": "{{run}}", "wait_s": 40}),
        ("benchmark_result", {"run_id": "{{run}}"}),
    )
    for said in ("2 executions", "explicit yes", "local:adder", "6 x 7?"):
        assert said in plan
    assert "is not one of this server's" in alone
    assert "is for another plan, which had other repeats" in changed
    assert "run_id" in begun
    assert "2 of 2" in status
    assert "With local:adder" in result
    assert len([*(folder.root / "mine" / "benchdata" / "evals").iterdir()]) == 1
