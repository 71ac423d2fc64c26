"""A model API that answers nonsense, or without end."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from collectors.harness.gateway import shape
from collectors.harness.gateway.asgi import Application, Message, Receive, Send
from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.policy import Policy
from collectors.harness.gateway.scripted_model import application
from collectors.harness.gateway.upstream import Upstream
from tests.support.driven import MODEL
from tests.support.gated import Connection, asking, send, tokens

MAIN = MODEL["messages"]
UNKNOWN = tokens(None, None, None, None)
PIECE = b"x" * 65_536


def saying(*pieces: bytes, kind: bytes = b"text/event-stream") -> Application:
    async def answer(_: Message, __: Receive, send: Send) -> None:
        headers = [(b"content-type", kind)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})

    return answer


def before(app: Application, tmp_path: Path) -> Gateway:
    return Gateway(Upstream("", app=app), Policy(MAIN, "messages"), log=tmp_path / "log")


def event(**data: Any) -> bytes:
    return b"data: %s\n\n" % json.dumps(data).encode()


@pytest.mark.parametrize("count", [-1, 1.5, "7", True, None, 10**30, math.nan, [1]])
def test_what_is_no_count_is_unknown(tmp_path: Path, count: object) -> None:
    told = event(type="message_delta", usage={"input_tokens": 3, "output_tokens": count})
    with before(saying(told, event(type="message_stop")), tmp_path) as gateway:
        send(gateway, asking())
    assert gateway.usage() == [tokens(3, None, None, None)]


def test_what_is_nested_too_deeply_passes_unheard(tmp_path: Path) -> None:
    deep = b"data: %s\n\n" % (b"[" * 100_000)
    with before(saying(deep, event(type="message_stop")), tmp_path) as gateway:
        answer = send(gateway, asking())
    assert (answer.status, answer.broken) == (200, False)
    assert answer.body.startswith(deep)
    (exchange,) = gateway.exchanges
    assert (exchange.complete, exchange.usage) == (True, UNKNOWN)


@pytest.mark.parametrize("kind", [b"text/event-stream", b"application/json"])
def test_an_answer_without_an_end_is_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: bytes
) -> None:
    monkeypatch.setattr(shape, "LONGEST", 20 * len(PIECE))
    with before(saying(*[PIECE] * 40, kind=kind), tmp_path) as gateway:
        assert send(gateway, asking()).broken
    (exchange,) = gateway.exchanges
    assert (exchange.error, exchange.usage, gateway.last_status) == ("broken", UNKNOWN, 502)


def test_a_long_name_does_not_fill_the_log(tmp_path: Path) -> None:
    begun = event(type="message_start", message={"model": "m" * 1_000_000})
    with before(saying(begun), tmp_path) as gateway:
        send(gateway, asking())
    assert (tmp_path / "log").stat().st_size < 2_000


def test_a_model_that_fails_without_an_answer_is_not_waited_for(tmp_path: Path) -> None:
    async def silent(_: Message, __: Receive, ___: Send) -> None:
        return

    with before(silent, tmp_path) as gateway:
        assert send(gateway, asking()).status == 502
    assert gateway.exchanges[0].error == "broken"


def test_a_script_answers_what_asks_no_model(tmp_path: Path) -> None:
    with before(application({}), tmp_path) as gateway:
        connection = Connection(gateway)
        connection.request("GET", "/v1/models", headers={"x-api-key": gateway.token})
        assert connection.getresponse().status == 404
        connection.close()
