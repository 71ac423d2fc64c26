"""A server's end: what was received is answered; and what keeps it from starting, in one line."""

from __future__ import annotations

import resource
import signal
import socket
import time
from pathlib import Path

import pytest

from benchdata.rows.strict_json import encode
from benchdata.server.routes import RESULT
from tests.support.command import ended, refused, run, start
from tests.support.serving import Serving, numbered, stored
from tests.support.shared_result import numbered_row

FILE_LIMIT = 5_000


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_under_way_is_answered_before_the_end(
    tmp_path: Path, number: signal.Signals
) -> None:
    server = Serving(tmp_path / "data")
    sender, body = numbered(1)
    head = f"POST {RESULT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with socket.create_connection((server.host, server.port), timeout=30) as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:50])
        time.sleep(0.3)
        server.process.send_signal(number)
        time.sleep(0.3)
        assert server.process.poll() is None
        connection.sendall(body[50:])
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 OK\r\n")
    assert ended(server.process) == (0, "", "")
    assert stored(server.file) == [sender]


def test_a_row_that_has_no_room_is_answered_503_and_leaves_no_trace(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))

    fit = FILE_LIMIT // len(encode(numbered_row(0)))
    with Serving(tmp_path / "data", preexec_fn=limit) as server:
        answers = [server.post(numbered_row(number)) for number in range(fit + 3)]
        assert [answer.status for answer in answers] == [200] * fit + [503] * 3
        assert answers[-1].error == "the result could not be stored; try again later"
        assert server.board()["results"] == fit
        lines = b"".join(encode(numbered_row(number)) for number in range(fit))
        assert server.file.read_bytes() == lines


def test_a_folder_that_another_server_has_is_refused(tmp_path: Path) -> None:
    with Serving(tmp_path / "data") as server:
        second = ended(start("serve", "--data", tmp_path / "data", "--port", "0"))
        assert refused(second) == (
            f"benchdata: {server.file}: another server writes it; end that one, or name another"
            " folder"
        )


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refused(run("serve", "--data", tmp_path, "--port", str(port)))
    assert message == f"benchdata: 127.0.0.1:{port}: cannot be listened on: Address already in use"


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "file: " in refused(run("serve", "--data", tmp_path / "file", "--port", "0"))
