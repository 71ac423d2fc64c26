"""Decisions: how an endpoint is asked, what counts as an answer, and what each costs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from collectors.jev_social.decisions import MOST_BODY, Asked, Decider, pin_fault
from collectors.jev_social.environment import Config
from collectors.jev_social.failures import Failure
from collectors.jev_social.providers import Provider, provider_of
from tests.support.decision_server import Reply, Server, serving
from tests.support.proven import Proven

PIN = "acme/picker-2.1"
KEY = "canary-key-9f8e7d"
QUESTION = {
    "state": {"requested_platform": "tiktok"},
    "questions": {
        "route": {
            "type": "choice",
            "instructions": {"task": "t", "rules": ["r"]},
            "criteria": {"tiktok_search": "TikTok", "unsupported": "none"},
        }
    },
}


def chosen(provider: Provider, times: int = 1) -> tuple[list[str], list[Asked]]:
    """Ask some times; a failure is given as its code."""
    asked: list[Asked] = []

    async def ask() -> list[str]:
        answers = []
        async with Decider(provider, asked) as decider:
            for _ in range(times):
                try:
                    answers.append(await decider.choose(QUESTION, unsure="UNSURE"))
                except Failure as failure:
                    answers.append(failure.code)
        return answers

    return asyncio.run(ask()), asked


def local(server: Server, seconds: float = 10) -> Provider:
    return Provider(url=server.url, model=PIN, headers={}, seconds=seconds)


def answer_to(reply: Reply, seconds: float = 10) -> tuple[str, Asked]:
    with serving([reply]) as server:
        (answer,), (asked,) = chosen(local(server, seconds))
    return answer, asked


def test_a_request_has_the_protocols_body_and_headers() -> None:
    with serving() as server:
        variables = {"OPENROUTER_API_KEY": KEY}
        remote = provider_of(variables, Config(), PIN)
        here = Provider(url=server.openrouter, model=PIN, headers=remote.headers, seconds=10)
        assert chosen(here)[0] == ["tiktok_search"]
        nearby = provider_of(
            variables | {"JEV_SOCIAL_SYSTEM_ONE_URL": server.url},
            Config(openrouter_api_key=KEY),
            PIN,
        )
        assert chosen(nearby)[0] == ["tiktok_search"]
    remote_asked, local_asked = server.requests
    for asked in server.requests:
        assert asked.method == "POST"
        assert asked.json == {"model": PIN, **QUESTION}
        assert asked.headers["Content-Type"] == "application/json"
    assert remote_asked.path == "/api/alpha/decisions"
    assert remote_asked.headers["Authorization"] == f"Bearer {KEY}"
    assert remote_asked.headers["X-Title"] == "jev-social"
    assert local_asked.path == "/v1/systemone"
    assert "Authorization" not in local_asked.headers
    assert local_asked.headers["X-Title"] == "jev-social-local"
    assert KEY not in str(local_asked)


def test_no_setting_of_the_machine_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert answer_to({})[0] == "tiktok_search"


VALID = {"type": "choice", "choice": "tiktok_search", "confidence": 0.9}


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ({}, "tiktok_search"),
        ({"confidence": 0.35}, "tiktok_search"),
        ({"confidence": 1}, "tiktok_search"),
        ({"answer": {"probabilities": {"tiktok_search": 1, "unsupported": 0.0}}}, "tiktok_search"),
        ({"json": {"answers": {"route": VALID}, "usage": [1]}}, "tiktok_search"),
        ({"confidence": 0.349}, "UNSURE"),
        ({"confidence": -0.1}, "INVALID_JEV_RESPONSE"),
        ({"confidence": 1.1}, "INVALID_JEV_RESPONSE"),
        ({"confidence": None}, "INVALID_JEV_RESPONSE"),
        ({"confidence": "0.9"}, "INVALID_JEV_RESPONSE"),
        ({"confidence": True}, "INVALID_JEV_RESPONSE"),
        ({"confidence": 10**400}, "INVALID_JEV_RESPONSE"),
        ({"answer": {"type": "text"}}, "INVALID_JEV_RESPONSE"),
        ({"answer": {"choice": "linkedin_search"}}, "INVALID_JEV_RESPONSE"),
        ({"answer": {"choice": "__class__"}}, "INVALID_JEV_RESPONSE"),
        ({"answer": {"choice": ["tiktok_search"]}}, "INVALID_JEV_RESPONSE"),
        ({"answer": {"probabilities": [0.5]}}, "INVALID_JEV_RESPONSE"),
        ({"answer": {"probabilities": {"x": 2}}}, "INVALID_JEV_RESPONSE"),
        ({"answer": {"probabilities": {"x": None}}}, "INVALID_JEV_RESPONSE"),
        ({"json": {"answers": {"action": VALID}}}, "INVALID_JEV_RESPONSE"),
        ({"json": {"answers": [VALID]}}, "INVALID_JEV_RESPONSE"),
        ({"json": []}, "INVALID_JEV_RESPONSE"),
        ({"json": None}, "INVALID_JEV_RESPONSE"),
        ({"body": ""}, "INVALID_JEV_RESPONSE"),
        ({"headers": {"Content-Type": "text/html"}}, "tiktok_search"),
        ({"body": "<html>"}, "JEV_UNAVAILABLE"),
        ({"body": '{"answers": NaN}'}, "JEV_UNAVAILABLE"),
        ({"body": "[" * 100_000}, "JEV_UNAVAILABLE"),
        ({"hex": "ff"}, "JEV_UNAVAILABLE"),
        ({"headers": {"Content-Encoding": "gzip"}, "hex": "1f8b0800"}, "JEV_UNAVAILABLE"),
        ({"status": 401, "json": {"error": {"message": "no"}}}, "JEV_UNAVAILABLE"),
        ({"status": 422}, "JEV_UNAVAILABLE"),
        ({"status": 500, "body": "<html>"}, "JEV_UNAVAILABLE"),
        ({"json": {"error": {"message": "no"}}}, "INVALID_JEV_RESPONSE"),
        ({"drop": True}, "JEV_UNAVAILABLE"),
        ({"headers": {"Content-Length": "-1"}}, "JEV_UNAVAILABLE"),
        ({"headers": {f"X-{number}": "x" * 1000 for number in range(200)}}, "JEV_UNAVAILABLE"),
        ({"huge": MOST_BODY + 1}, "JEV_UNAVAILABLE"),
        ({"huge": MOST_BODY + 1, "declared": False}, "JEV_UNAVAILABLE"),
    ],
)
def test_an_answer_is_taken_or_has_the_protocols_code(reply: Reply, code: str) -> None:
    assert answer_to(reply)[0] == code


def test_a_body_of_the_largest_size_is_read() -> None:
    blanks = " " * (MOST_BODY - 2)
    assert answer_to({"body": f"{{}}{blanks}"})[0] == "INVALID_JEV_RESPONSE"
    assert answer_to({"body": f"{{}}{blanks} "})[0] == "JEV_UNAVAILABLE"


def test_a_redirect_is_not_followed() -> None:
    with serving() as elsewhere, serving([{"redirect": elsewhere.url}]) as server:
        assert chosen(local(server))[0] == ["JEV_UNAVAILABLE"]
    assert len(server.requests) == 1
    assert elsewhere.requests == []


def test_an_endpoint_that_is_not_there_is_unavailable() -> None:
    with serving() as server:
        pass
    assert chosen(local(server))[0] == ["JEV_UNAVAILABLE"]


@pytest.mark.parametrize("key", ["two\nlines", "caf\u00e9", "\ud800"])
def test_a_key_that_no_header_can_hold_is_no_fault_of_the_collector(key: str) -> None:
    with serving() as server:
        provider = Provider(
            url=server.url, model=PIN, headers={"Authorization": f"Bearer {key}"}, seconds=5
        )
        assert chosen(provider)[0] == ["JEV_UNAVAILABLE"]


@pytest.mark.faults
@pytest.mark.parametrize(
    "reply", [{"sleep": 2}, {"huge": 200_000, "pause": 0.1}], ids=["silent", "a byte now and then"]
)
def test_the_time_limit_covers_all_of_a_decision(reply: Reply, proven: Proven) -> None:
    code, asked = answer_to(reply, seconds=0.3)
    assert code == "JEV_UNAVAILABLE"
    assert 300 <= asked.elapsed_ms < 900
    proven("an endpoint that hangs: a decision", 1, "given up in time, the row is written")


def test_each_decision_is_timed_the_failed_ones_too() -> None:
    with serving([{"sleep": 0.2}, {"sleep": 0.1, "status": 500}]) as server:
        answers, asked = chosen(local(server), 3)
    assert answers == ["tiktok_search", "JEV_UNAVAILABLE", "tiktok_search"]
    assert asked[0].elapsed_ms >= 200
    assert asked[1].elapsed_ms >= 100
    assert [each.answered for each in asked] == [True, False, True]


def test_a_cancelled_decision_is_timed() -> None:
    asked: list[Asked] = []

    async def cancelled(server: Server) -> None:
        async with Decider(local(server), asked) as decider:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await decider.choose(QUESTION, unsure="UNSURE")

    with serving([{"sleep": 1}]) as server:
        asyncio.run(cancelled(server))
    assert asked[0].elapsed_ms >= 200


@pytest.mark.parametrize(
    ("replies", "fault"),
    [
        ([{}, {}], ""),
        ([{"model": f" {PIN} "}], ""),
        ([{}, {"model": "acme/other-1"}], "MODEL_PIN_MISMATCH"),
        ([{"model": "acme/other-1", "confidence": 9}], "MODEL_PIN_MISMATCH"),
        ([{"model": None}], "MODEL_PIN_UNVERIFIED"),
        ([{"model": " "}], "MODEL_PIN_UNVERIFIED"),
        ([{"model": 7}], "MODEL_PIN_UNVERIFIED"),
        ([{"model": None, "status": 500}], ""),
        ([{"model": None, "confidence": 9}], ""),
        ([{"model": "acme/other-1"}, {"model": None}], "MODEL_PIN_MISMATCH"),
    ],
)
def test_every_decision_is_held_to_the_pin(replies: list[dict[str, Any]], fault: str) -> None:
    with serving(replies) as server:
        asked = chosen(local(server), len(replies))[1]
    assert pin_fault(asked, PIN) == fault
