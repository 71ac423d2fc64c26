"""The proxy for package registries: named hosts and nothing else, every visit on record."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.harness.gateway.egress import Egress


@pytest.fixture
def registry() -> Iterator[int]:
    """A host that gives back what it is told, on a port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_give_back, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]


def _give_back(listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_echo, args=(connection,), daemon=True).start()


def _echo(connection: socket.socket) -> None:
    with connection:
        while told := connection.recv(65536):
            connection.sendall(told)


def asked(egress: Egress, head: str, then: bytes = b"") -> bytes:
    """Return all that comes back to a request, and to `then` through the tunnel."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(egress.socket))
        client.sendall(f"{head}\r\nHost: x\r\n\r\n".encode())
        answer = client.recv(65536)
        if then:
            client.sendall(then)
        client.shutdown(socket.SHUT_WR)
        while more := client.recv(65536):
            answer += more
        return answer


def test_a_named_host_is_reached_and_no_other(registry: int, tmp_path: Path) -> None:
    many = b"wheel" * 100_000
    named = f"CONNECT 127.0.0.1:{registry} HTTP/1.1"
    with Egress([f"127.0.0.1:{registry}"], log=tmp_path / "hosts") as egress:
        passed = asked(egress, named, many)
        others = [
            asked(egress, line)
            for line in (
                "CONNECT code.example:443 HTTP/1.1",
                f"CONNECT localhost:{registry} HTTP/1.1",
                "CONNECT 127.0.0.1:22 HTTP/1.1",
                f"CONNECT 127.0.0.1.code.example:{registry} HTTP/1.1",
                f"CONNECT x@127.0.0.1:{registry} HTTP/1.1",
                f"GET http://127.0.0.1:{registry}/ HTTP/1.1",
            )
        ]
    assert passed == b"HTTP/1.1 200 Connection established\r\n\r\n" + many
    assert {other.split(b"\r\n")[0] for other in others} == {b"HTTP/1.1 403 Forbidden"}
    log = [json.loads(line) for line in (tmp_path / "hosts").read_text().splitlines()]
    assert [(line["host"], line["allowed"]) for line in log[:2]] == [
        (f"127.0.0.1:{registry}", True),
        ("code.example:443", False),
    ]
    assert [visit.allowed for visit in egress.visits] == [True] + [False] * 6
    assert not egress.socket.parent.exists()


def test_without_hosts_nothing_is_reached(registry: int, tmp_path: Path) -> None:
    with Egress([], log=tmp_path / "hosts") as egress:
        answer = asked(egress, f"CONNECT 127.0.0.1:{registry} HTTP/1.1")
    assert answer.startswith(b"HTTP/1.1 403 ")


def test_a_named_host_is_meant_with_the_port_of_https(tmp_path: Path) -> None:
    with Egress(["Registry.example"], log=tmp_path / "hosts") as egress:
        asked(egress, "CONNECT REGISTRY.example:80 HTTP/1.1")
        asked(egress, "CONNECT REGISTRY.example:443 HTTP/1.1")
    assert [visit.allowed for visit in egress.visits] == [False, True]


def test_a_host_that_is_not_there_is_a_bad_gateway(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with Egress([f"127.0.0.1:{port}"], log=tmp_path / "hosts") as egress:
        answer = asked(egress, f"CONNECT 127.0.0.1:{port} HTTP/1.1")
    assert answer.startswith(b"HTTP/1.1 502 ")


def test_leaving_ends_open_tunnels(registry: int, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        with Egress([f"127.0.0.1:{registry}"], log=tmp_path / "hosts") as egress:
            client.connect(str(egress.socket))
            client.sendall(f"CONNECT 127.0.0.1:{registry} HTTP/1.1\r\n\r\n".encode())
            assert client.recv(100).startswith(b"HTTP/1.1 200")
            begun = time.monotonic()
        assert time.monotonic() - begun < 2
        assert client.recv(100) == b""
