"""A judge that only looks: it stands in for one, so that everything around it can be tried.

    python -m collectors.skill_eval.judge.stand_in [--port 8080]

It serves the OpenAI chat-completions shape on the loopback interface alone, takes no key and asks
nobody. Of a request it takes the pictures, the shape of the answer that is wanted, and of a pair
how many pictures come first. It understands no other word, so no text can change a mark. Its marks
measure nothing: what it judges is a pipeline proof.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benchdata.contracts.judgment import DIMENSIONS
from benchdata.errors import BenchdataError
from collectors.skill_eval.judge import looks
from collectors.skill_eval.judge.chat import PATH

HOST, PORT = "127.0.0.1", 8080
BASE = "/v1"
MOST_BODY = 64 * 1024**2
DATA_URL = re.compile(r"data:image/[a-z]+;base64,(.*)", re.DOTALL)
SPLIT = re.compile(r"first (\d+) pictures? of\s+result A")


def verdict(request: Any) -> dict[str, Any] | None:
    """Return what it says of the pictures in a request of any shape; None where none is asked.

    Raises:
        OSError: A picture is none.
    """
    sent = list(pictures(request))
    wanted = {name for shape in _shapes(request) for name in shape}
    if not sent or not wanted & {"winner", *DIMENSIONS}:
        return None
    seen = [looks.opened(each) for each in sent]
    return _preference(seen, request) if "winner" in wanted else looks.marks(seen)


def pictures(value: Any) -> Iterator[bytes]:
    """Yield the pictures of a request in their order, however an API wraps them."""
    if isinstance(value, str):
        if found := DATA_URL.fullmatch(value):
            yield base64.b64decode(found[1])
    elif isinstance(value, Mapping):
        if value.get("type") == "base64":
            yield base64.b64decode(value["data"])
        else:
            yield from (each for part in value.values() for each in pictures(part))
    elif isinstance(value, Sequence):
        yield from (each for part in value for each in pictures(part))


def _shapes(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the properties of every schema in a request."""
    if isinstance(value, Mapping):
        if isinstance(value.get("properties"), Mapping):
            yield value["properties"]
        yield from (each for part in value.values() for each in _shapes(part))
    elif isinstance(value, list):
        yield from (each for part in value for each in _shapes(part))


def _preference(seen: list[looks.Picture], request: Any) -> dict[str, Any]:
    """Mark both of a pair and name the better one."""
    told = SPLIT.search(json.dumps(request).replace("\\n", " "))
    first = int(told[1]) if told else len(seen) // 2
    a, b = (
        sum(looks.marks(each)[name] for name in DIMENSIONS) for each in (seen[:first], seen[first:])
    )
    return {"seen": f"{a} and {b}", "winner": "tie" if a == b else "a" if a > b else "b"}


class Desk(BaseHTTPRequestHandler):
    """Answers one request."""

    def do_POST(self) -> None:
        """Answer a question, or say what is amiss with it."""
        length = self.headers.get("content-length", "")
        if self.path != BASE + PATH:
            self._send(404, {"error": {"message": f"only {BASE}{PATH} is here"}})
        elif not length.isdecimal() or int(length) > MOST_BODY:
            self._send(
                413, {"error": {"message": f"at most {MOST_BODY:,} bytes, and say how many"}}
            )
        else:
            self._send(*_answer(self.rfile.read(int(length))))

    def _send(self, status: int, told: Mapping[str, Any]) -> None:
        content = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name it has
        """Say nothing: a line for each picture tells no one anything."""


def _answer(body: bytes) -> tuple[int, dict[str, Any]]:
    """Return the status and the body of an answer."""
    try:
        request = json.loads(body)
        said, model = verdict(request), str(request["model"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError, binascii.Error):
        return 400, {"error": {"message": "no question with pictures"}}
    text = "ok" if said is None else json.dumps(said)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    return 200, {
        "object": "chat.completion",
        "model": model,
        "choices": [choice | {"finish_reason": "stop"}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0},
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C; 1 where the port is taken."""
    parser = argparse.ArgumentParser(prog="stand_in", description="A judge that only looks.")
    parser.add_argument("--port", type=int, default=PORT, help=f"{PORT} where none is given")
    port: int = parser.parse_args(argv).port
    try:
        server = ThreadingHTTPServer((HOST, port), Desk)
    except (OSError, OverflowError) as error:
        sys.stderr.write(f"port {port}: cannot be used: {error}; give another with --port\n")
        return BenchdataError.exit_code
    with server:
        sys.stdout.write(f"http://{HOST}:{server.server_port}{BASE}\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
