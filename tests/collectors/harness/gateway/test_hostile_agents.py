"""An agent that asks the gateway itself, and not as its program would."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from collectors.harness.gateway.egress import Egress
from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.server import MOST_CONNECTIONS
from collectors.harness.gateway.server import Server as Serving
from tests.support import messages_api
from tests.support.confined import waited
from tests.support.driven import MODEL
from tests.support.gated import TOOL, asking, gated, send
from tests.support.scripted_api import Server

MAIN = MODEL["messages"]
REFUSED = 402
ODD: dict[str, dict[str, object]] = {
    "tools that are no list": {"tools": 5},
    "tools that are no objects": {"tools": ["Bash", None]},
    "a text for messages": {"messages": "x"},
    "messages by name": {"messages": {"0": 1}},
    "contents that are none": {"messages": [{"content": 5}], "tools": [TOOL]},
    "blocks that are no objects": {"messages": [{"content": ["x", 5]}], "tools": [TOOL]},
}


@pytest.fixture
def server() -> Iterator[Server]:
    """A model that answers whatever it is asked."""
    with messages_api.serving({}) as running:
        yield running


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_request_is_for_the_model_to_refuse(
    server: Server, tmp_path: Path, odd: str
) -> None:
    with gated(server, tmp_path) as gateway:
        assert send(gateway, asking(tools=False) | ODD[odd]).status == 200
    assert len(gateway.exchanges) == 1


@pytest.mark.parametrize(
    "raw",
    [
        b'{"model": "dear-1", %s' % json.dumps(asking()).encode()[1:],
        json.dumps(asking()).encode("utf-16"),
        b'{"model": "%s", "messages": %s' % (MAIN.encode(), b"[" * 100_000),
    ],
    ids=["two models", "another encoding", "nested without end"],
)
def test_what_two_readers_may_read_differently_is_not_sent_on(
    server: Server, tmp_path: Path, raw: bytes
) -> None:
    with gated(server, tmp_path) as gateway:
        answer = send(gateway, raw)
    assert (answer.status, answer.json["error"]["message"]) == (REFUSED, "Refused: unreadable")
    assert not server.requests


def test_a_long_name_does_not_fill_the_log(server: Server, tmp_path: Path) -> None:
    with gated(server, tmp_path) as gateway:
        assert send(gateway, asking(model="m" * 1_000_000)).status == REFUSED
    assert (tmp_path / "requests.jsonl").stat().st_size < 2_000


def test_without_the_token_nothing_is_taken_in(server: Server, tmp_path: Path) -> None:
    with gated(server, tmp_path) as gateway, _dialled(gateway) as connection:
        connection.sendall(b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n")
        assert connection.recv(64).startswith(b"HTTP/1.1 401")


def test_it_gets_no_more_connections_than_it_needs(server: Server, tmp_path: Path) -> None:
    with gated(server, tmp_path) as gateway, ExitStack() as held:
        for _ in range(MOST_CONNECTIONS):
            held.enter_context(_dialled(gateway))
        with _dialled(gateway) as further:
            assert _hung_up(further)
        held.close()
        waited(lambda: not _hung_up_at_once(gateway))
        assert send(gateway, asking()).status == 200


def test_it_gets_no_more_tunnels_than_it_needs(tmp_path: Path) -> None:
    with Egress(["registry.invalid"], log=tmp_path / "log") as egress, ExitStack() as held:
        for _ in range(MOST_CONNECTIONS):
            held.enter_context(_dialled(egress))
        with _dialled(egress) as further:
            assert _hung_up(further)


def _dialled(gateway: Serving) -> socket.socket:
    host, port = gateway.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=10)


def _hung_up(connection: socket.socket) -> bool:
    """Wait for a word; return whether the other end closed instead."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def _hung_up_at_once(gateway: Gateway) -> bool:
    with _dialled(gateway) as connection:
        connection.settimeout(0.2)
        try:
            return _hung_up(connection)
        except TimeoutError:
            return False
