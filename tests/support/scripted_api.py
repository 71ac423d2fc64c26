"""A loopback server that answers from a script, whichever shape its model API has.

`collectors.harness.gateway.scripted_model` describes the script; `messages_api`, `responses_api`
and `chat_api` give the shapes.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import urlsplit

from collectors.harness.gateway.scripted_model import Event, Reply, Script, event_text

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Shape:
    """How one API says things; a function takes the reply and the request it answers."""

    path: str
    whole: Callable[[Reply, Body], dict[str, Any]]
    stream: Callable[[Reply, Body], Iterator[Event]]
    error: Callable[[Reply], dict[str, Any]]
    broken: Callable[[Reply], Event]
    others: Mapping[str, dict[str, Any]]


@dataclass
class Asked:
    """One request as it came; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    at: float = field(default_factory=time.monotonic)

    @property
    def route(self) -> str:
        """The path without its query."""
        return urlsplit(self.path).path


class Model(Protocol):
    """What answers: a script as a rule."""

    def take(self, request: Body) -> Reply:
        """Return the reply to a request."""


class Server:
    """A server that runs: where it is and what it was asked."""

    def __init__(self, shape: Shape, model: Model) -> None:
        self.shape = shape
        self.model = model
        self.url = ""
        self.requests: list[Asked] = []
        self._changed = threading.Condition()

    @property
    def asked(self) -> list[Asked]:
        """The requests for an answer of the model, in the order they came."""
        return [each for each in self.requests if each.route.endswith(self.shape.path)]

    def note(self, asked: Asked) -> None:
        """Add a request."""
        with self._changed:
            self.requests.append(asked)
            self._changed.notify_all()

    def wait_for(self, count: int, seconds: float = 20) -> None:
        """Wait until the model was asked so many times.

        Raises:
            TimeoutError: It was not.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.asked) >= count, seconds):
                raise TimeoutError(f"{len(self.asked)} of {count} requests after {seconds} s")


def serving(shape: Shape, script: Mapping[str, Any]) -> AbstractContextManager[Server]:
    """Run a server that answers from a script on a free port of the loopback interface."""
    return running(Server(shape, Script(script)))


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Run a server on a free port of the loopback interface."""
    with _Loopback(("127.0.0.1", 0), _Handler) as http:
        http.state = server
        http.state.url = f"http://127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield http.state
        finally:
            http.shutdown()
            thread.join()


class _Loopback(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # an agent that was killed must not hold up the end of a test
    request_queue_size = 64
    state: Server

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that hang up are what is tested."""


class _Handler(BaseHTTPRequestHandler):
    server: _Loopback
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 600

    def do_GET(self) -> None:
        """Answer what agents ask beside the model."""
        self._other(self._note(None))

    do_HEAD = do_GET  # noqa: N815 -- its name there

    def do_POST(self) -> None:
        """Reply as the script says."""
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(raw or b"{}")
        asked = self._note(body)
        if not asked.route.endswith(self.server.state.shape.path):
            self._other(asked)
            return
        reply = self.server.state.model.take(body)
        time.sleep(reply.get("delay_s", 0))
        with suppress(ConnectionError):
            self._reply(reply, body)

    def _reply(self, reply: Reply, body: Body) -> None:
        shape = self.server.state.shape
        if reply.get("drop"):
            self.close_connection = True
        elif "status" in reply:
            self._send(reply["status"], shape.error(reply), reply.get("headers", {}))
        elif not body.get("stream"):
            self._send(200, shape.whole(reply, body))
        else:
            self._stream(reply, shape.stream(reply, body))

    def _stream(self, reply: Reply, events: Iterator[Event]) -> None:
        self.send_response(200)
        for name, value in (
            ("Content-Type", "text/event-stream; charset=utf-8"),
            ("Transfer-Encoding", "chunked"),
        ):
            self.send_header(name, value)
        self.end_headers()
        for number, (name, data) in enumerate(events):
            if number == reply.get("break_after"):
                self.close_connection = True
                return
            if number == reply.get("error_after"):
                self._chunk(*self.server.state.shape.broken(reply))
                break
            if number:
                time.sleep(reply.get("pause_s", 0))
            self._chunk(name, data)
        self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, name: str, data: Mapping[str, Any]) -> None:
        raw = event_text(name, data)
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))

    def _other(self, asked: Asked) -> None:
        known = self.server.state.shape.others
        found = next((known[end] for end in known if asked.route.endswith(end)), None)
        if found is None and self.command != "HEAD":
            self._send(404, {"error": {"type": "not_found_error", "message": "not scripted"}})
        else:
            self._send(200, found or {})

    def _send(self, status: int, data: Body, headers: Mapping[str, str] | None = None) -> None:
        raw = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)

    def _note(self, body: Any) -> Asked:
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body)
        self.server.state.note(asked)
        return asked

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 -- its name there
        """Keep quiet."""
