"""What is taken: exactly contract shared-result. What is not, and that no answer repeats it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from benchdata.contracts.shared_result import SHARED_RESULT
from benchdata.rows.strict_json import encode
from benchdata.server import intake
from benchdata.server.intake import Refused, received
from benchdata.server.routes import RESULT
from tests.support.serving import JSON, Serving, stored
from tests.support.shared_result import BREAKS, VARIANTS, valid_row
from tests.support.trees import Changes, changed

CANARY = "zq-canary-7731"
OTHER_CANARY = "qz-canary-1377"
"""In no body, since the board shows what was taken."""
LARGEST = 64 * 1024


@pytest.mark.parametrize("changes", VARIANTS)
def test_a_valid_row_is_on_disk_in_normal_form_when_it_is_accepted(
    server: Serving, changes: Changes
) -> None:
    row = valid_row(changes)
    answer = server.post(row)
    assert (answer.status, answer.body) == (200, b'{"accepted":true}')
    last = server.file.read_bytes().splitlines(keepends=True)[-1]
    assert last == encode(SHARED_RESULT.validate(row))


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        pytest.param(each.path, way, id=f"{each.name} {number}")
        for each in BREAKS
        for number, way in enumerate(each.ways)
    ],
)
def test_a_broken_row_is_named_and_not_stored(server: Serving, path: str, changes: Changes) -> None:
    before = server.file.read_bytes()
    answer = server.post(valid_row(changes))
    assert answer.status == 422
    known = {"output": "(unknown key)", "skills[1].name": "skills[1].(unknown key)"}
    assert answer.error.startswith(f"{known.get(path, path)}: ")
    assert server.file.read_bytes() == before


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"{", b'{"a":1,"a":2}', b'{"a":NaN}', b"\xff", b"[" * 99]
)
def test_what_is_no_json_object_is_refused(server: Serving, body: bytes) -> None:
    assert server.ask("POST", RESULT, body, JSON).status == 422


def _with_canaries() -> Iterator[Any]:
    """Yield rows with the canary as the value of each field, as a key at each depth, in both."""
    row = valid_row()
    for name in row:
        yield row | {name: CANARY}
        yield row | {name: {CANARY: CANARY}}
        yield row | {name: [CANARY, {CANARY: 1}]}
    for name in row["skills"][0]:
        yield changed(row, {"skills": [row["skills"][0] | {name: CANARY}]})
    yield changed(row, {"skills": [row["skills"][0] | {CANARY: 1}]})
    yield row | {CANARY: 1}
    yield row | {f"skills[0].{CANARY}": 1}
    yield row | {CANARY: {"token": CANARY}}
    yield row | {CANARY: {f"{CANARY}.token": [{"cookie": CANARY}]}}
    yield row | {CANARY: "/home" + f"/{CANARY}", "agent": "sk-" + f"A1{CANARY * 3}"}
    yield row | {"category": f"</script>{CANARY}"}
    yield row | {"agent": f"{CANARY}\r\nX-{CANARY}: 1"}
    yield {CANARY: CANARY}
    yield [CANARY]
    yield CANARY


@pytest.mark.parametrize("body", [*map(json.dumps, _with_canaries()), CANARY, f'{{"{CANARY}'])
def test_no_answer_repeats_what_a_body_holds(server: Serving, body: str) -> None:
    answer = server.ask("POST", RESULT, body.encode(), JSON)
    # a slug that is not known is a valid agent and model: nothing to refuse, nothing to repeat
    assert answer.status in {200, 422}
    assert CANARY not in str(answer)


def test_no_answer_repeats_a_header_or_a_path(server: Serving) -> None:
    headers = {
        "Content-Type": OTHER_CANARY,
        "X-Canary": OTHER_CANARY,
        "Host": OTHER_CANARY,
        "Cookie": OTHER_CANARY,
    }
    row = encode(valid_row())
    answers = [
        server.ask("POST", RESULT, row, headers),
        server.ask("POST", RESULT, row, headers | JSON),
        *(
            server.ask(method, path, headers=headers)
            for method in ("GET", "POST", "PUT", "TRACE", "OPTIONS", OTHER_CANARY.upper())
            for path in (
                f"/{OTHER_CANARY}",
                f"{RESULT}/?{OTHER_CANARY}",
                f"/?{OTHER_CANARY}",
                f"//{OTHER_CANARY}/..",
            )
        ),
    ]
    assert {answer.status for answer in answers} == {200, 404, 405, 415}
    assert not [answer for answer in answers if OTHER_CANARY in str(answer).lower()]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/jsonx", 415),
        ("", 415),
    ],
)
def test_the_media_type_is_json(server: Serving, kind: str, status: int) -> None:
    answer = server.ask("POST", RESULT, encode(valid_row()), {"Content-Type": kind})
    assert answer.status == status


def test_a_body_of_64_kib_is_read_and_one_byte_more_is_not(server: Serving) -> None:
    row = encode(valid_row())
    padded = row.strip() + b" " * (LARGEST - len(row.strip()))
    assert server.ask("POST", RESULT, padded, JSON).status == 200
    answer = server.ask("POST", RESULT, padded + b" ", JSON)
    assert (answer.status, answer.error) == (413, "the body is longer than 64 KiB")


def test_a_body_that_says_it_is_too_long_is_refused_before_it_is_sent(server: Serving) -> None:
    head = "Content-Type: application/json\r\nContent-Length: 999999999999"
    assert _raw(server, head).startswith(b"HTTP/1.1 413 ")


def test_a_chunked_body_is_read_no_further_than_it_may_be_long(server: Serving) -> None:
    chunk = b"%x\r\n%s\r\n" % (LARGEST // 2, b" " * (LARGEST // 2))
    head = "Content-Type: application/json\r\nTransfer-Encoding: chunked"
    # the body does not end, and the connection does
    assert _raw(server, head, chunk * 3).startswith(b"HTTP/1.1 413 ")


def test_what_follows_a_refused_body_is_no_request(server: Serving) -> None:
    before = len(stored(server.file))
    row = encode(valid_row())
    inner = f"POST {RESULT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    hidden = f"{inner}Content-Length: {len(row)}\r\n\r\n".encode() + row
    head = f"Content-Type: text/plain\r\nContent-Length: {len(hidden)}"
    answer = _raw(server, head, hidden)
    assert answer.startswith(b"HTTP/1.1 415 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert len(stored(server.file)) == before


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silence() -> Message:
        await asyncio.sleep(30)
        raise AssertionError

    monkeypatch.setattr(intake, "BODY_LIMIT_S", 0.05)
    scope = {"type": "http", "headers": [(b"content-type", b"application/json")]}
    with pytest.raises(Refused) as refused:
        asyncio.run(received(Request(scope, silence)))
    assert (refused.value.status, refused.value.headers) == (408, {"connection": "close"})


def _raw(server: Serving, head: str, body: bytes = b"") -> bytes:
    """Return all that is answered until the server closes the connection."""
    with socket.create_connection((server.host, server.port), timeout=30) as connection:
        connection.sendall(f"POST {RESULT} HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n".encode() + body)
        found = b""
        while part := connection.recv(65536):
            found += part
        return found
