"""The real agent programs under bubblewrap: they run, and reach their model and nothing else."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from collectors.harness.agents.driver import AgentDriver, Call
from collectors.harness.billing import Access
from collectors.harness.folders import RunFolder
from collectors.harness.processes import Running
from collectors.harness.sandbox.bubblewrap import Bubblewrap
from collectors.harness.sandbox.forwarder import Forwarder
from collectors.harness.sandbox.probe import bubblewrap_fault
from collectors.harness.sandbox.provider import Room
from tests.support import messages_api, responses_api
from tests.support.confined import SECONDS, marked
from tests.support.driven import MODEL
from tests.support.scripted_api import Server

pytestmark = pytest.mark.agents

PORT = 8080
COMMAND = "echo `id -un` `ls /`; cat /proc/*/environ"
LOOK = {
    "claude": {"name": "Bash", "input": {"command": COMMAND}},
    "codex": {"name": "exec_command", "arguments": {"cmd": COMMAND}},
}
API = {"claude": messages_api, "codex": responses_api}


@pytest.fixture(params=["claude", "codex"])
def driver(request: pytest.FixtureRequest) -> AgentDriver:
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    found: AgentDriver = request.getfixturevalue(request.param)
    return found


@contextmanager
def outside(server: Server, path: Path) -> Iterator[Path]:
    """A unix socket that stands for the port of a server."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        forwarder = Forwarder(listener, lambda: socket.create_connection((host, int(port))))
        yield path
        forwarder.close()
    path.unlink()


def start(driver: AgentDriver, folder: RunFolder, room: Room, *options: str) -> Running:
    """Start a program as its driver does, or with other options."""
    access = Access(f"http://127.0.0.1:{PORT}", "placeholder", "api-key")
    call = Call("look around", MODEL[driver.shape], "agent")
    sandbox = Bubblewrap()
    asked = driver.invocation(call, folder, access, partial(sandbox.inside, room))
    return sandbox.start(
        (asked.argv[0], *options) if options else asked.argv,
        {**asked.environment, "MARK": folder.root.parent.name},
        room,
        stdin=asked.stdin,
        stdout=folder.stdout,
        stderr=folder.stderr,
    )


def test_the_program_starts(driver: AgentDriver, folder: RunFolder) -> None:
    with start(driver, folder, Room(folder.agent, driver.readable()), "--version") as running:
        assert running.wait(SECONDS) == 0
    assert driver.version() in folder.stdout.read_text()


def test_it_works_and_sees_only_its_folder(
    driver: AgentDriver, folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "a3f1-canary")
    short = Path(f"/tmp/test-agent-{folder.root.stat().st_ino}")
    replies = [{"tool_calls": [LOOK[driver.name]]}, {"text": "Done."}]
    with API[driver.name].serving({"replies": replies}) as server, outside(server, short) as path:
        room = Room(folder.agent, driver.readable(), {PORT: path})
        with start(driver, folder, room) as running:
            code = running.wait(SECONDS)
    lines = folder.stdout.read_bytes().splitlines()
    assert code == 0, folder.stderr.read_text()
    assert driver.report(lines, code, Call("", "", "agent")).answer == "Done."
    seen = json.dumps(server.asked[1].body)
    assert "agent agent bin dev etc lib" in seen
    assert "canary" not in seen
    assert marked(folder.root.parent.name) == []
