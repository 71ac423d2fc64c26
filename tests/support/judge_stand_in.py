"""The shipped stand-in judge behind any of three model APIs, each request of it written down.

    python -m tests.support.judge_stand_in chat|messages|responses LOG

It speaks one of three model APIs at a free port of the loopback interface, says its address on
standard output, and writes every request into LOG, whole, as a line of JSON.

    with judging("chat", folder) as judge:
        judge.url, judge.asked()
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from collectors.harness.gateway.scripted_model import Reply
from collectors.skill_eval.judge import stand_in
from tests.support import chat_api, messages_api, responses_api, scripted_api
from tests.support.command import ROOT
from tests.support.scripted_api import Asked, Body, Server

SHAPES = {
    "chat": chat_api.SHAPE,
    "messages": messages_api.SHAPE,
    "responses": responses_api.SHAPE,
}
TOOL = "StructuredOutput"
"""By which Claude Code lets a model answer in a shape."""


class Eye:
    """Answers a request by its pictures."""

    def take(self, request: Body) -> Reply:
        """Return the verdict; what asks for none, such as a title, gets a word."""
        try:
            verdict = stand_in.verdict(request)
        except OSError:
            return {"status": 400, "error_type": "invalid_request_error", "error": "no picture"}
        if verdict is None:
            return {"text": "ok"}
        if any(tool.get("name") == TOOL for tool in request.get("tools", ())):
            return {"tool_calls": [{"name": TOOL, "input": verdict}]}
        return {"text": json.dumps(verdict)}


class Recorder(Server):
    """A server that writes down what it is asked."""

    def __init__(self, shape: scripted_api.Shape, log: Path) -> None:
        super().__init__(shape, Eye())
        self._log = log
        self._writing = threading.Lock()

    def note(self, asked: Asked) -> None:
        """Write a request down."""
        told = {"path": asked.path, "headers": asked.headers, "body": asked.body}
        with self._writing, self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(told) + "\n")


@dataclass(frozen=True)
class Judge:
    """The judge's address, and what it was asked so far."""

    url: str
    log: Path

    def asked(self) -> list[dict[str, Any]]:
        """Return the requests that hold pictures: path, headers and body."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return [told for told in map(json.loads, lines) if any(stand_in.pictures(told["body"]))]


@contextmanager
def judging(shape: str, folder: Path) -> Iterator[Judge]:
    """Run the judge as a process of its own."""
    log = folder / f"asked-{shape}.jsonl"
    argv = [sys.executable, "-m", "tests.support.judge_stand_in", shape, str(log)]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Judge(process.stdout.readline().strip(), log)
        finally:
            process.terminate()


def main() -> NoReturn:
    """Serve until the process is told to end."""
    shape, log = sys.argv[1:]
    with scripted_api.running(Recorder(SHAPES[shape], Path(log))) as server:
        print(server.url, flush=True)  # noqa: T201 -- how the address is told
        signal.pause()
    raise SystemExit


if __name__ == "__main__":
    main()
