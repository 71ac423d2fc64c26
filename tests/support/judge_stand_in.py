"""A judge that only looks: another process, which gets HTTP bytes and marks what can be seen.

    python -m tests.support.judge_stand_in chat|messages|responses LOG

It speaks one of three model APIs at a free port of the loopback interface, says its address on
standard output, and writes every request into LOG, whole, as a line of JSON. Of a request it takes
the pictures, the shape of the answer that is wanted, and of a pair how many pictures come first.
It understands no other word of it, so nothing that a text says can change a mark.

    with judging("chat", folder) as judge:
        judge.url, judge.asked()
"""

from __future__ import annotations

import base64
import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from benchdata.contracts.judgment import DIMENSIONS
from collectors.harness.gateway.scripted_model import Reply
from tests.support import chat_api, looks, messages_api, responses_api, scripted_api
from tests.support.command import ROOT
from tests.support.scripted_api import Asked, Body, Server

SHAPES = {
    "chat": chat_api.SHAPE,
    "messages": messages_api.SHAPE,
    "responses": responses_api.SHAPE,
}
DATA_URL = re.compile(r"data:image/[a-z]+;base64,(.*)", re.DOTALL)
SPLIT = re.compile(r"first (\d+) pictures? of\s+result A")
TOOL = "StructuredOutput"
"""By which Claude Code lets a model answer in a shape."""


class Eye:
    """Answers a request by its pictures."""

    def take(self, request: Body) -> Reply:
        """Return the verdict; what asks for none, such as a title, gets a word."""
        sent = list(_pictures(request))
        wanted = {name for shape in _shapes(request) for name in shape}
        if not sent or not wanted & {"winner", *DIMENSIONS}:
            return {"text": "ok"}
        try:
            pictures = [looks.opened(each) for each in sent]
        except OSError:
            return {"status": 400, "error_type": "invalid_request_error", "error": "no picture"}
        verdict = _preference(pictures, request) if "winner" in wanted else looks.marks(pictures)
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
        return [told for told in map(json.loads, lines) if any(_pictures(told["body"]))]


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


def _pictures(value: Any) -> Iterator[bytes]:
    """Give the pictures of a request in their order, however an API wraps them."""
    if isinstance(value, str):
        if found := DATA_URL.fullmatch(value):
            yield base64.b64decode(found[1])
    elif isinstance(value, Mapping):
        if value.get("type") == "base64":
            yield base64.b64decode(value["data"])
        else:
            yield from (each for part in value.values() for each in _pictures(part))
    elif isinstance(value, Sequence):
        yield from (each for part in value for each in _pictures(part))


def _shapes(value: Any) -> Iterator[Mapping[str, Any]]:
    """Give the properties of every schema in a request."""
    if isinstance(value, Mapping):
        if isinstance(value.get("properties"), Mapping):
            yield value["properties"]
        yield from (each for part in value.values() for each in _shapes(part))
    elif isinstance(value, list):
        yield from (each for part in value for each in _shapes(part))


def _preference(pictures: list[looks.Picture], request: Body) -> dict[str, Any]:
    """Mark both of a pair and name the better one."""
    told = SPLIT.search(json.dumps(request).replace("\\n", " "))
    first = int(told[1]) if told else len(pictures) // 2
    a, b = (
        sum(looks.marks(each)[name] for name in DIMENSIONS)
        for each in (pictures[:first], pictures[first:])
    )
    return {"seen": f"{a} and {b}", "winner": "tie" if a == b else "a" if a > b else "b"}


def main() -> NoReturn:
    """Serve until the process is told to end."""
    shape, log = sys.argv[1:]
    with scripted_api.running(Recorder(SHAPES[shape], Path(log))) as server:
        print(server.url, flush=True)  # noqa: T201 -- how the address is told
        signal.pause()
    raise SystemExit


if __name__ == "__main__":
    main()
