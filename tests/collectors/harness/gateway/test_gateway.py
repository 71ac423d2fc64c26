"""What passes a gateway, and what it keeps of it."""

from __future__ import annotations

import json
import re
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.harness.gateway.asgi import Message, Receive, Send
from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.policy import Policy
from collectors.harness.gateway.scripted_model import application
from collectors.harness.gateway.upstream import Upstream
from tests.support import messages_api, responses_api
from tests.support.driven import MODEL
from tests.support.gated import CREDENTIAL, TOOL, Connection, asking, gated, send, tokens
from tests.support.scripted_api import Server

MAIN = MODEL["messages"]
PLENTY = {"text": "pelican " * 20_000, "thinking": "é\u2028", "usage": {"output_tokens": 77}}


@pytest.fixture
def server() -> Iterator[Server]:
    """A model that says plenty to whoever asks."""
    with messages_api.serving({"default": PLENTY, "side": PLENTY}) as running:
        yield running


@pytest.mark.parametrize("unix", [False, True], ids=["port", "socket"])
@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_passes_unchanged(
    server: Server, tmp_path: Path, *, unix: bool, stream: bool
) -> None:
    direct = send(server, asking(stream=stream))
    with gated(server, tmp_path) as gateway:
        passed = send(gateway, asking(stream=stream), unix=unix)
    without_id = [re.sub(rb"msg_\w+", b"", each.body) for each in (direct, passed)]
    assert without_id[0] == without_id[1]
    assert len(passed.body) > 100_000
    assert (passed.status, passed.broken) == (200, False)
    assert passed.headers["content-type"] == direct.headers["content-type"]


def test_every_byte_and_header_of_an_answer_is_passed(tmp_path: Path) -> None:
    said = b": ping\r\n\r\nevent: x\ndata: \xff\xfe not even text\n\ndata:{\n\n"

    async def odd(_: Message, __: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"x-ratelimit", b"7")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for byte in said:
            await send({"type": "http.response.body", "body": bytes([byte]), "more_body": True})

    upstream = Upstream("http://in.process", app=odd)
    with Gateway(upstream, Policy(MAIN, "messages"), log=tmp_path / "log") as gateway:
        passed = send(gateway, asking())
    assert (passed.body, passed.headers["x-ratelimit"]) == (said, "7")
    assert gateway.usage() == [tokens(None, None, None, None)]


def test_a_stream_passes_as_it_comes(tmp_path: Path) -> None:
    slow = {"text": "x", "pause_s": 0.2}
    with messages_api.serving({"default": slow}) as server, gated(server, tmp_path) as gateway:
        connection = Connection(gateway)
        body = json.dumps(asking())
        connection.request("POST", "/v1/messages", body, {"x-api-key": gateway.token})
        response = connection.getresponse()
        assert response.readline() == b"event: message_start\n"
        (going,) = gateway.exchanges
        assert (going.complete, going.status) == (False, 200)
        response.read()
        connection.close()
    (done,) = gateway.exchanges
    assert done.complete
    assert done.duration_s >= 0.8


def test_only_the_one_credential_goes_upstream(server: Server, tmp_path: Path) -> None:
    others = {
        "Authorization": "Bearer of-the-agent",
        "Cookie": "of-the-agent",
        "X-Goog-Api-Key": "of-the-agent",
        "Accept-Encoding": "gzip",
        "anthropic-version": "2023-06-01",
    }
    with gated(server, tmp_path) as gateway:
        assert send(gateway, asking(), headers=others).status == 200
    sent = server.asked[0].headers
    assert sent["authorization"] == f"Bearer {CREDENTIAL}"
    assert (sent["accept-encoding"], sent["anthropic-version"]) == ("identity", "2023-06-01")
    assert "of-the-agent" not in str(sent)
    assert gateway.token not in str(sent)


def test_nobody_spends_the_credential_without_the_token(server: Server, tmp_path: Path) -> None:
    with gated(server, tmp_path) as gateway:
        for wrong in ("", "guess", CREDENTIAL, gateway.token[:-1]):
            assert send(gateway, asking(), headers={"x-api-key": wrong}).status == 401
        bearer = {"x-api-key": "", "Authorization": f"Bearer {gateway.token}"}
        assert send(gateway, asking(), headers=bearer).status == 200
    assert len(server.requests) == 1


def test_neither_the_log_nor_the_folder_tells_anything(server: Server, tmp_path: Path) -> None:
    with gated(server, tmp_path) as gateway:
        send(gateway, asking())
        send(gateway, asking(model="other"))
        assert stat.S_IMODE(gateway.socket.parent.stat().st_mode) == 0o700
        assert len(str(gateway.socket)) < 107
    assert not gateway.socket.parent.exists()
    log = (tmp_path / "requests.jsonl").read_text()
    assert len(log.splitlines()) == 2
    assert CREDENTIAL not in log
    assert gateway.token not in log
    assert "pelican" not in log


def test_only_the_paths_of_the_api_are_passed(server: Server, tmp_path: Path) -> None:
    with gated(server, tmp_path) as gateway:
        for path in (
            "/v1/files",
            "/v1/messages/batches",
            "/",
            "//v1/messages",
            "/v1/messages/../x",
        ):
            assert send(gateway, asking(), path=path).status == 404
        counted = send(gateway, asking(), path="/v1/messages/count_tokens")
    assert counted.json == {"input_tokens": 100}
    assert [asked.route for asked in server.requests] == ["/v1/messages/count_tokens"]
    assert [(each.kind, each.usage) for each in gateway.exchanges] == [("other", None)]


def test_usage_is_summed_by_model_over_all_kinds_of_requests(tmp_path: Path) -> None:
    script = {
        "replies": [{"text": "a", "usage": {"input_tokens": 1, "cache_read_input_tokens": 40}}],
        "side": {"text": "b", "usage": {"input_tokens": 2}},
        "default": {"text": "c", "usage": {"input_tokens": 4}},
    }
    with (
        messages_api.serving(script) as server,
        gated(server, tmp_path, also=("claude-haiku-4-5",)) as gateway,
    ):
        send(gateway, asking())
        send(gateway, asking(tools=False, model="claude-haiku-4-5"))
        send(gateway, asking(), headers={"x-claude-code-agent-id": "a"})
    assert gateway.usage() == [
        tokens(2, 20, 0, 0, model="claude-haiku-4-5"),
        tokens(5, 40, 0, 40),
    ]
    assert [each.kind for each in gateway.exchanges] == ["main", "side", "sub"]
    assert gateway.turns == 1


def test_an_answer_that_breaks_off_breaks_off_for_the_agent_too(tmp_path: Path) -> None:
    script = {"replies": [{"text": "x", "break_after": 3}, {"drop": True}, {"text": "y"}]}
    with messages_api.serving(script) as server, gated(server, tmp_path) as gateway:
        broken = send(gateway, asking())
        assert (gateway.last_status, gateway.usage()) == (502, [tokens(100, None, 0, 0)])
        dropped = send(gateway, asking())
        fine = send(gateway, asking())
    assert (broken.status, broken.broken, dropped.status, fine.status) == (200, True, 502, 200)
    assert [each.error for each in gateway.exchanges] == ["broken", "broken", None]
    assert (gateway.usage(), gateway.last_status) == ([tokens(None, None, None, None)], 200)
    assert gateway.turns == 1


def test_an_error_of_the_api_is_passed_and_used_nothing(tmp_path: Path) -> None:
    limited = {"status": 429, "error_type": "rate_limit_error", "headers": {"retry-after": "7"}}
    within = {"text": "x", "error_after": 2, "error_type": "overloaded_error"}
    script = {"replies": [limited, within]}
    with messages_api.serving(script) as server, gated(server, tmp_path) as gateway:
        failed = send(gateway, asking())
        assert (failed.status, failed.headers["retry-after"]) == (429, "7")
        assert failed.json["error"]["type"] == "rate_limit_error"
        assert (gateway.last_status, gateway.usage(), gateway.turns) == (429, [], 0)
        assert send(gateway, asking()).body.count(b"event: error") == 1
        assert gateway.last_status == 529
    assert gateway.usage() == [tokens(100, None, 0, 0)]


@pytest.mark.parametrize("status", [400, 401, 404, 500, 529])
def test_the_status_of_an_error_is_what_the_api_sent(tmp_path: Path, status: int) -> None:
    refused = {"status": status, "error_type": "invalid_request_error"}
    with messages_api.serving({"default": refused}) as server, gated(server, tmp_path) as gateway:
        assert send(gateway, asking()).status == status
    assert gateway.last_status == status


def test_an_upstream_that_is_not_there_is_a_bad_gateway(tmp_path: Path) -> None:
    with messages_api.serving({}) as gone:
        pass
    with gated(gone, tmp_path) as gateway:
        assert send(gateway, asking()).status == 502
    assert (gateway.last_status, gateway.usage()) == (502, [])
    assert [each.error for each in gateway.exchanges] == ["unreachable"]


def test_responses_go_to_where_the_base_url_says(tmp_path: Path) -> None:
    used = {"input_tokens": 900, "cached_tokens": 300, "output_tokens": 40, "reasoning_tokens": 8}
    body = {"model": "gpt-5.5", "stream": True, "input": [{"role": "user"}], "tools": [TOOL]}
    script = {"default": {"text": "x", "usage": used}}
    with responses_api.serving(script) as server, gated(server, tmp_path) as gateway:
        bearer = {"Authorization": f"Bearer {gateway.token}"}
        assert send(gateway, body, headers=bearer, path="/v1/responses").status == 200
    assert server.asked[0].path == "/v1/responses"
    assert server.asked[0].headers["authorization"] == f"Bearer {CREDENTIAL}"
    assert gateway.usage() == [tokens(600, 40, 0, 300, model="gpt-5.5")]


def test_a_scripted_model_needs_no_connection(tmp_path: Path) -> None:
    upstream = Upstream("", app=application({"replies": [{"text": "first"}]}))
    policy = Policy("scripted", "messages")
    with Gateway(upstream, policy, log=tmp_path / "log") as gateway:
        first = send(gateway, asking(model="scripted", stream=False))
        second = send(gateway, asking(model="scripted"))
    assert first.json["content"] == [{"type": "text", "text": "first"}]
    assert b"nothing left to say" in second.body
    assert gateway.usage() == [tokens(200, 40, 0, 0, model="scripted")]


def test_many_requests_at_once_are_all_counted(server: Server, tmp_path: Path) -> None:
    with gated(server, tmp_path) as gateway:
        threads = [
            threading.Thread(target=send, args=(gateway, asking(tools=False))) for _ in range(24)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert gateway.usage() == [tokens(2400, 24 * 77, 0, 0)]


def test_a_log_is_never_overwritten(server: Server, tmp_path: Path) -> None:
    with gated(server, tmp_path):
        pass
    with pytest.raises(FileExistsError), gated(server, tmp_path):
        pass
