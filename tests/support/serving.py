"""A real `benchdata serve` on a free port of this machine, and what is sent to it."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from benchdata.rows.strict_json import encode
from benchdata.rows.writing import is_torn
from benchdata.server.routes import BOARD, RESULT
from tests.support.armed import uuid
from tests.support.command import Done, ended, start
from tests.support.shared_result import numbered_row

JSON = {"Content-Type": "application/json"}
WAIT = 60
NO_LIMIT = 1_000_000_000
SENDER = uuid(0).encode()
BODY = encode(numbered_row(0))


class Answer(NamedTuple):
    """A status with its headers, and the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def error(self) -> str:
        """Return what was wrong."""
        said = json.loads(self.body)
        assert list(said) == ["error"]
        return str(said["error"])


class Serving:
    """A server on a folder, from entering to leaving."""

    def __init__(self, data: Path, *, rate: int = NO_LIMIT, **options: Any) -> None:
        self.file = data / "shared-results.ndjson"
        self.process: subprocess.Popen[bytes] = start(
            *("serve", "--data", data, "--port", "0", "--rate", str(rate)), **options
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline().decode()
        assert line.startswith("serving http://"), line + self.process.stderr.read().decode()
        self.url = line.split()[1].removesuffix(",")
        self.host, _, port = self.url.removeprefix("http://").rpartition(":")
        self.port = int(port)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        done = self.end() if self.process.returncode is None else None
        assert kind or done is None or done == Done(0, "", "")

    def end(self) -> Done:
        """Ask it to end, and return how it did."""
        self.process.send_signal(signal.SIGTERM)
        return ended(self.process)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.communicate(timeout=WAIT)

    def connection(self) -> http.client.HTTPConnection:
        """Return a new connection."""
        return http.client.HTTPConnection(self.host, self.port, timeout=WAIT)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        chunked: bool = False,
    ) -> Answer:
        """Return the answer to one request on a connection of its own."""
        connection = self.connection()
        with suppress(BrokenPipeError, ConnectionResetError):  # it may answer before it has read
            connection.request(method, path, body, dict(headers or {}), encode_chunked=chunked)
        found = connection.getresponse()
        answer = Answer(found.status, dict(found.getheaders()), found.read())
        connection.close()
        return answer

    def post(self, row: Mapping[str, Any]) -> Answer:
        """Send a row."""
        return self.ask("POST", RESULT, encode(dict(row)), JSON)

    def board(self) -> Any:
        """Return the board as data."""
        return json.loads(self.ask("GET", BOARD).body)


def stored(file: Path) -> list[str]:
    """Return who sent the rows of a file that a server wrote; a kill may have torn the last."""
    *lines, last = file.read_bytes().split(b"\n")
    if last and not is_torn(last):
        lines.append(last)
    return [json.loads(line)["install_id"] for line in lines]


def numbered(number: int) -> tuple[str, bytes]:
    """Return an installation and the body of its row, at little cost: senders share the cores."""
    sender = uuid(number)
    return sender, BODY.replace(SENDER, sender.encode())
