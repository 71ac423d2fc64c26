"""`benchdata mcp`: a process that an agent starts and talks with over its standard streams."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from tests.support.command import ended, refused, run, start
from tests.support.drawn import DEMO
from tests.support.mcp_calls import data


def test_a_client_that_starts_it_is_answered() -> None:
    arguments = ["-m", "benchdata", "mcp", "--data", str(DEMO)]
    sql = {"sql": "select count(*) as n from rows"}

    async def go() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=arguments)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert {"query", "summarize", "gate", "compare", "benchmark"} <= names
            assert data(await client.call_tool("query", sql))["rows"] == [{"n": 122}]
            assert (await client.call_tool("query", {"sql": "drop table rows"})).is_error

    anyio.run(go)


def test_the_handshake_of_older_clients_is_served_and_nothing_else_is_on_the_wire() -> None:
    process = start("mcp", "--data", DEMO)
    assert process.stdin
    assert process.stdout
    asked = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    result = json.loads(process.stdout.readline())["result"]
    assert result["protocolVersion"] == "2025-11-25"
    assert result["serverInfo"]["name"] == "benchdata"
    done = ended(process)
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_it(tmp_path: Path, number: signal.Signals, code: int) -> None:
    process = start("mcp", cwd=tmp_path)
    assert process.stdin
    assert process.stdout
    process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(number)
    try:
        assert process.wait(30) == code
    finally:
        process.kill()
        process.communicate()


def test_without_the_sdk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    said = refused(run("mcp"))
    assert said == "benchdata: the MCP SDK is not installed here: pip install 'benchdata[mcp]'"


def test_data_that_is_not_there_is_refused_before_anything_is_served() -> None:
    assert "nothing.ndjson: no such file" in refused(run("mcp", "--data", "nothing.ndjson"))


def test_the_help_needs_no_sdk() -> None:
    program = "import sys; sys.modules['mcp'] = None; from benchdata.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "mcp", "--help"], capture_output=True, check=True
    )
    assert b"--data" in done.stdout
