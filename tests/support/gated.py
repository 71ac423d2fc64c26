"""A gateway before a stand-in, what an agent would ask it, and who looks on."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.contracts.usage import TOKEN_FIELDS, ModelUsage
from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.policy import Policy
from collectors.harness.gateway.relay import Decision, OnTurn
from collectors.harness.gateway.upstream import Upstream
from tests.support.driven import MODEL
from tests.support.scripted_api import Server

CREDENTIAL = "the-one-credential-7f3a"
TOOL = {"name": "Bash", "input_schema": {"type": "object"}}


@contextmanager
def gated(
    server: Server, folder: Path, *, on_turn: OnTurn | None = None, **policy: Any
) -> Iterator[Gateway]:
    """Run a gateway before a stand-in, with its log in `folder`."""
    shape = "responses" if server.shape.path == "/responses" else "messages"
    base_url = server.url + ("/v1" if shape == "responses" else "")
    upstream = Upstream(base_url, {"Authorization": f"Bearer {CREDENTIAL}"})
    allowed = Policy(**{"model": MODEL[shape], "shape": shape, **policy})
    with Gateway(upstream, allowed, log=folder / "requests.jsonl", on_turn=on_turn) as gateway:
        yield gateway


def tokens(*counts: int | None, model: str = MODEL["messages"]) -> ModelUsage:
    """Return a usage by its counts: input, output, written to a cache, read from it."""
    return ModelUsage(model=model, **dict(zip(TOKEN_FIELDS, counts, strict=True)))


class Watch:
    """A callback that notes the files there are at the end of each turn, and holds the agent."""

    def __init__(self, work: Path, seconds: float = 0.0, stop_at: int | None = None) -> None:
        self.work = work
        self.seconds = seconds
        self.stop_at = stop_at
        self.files: list[list[str]] = []

    def __call__(self, turn: int) -> Decision:
        self.files.append(self._there())
        assert turn == len(self.files)
        time.sleep(self.seconds)
        assert self.files[-1] == self._there(), "something ran while the agent was held"
        return "stop" if turn == self.stop_at else "go"

    def _there(self) -> list[str]:
        return sorted(path.name for path in self.work.iterdir())


@dataclass(frozen=True)
class Answered:
    """A whole answer; `body` ends where the connection broke, if `broken`."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    broken: bool = False

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Connection(http.client.HTTPConnection):
    """A connection to the loopback port of a gateway, or to its unix socket."""

    def __init__(
        self, gateway: Gateway | Server, *, unix: bool = False, timeout: float = 20
    ) -> None:
        host, port = gateway.url.removeprefix("http://").split(":")
        super().__init__(host, int(port), timeout=timeout)
        self._path = str(gateway.socket) if unix and isinstance(gateway, Gateway) else ""

    def connect(self) -> None:
        if not self._path:
            return super().connect()
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        return self.sock.connect(self._path)


def asking(length: int = 1, *, tools: bool = True, **rest: Any) -> dict[str, Any]:
    """Return a Messages request of a conversation so long, of the main thread or a side call."""
    messages = [{"role": ("user", "assistant")[n % 2], "content": "x"} for n in range(length)]
    offered = {"tools": [TOOL]} if tools else {}
    return {"model": MODEL["messages"], "stream": True, "messages": messages, **offered, **rest}


def send(
    gateway: Gateway | Server,
    body: Mapping[str, Any] | bytes,
    *,
    headers: Mapping[str, str] | None = None,
    path: str = "/v1/messages?beta=true",
    unix: bool = False,
) -> Answered:
    """Post a request with the token of the run and return the answer."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    token = {"x-api-key": gateway.token} if isinstance(gateway, Gateway) else {}
    connection = Connection(gateway, unix=unix)
    try:
        connection.request("POST", path, raw, {**token, **(headers or {})})
        response = connection.getresponse()
        named = {name.lower(): value for name, value in response.getheaders()}
        try:
            return Answered(response.status, named, response.read())
        except http.client.IncompleteRead as broken:
            return Answered(response.status, named, broken.partial, broken=True)
    finally:
        connection.close()
