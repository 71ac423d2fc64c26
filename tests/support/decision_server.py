"""A loopback decision server of both shapes, OpenRouter's and System One's, that obeys a script.

    with serving([{"status": 500}, {"sleep": 2}]) as server:
        server.url        # http://127.0.0.1:PORT/v1/systemone
        server.openrouter # http://127.0.0.1:PORT/api/alpha/decisions
        server.requests   # what was asked, in order

After its last reply, and without any, the server decides sensibly: the platform that was asked for,
one search, one post opened (with its media where that is offered), then the end.
"""

from __future__ import annotations

import fnmatch
import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SYSTEM_ONE = "/v1/systemone"
OPENROUTER = "/api/alpha/decisions"
CHUNK = 16384
SENSIBLE = (("search_*",), ("*download*", "read_post_*", "finish"), ("finish",))
"""Which options are wanted after none, one and more actions, best first."""

Reply = Mapping[str, Any]
"""One reply; every key may be left out.

- `sleep` seconds before anything is sent; `drop` true closes the connection without a word.
- `status` (200), `headers`, `redirect` URL (a 307).
- The body is `body` text, `hex` bytes, `huge` bytes (`declared` false hides its length; `pause`
  seconds between its chunks), or `json` any value; else a decision:
- `want` patterns of an option or its description (`["read_post_*", "finish"]`; when none fits, the
  first option is chosen), `confidence` (0.9), `model` (the one asked for; null leaves it out) and
  `answer`, keys that replace those of the answer.
"""


@dataclass
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        """The body, which must be JSON."""
        return json.loads(self.raw)


@dataclass
class Server:
    """A server that runs, what it has left to say and what it was asked."""

    address: str
    replies: list[Reply]
    requests: list[Asked] = field(default_factory=list)
    turn: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """The System One endpoint."""
        return self.address + SYSTEM_ONE

    @property
    def openrouter(self) -> str:
        """An endpoint of OpenRouter's shape."""
        return self.address + OPENROUTER

    def next_reply(self, asked: Asked) -> Reply:
        """Note a request and return the reply it gets."""
        with self.turn:
            self.requests.append(asked)
            return self.replies.pop(0) if self.replies else {}


@contextmanager
def serving(replies: Iterable[Reply] = (), *, port: int = 0) -> Iterator[Server]:
    """Run a server on a free port, or on `port`, of the loopback interface."""
    with _Loopback(("127.0.0.1", port), _Handler) as http:
        http.script = Server(f"http://127.0.0.1:{http.server_address[1]}", list(replies))
        thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield http.script
        finally:
            http.shutdown()
            thread.join()


def decision(body: Any, reply: Reply) -> dict[str, Any]:
    """Return the answer to a well-formed request."""
    ((key, question),) = body["questions"].items()
    offered = question["criteria"]
    wanted = reply.get("want") or _sensible(key, body["state"])
    fitting = [
        option
        for want in wanted
        for option, words in offered.items()
        if fnmatch.fnmatchcase(option, want) or fnmatch.fnmatch(words.lower(), want)
    ]
    choice = next(iter([*fitting, *offered]))
    confidence = reply.get("confidence", 0.9)
    answer = {"type": "choice", "choice": choice, "confidence": confidence}
    model = reply.get("model", body["model"])
    named = {} if model is None else {"model": model}
    return named | {"answers": {key: answer | reply.get("answer", {})}, "usage": {}}


def _sensible(key: str, state: Mapping[str, Any]) -> Sequence[str]:
    if key == "route":
        return (f"{state['requested_platform']}_search",)
    return SENSIBLE[min(len(state["history"]), len(SENSIBLE) - 1)]


class _Loopback(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client that gave up must not hold up the end of a test
    script: Server

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that hang up are what is tested."""


class _Handler(BaseHTTPRequestHandler):
    server: _Loopback

    def do_POST(self) -> None:
        """Reply as the script says."""
        size = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(size)
        asked = Asked(self.command, self.path, dict(self.headers.items()), raw)
        reply = self.server.script.next_reply(asked)
        time.sleep(reply.get("sleep", 0))
        if reply.get("drop"):
            self.close_connection = True
            return
        self._head(reply)
        for part in _body(asked, reply):
            self.wfile.write(part)
            time.sleep(reply.get("pause", 0))

    do_GET = do_POST  # noqa: N815 -- its name there; a client that follows a redirect comes this way

    def _head(self, reply: Reply) -> None:
        redirect = {"Location": reply["redirect"]} if "redirect" in reply else {}
        self.send_response(reply.get("status", 307 if redirect else 200))
        declared = {"Content-Length": str(reply["huge"])} if _declares(reply) else {}
        headers = {"Content-Type": "application/json", "Connection": "close"}
        for name, value in (headers | declared | redirect | reply.get("headers", {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 -- its name there
        """Keep quiet."""


def _declares(reply: Reply) -> bool:
    return "huge" in reply and bool(reply.get("declared", True))


def _body(asked: Asked, reply: Reply) -> Iterator[bytes]:
    if "huge" in reply:
        whole, rest = divmod(reply["huge"], CHUNK)
        yield from (b" " * CHUNK for _ in range(whole))
        yield b" " * rest
    elif "body" in reply:
        yield reply["body"].encode()
    elif "hex" in reply:
        yield bytes.fromhex(reply["hex"])
    elif "json" in reply:
        yield json.dumps(reply["json"]).encode()
    elif "redirect" not in reply:
        yield json.dumps(decision(asked.json, reply)).encode()
