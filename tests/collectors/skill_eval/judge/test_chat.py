"""The judge at an endpoint: what is sent, what is understood, and how every failure is named."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from benchdata.stats import pricing
from collectors.harness import judging
from collectors.harness.agents.driver import Call, Report
from collectors.harness.judging import Question, Unjudged
from collectors.skill_eval.judge import chat
from collectors.skill_eval.judge.rubric import Marks
from tests.collectors.skill_eval.judge.test_rubric import MARKS
from tests.support import chat_api
from tests.support.pixels import PIXEL
from tests.support.scripted_api import Server

MODEL = "gpt-5.5"
SCHEMA = Marks.model_json_schema()
GOOD = {"text": json.dumps(MARKS)}
KEY = {"authorization": "Bearer not-a-real-key"}


def endpoint(url: str, *, limit_s: float = 20, halted: Callable[[], bool] = bool) -> chat.Endpoint:
    return chat.Endpoint(f"{url}/v1", KEY, pricing.load(), limit_s, halted)


def call(*images: Path, model: str = MODEL) -> Call:
    return Call("Judge.", model, "none", images=images, schema=SCHEMA, system="You judge.")


def answered(reply: Mapping[str, Any], model: str = MODEL) -> Report:
    """Ask an endpoint that has this one answer."""
    with chat_api.serving({"side": reply}) as server:
        return endpoint(server.url)(call(model=model))


def judged(reply: Mapping[str, Any], **bounds: Any) -> tuple[Unjudged, Server]:
    """Put a question to an endpoint that has this one answer, which is no verdict."""
    with chat_api.serving({"side": reply}) as server:
        question = Question("Judge.", MODEL, Marks)
        found = judging.judge(question, endpoint(server.url, **bounds))
    assert isinstance(found, Unjudged)
    return found, server


def test_all_that_is_sent(tmp_path: Path) -> None:
    picture = tmp_path / "local-mine-01.png"
    picture.write_bytes(PIXEL)
    with chat_api.serving({"side": GOOD}) as server:
        endpoint(server.url)(call(picture, picture))
    (asked,) = server.requests
    assert (asked.method, asked.path) == ("POST", "/v1/chat/completions")
    assert asked.headers["authorization"] == KEY["authorization"]
    url = f"data:image/png;base64,{base64.b64encode(PIXEL).decode()}"
    shown = {"type": "image_url", "image_url": {"url": url}}
    assert asked.body == {
        "model": MODEL,
        "messages": [
            {"role": "system", "content": "You judge."},
            {"role": "user", "content": [{"type": "text", "text": "Judge."}, shown, shown]},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA},
        },
    }
    assert asked.headers.keys() == {
        *("host", "accept", "accept-encoding", "connection", "user-agent"),
        *("authorization", "content-type", "content-length"),
    }


def test_the_text_of_the_first_choice_is_the_answer_and_tokens_have_their_price() -> None:
    usage = {
        "prompt_tokens": 3_000,
        "completion_tokens": 200,
        "prompt_tokens_details": {"cached_tokens": 1_000},
    }
    report = answered(GOOD | {"usage": usage, "model": "gpt-5.5-2026-04-23"})
    assert (report.answer, report.failed, report.refused) == (GOOD["text"], False, False)
    assert report.usage[0].model_dump() == {
        "model": MODEL,
        "input_tokens": 2_000,
        "output_tokens": 200,
        "cache_creation_tokens": 0,
        "cache_read_tokens": 1_000,
    }
    price = (2_000 * 5.0 + 1_000 * 0.5 + 200 * 30.0) / 1_000_000
    assert report.cost_usd == pytest.approx(price, abs=1e-12)


@pytest.mark.parametrize(
    ("reply", "model"),
    [
        (GOOD, "vendor/of-no-price-1"),
        (GOOD | {"usage": None}, MODEL),
        (GOOD | {"usage": {"prompt_tokens": 10}}, MODEL),
        (GOOD | {"usage": {"prompt_tokens": -1, "completion_tokens": 2.5}}, MODEL),
    ],
)
def test_a_cost_that_is_not_known_is_none(reply: Mapping[str, Any], model: str) -> None:
    report = answered(reply, model)
    assert (report.cost_usd, report.failed) == (None, False)


@pytest.mark.parametrize(
    ("reply", "failure", "words", "calls"),
    [
        ({"refusal": "I will not."}, "refused", "the model declined to answer", 1),
        (GOOD | {"finish_reason": "content_filter"}, "refused", "the model declined to answer", 1),
        ({"status": 401}, "error", "THERE: answers with status 401", 1),
        ({"status": 429}, "error", "THERE: answers with status 429", 1),
        ({"status": 503}, "error", "THERE: answers with status 503", 1),
        (GOOD | {"model": "gpt-4"}, "error", "the call failed", 1),
        ({"json": {"choices": []}}, "error", "the call failed", 1),
        ({"json": ["x"]}, "error", "THERE: its answer is no JSON object", 1),
        ({"json": "x" * 2**21}, "error", "THERE: its answer does not end", 1),
        ({"drop": True}, "error", "THERE: does not answer", 1),
        ({"text": "A fine page."}, "malformed", "the answer: Invalid JSON", 2),
        ({"text": None}, "malformed", "the answer: Invalid JSON", 2),
        ({"text": json.dumps(MARKS | {"craft": 4})}, "malformed", "craft: must be less", 2),
    ],
)
def test_how_every_failure_is_named(
    reply: Mapping[str, Any], failure: str, words: str, calls: int
) -> None:
    found, server = judged(reply)
    assert (found.failure, len(server.asked)) == (failure, calls)
    assert found.words.startswith(words.replace("THERE", f"the endpoint {server.url}"))


def test_a_redirect_is_not_followed() -> None:
    with chat_api.serving({"side": GOOD}) as elsewhere:
        headers = {"Location": f"{elsewhere.url}/v1/chat/completions"}
        found, _ = judged({"status": 307, "headers": headers})
    assert found.failure == "error"
    assert found.words.endswith(": answers with status 307")
    assert not elsewhere.requests


def test_a_slow_endpoint_is_a_timeout() -> None:
    began = time.monotonic()
    found, _ = judged(GOOD | {"delay_s": 3}, limit_s=0.5)
    assert found.failure == "timeout"
    assert time.monotonic() - began < 2.5


def test_an_answer_that_trickles_is_a_timeout() -> None:
    """Every piece comes in time, and the whole never."""

    def trickle(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
            try:
                while True:
                    connection.sendall(b" ")
                    time.sleep(0.1)
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=trickle, args=(listener,), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(TimeoutError):
            endpoint(url, limit_s=1)(call())
        thread.join(5)
        assert not thread.is_alive()


def test_an_answer_is_asked_for_plain_and_never_unpacked() -> None:
    with chat_api.serving({"side": GOOD | {"headers": {"Content-Encoding": "zstd"}}}) as server:
        report = endpoint(server.url)(call())
    assert report.answer == GOOD["text"]


def test_a_stop_ends_the_call() -> None:
    began = time.monotonic()
    found, _ = judged(GOOD | {"delay_s": 3}, halted=lambda: time.monotonic() > began + 0.3)
    assert (found.failure, found.words) == ("error", "the call was stopped")
    assert time.monotonic() - began < 2.5


def test_nobody_there_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(BenchdataError, match=f"the endpoint http://127.0.0.1:{port}: does not"):
        endpoint(f"http://user:secret@127.0.0.1:{port}/v1")(call())


def test_pictures_that_are_too_large_are_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "MOST_BODY", 1024**2)
    picture = tmp_path / "01.png"
    picture.write_bytes(bytes(1024**2))
    with (
        chat_api.serving({"side": GOOD}) as server,
        pytest.raises(BenchdataError, match="the pictures make more than 1 MiB"),
    ):
        endpoint(server.url)(call(picture))
    assert not server.requests


def test_a_proxy_of_the_machine_is_on_no_way_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert answered(GOOD).answer == GOOD["text"]


def test_the_key_is_in_no_text_about_the_endpoint() -> None:
    assert "not-a-real-key" not in repr(endpoint("http://127.0.0.1"))
