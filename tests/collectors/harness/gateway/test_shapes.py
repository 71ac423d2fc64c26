"""What is heard in an answer as it passes, and whose request is which."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from collectors.harness.gateway.messages import Messages
from collectors.harness.gateway.responses import Responses
from collectors.harness.gateway.scripted_model import Event, event_text, message, stream
from collectors.harness.gateway.shape import Heard, Listener, Shape
from tests.support.gated import tokens
from tests.support.responses_api import SHAPE as RESPONSES_API

MESSAGES, RESPONSES = Messages(), Responses()
USED = {
    "input_tokens": 900,
    "output_tokens": 30,
    "cache_creation_input_tokens": 70,
    "cache_read_input_tokens": 5,
}
CODEX_USED = {"input_tokens": 900, "cached_tokens": 300, "output_tokens": 40, "reasoning_tokens": 8}
REPLY = {"thinking": 'data: {"type": "message_stop"}', "text": "\n\nevent: error\n", "usage": USED}


def told(reply: Mapping[str, Any]) -> list[Event]:
    return list(stream(message(reply, "m-1")))


def codex_told(reply: Mapping[str, Any]) -> list[Event]:
    return list(RESPONSES_API.stream(reply, {"model": "m-1"}))


def heard(shape: Shape, events: Iterable[Event], size: int = 1 << 20) -> Heard:
    """Return what is heard of a stream that comes in pieces of so many bytes."""
    raw = b"".join(event_text(*event) for event in events)
    result = Heard()
    listener = Listener(shape, result, streamed=True)
    for start in range(0, len(raw), size):
        listener.feed(raw[start : start + size])
    listener.end()
    return result


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_the_usage_of_a_stream_is_heard_in_pieces_of_any_size(size: int) -> None:
    result = heard(MESSAGES, told(REPLY), size)
    assert (result.usage("m-1"), result.complete) == (tokens(900, 30, 70, 5, model="m-1"), True)
    result = heard(RESPONSES, codex_told({"text": "x", "usage": CODEX_USED}), size)
    assert (result.usage("m-1"), result.complete) == (tokens(600, 40, 0, 300, model="m-1"), True)


@pytest.mark.parametrize("left", range(1, 8))
def test_a_stream_that_broke_off_leaves_its_output_unknown_and_never_zero(left: int) -> None:
    events = told(REPLY)
    result = heard(MESSAGES, events[: len(events) - left - 1])
    assert (result.usage("m-1"), result.complete) == (tokens(900, None, 70, 5, model="m-1"), False)


def test_a_responses_stream_that_broke_off_tells_no_usage() -> None:
    result = heard(RESPONSES, codex_told({"text": "x", "usage": CODEX_USED})[:-1])
    assert (result.usage("m-1"), result.complete) == (
        tokens(None, None, None, None, model="m-1"),
        False,
    )


def test_an_answer_without_usage_is_complete_and_unknown() -> None:
    result = heard(MESSAGES, told({"text": "x", "usage": None}))
    assert (result.usage("m-1"), result.complete) == (
        tokens(None, None, None, None, model="m-1"),
        True,
    )


def test_an_answer_that_was_not_streamed_is_heard_whole() -> None:
    result = Heard()
    listener = Listener(MESSAGES, result, streamed=False)
    raw = json.dumps(message(REPLY, "m-1")).encode()
    listener.feed(raw[:100])
    listener.feed(raw[100:])
    listener.end()
    assert (result.usage("m-1"), result.complete) == (tokens(900, 30, 70, 5, model="m-1"), True)


@pytest.mark.parametrize(
    ("asked", "served", "named"),
    [
        ("m-1", "m-1-20250929", "m-1"),
        ("m-1-20250929", "m-1", "m-1-20250929"),
        ("gpt-5", "gpt-5-2025-08-07", "gpt-5"),
        ("gpt-5", "gpt-5-mini", "gpt-5-mini"),
        ("gpt-5", "~no id at all", "gpt-5"),
    ],
)
def test_tokens_go_to_the_model_that_was_asked_unless_another_served(
    asked: str, served: str, named: str
) -> None:
    assert Heard(model=served).usage(asked).model == named


@pytest.mark.parametrize(
    ("error", "status"),
    [("overloaded_error", 529), ("rate_limit_error", 429), ("api_error", 500), ("new", 500)],
)
def test_an_error_within_a_stream_has_the_status_of_its_type(error: str, status: int) -> None:
    failed = ("error", {"type": "error", "error": {"type": error, "message": "x"}})
    result = heard(MESSAGES, [*told(REPLY)[:3], failed])
    assert (result.error, result.status, result.complete) == (error, status, False)


@pytest.mark.parametrize(
    ("code", "status"),
    [("server_is_overloaded", 503), ("rate_limit_exceeded", 429), ("server_error", 500)],
)
def test_a_response_that_failed_has_the_status_of_its_code(code: str, status: int) -> None:
    result = heard(RESPONSES, codex_told({"fail": "x", "fail_code": code}))
    assert (result.error, result.status, result.complete) == (code, status, False)


OWN = {"name": "Bash", "input_schema": {}}
OF_SERVER = {"type": "web_search_20250305", "name": "web_search"}
NAMED = {"x-claude-code-agent-id": "a1"}
ABOUT = {"x-codex-turn-metadata": '{"request_kind": "turn"}'}
OTHER = {"x-codex-turn-metadata": '{"request_kind": "compaction"}'}


@pytest.mark.parametrize(
    ("shape", "headers", "tools", "kind"),
    [
        (MESSAGES, {}, [OWN], "main"),
        (MESSAGES, {}, [OWN, OF_SERVER], "main"),
        (MESSAGES, {}, [OF_SERVER], "side"),
        (MESSAGES, {}, [], "side"),
        (MESSAGES, NAMED, [OWN], "sub"),
        (MESSAGES, NAMED, [], "sub"),
        (RESPONSES, {}, [OWN], "main"),
        (RESPONSES, ABOUT, [OWN], "main"),
        (RESPONSES, {"x-codex-turn-metadata": "no JSON"}, [OWN], "main"),
        (RESPONSES, OTHER, [OWN], "side"),
        (RESPONSES, ABOUT, [], "side"),
        (RESPONSES, {**ABOUT, "x-openai-subagent": "collab_spawn"}, [OWN], "sub"),
    ],
)
def test_whose_request_it_is(
    shape: Shape, headers: dict[str, str], tools: list[dict[str, Any]], kind: str
) -> None:
    assert shape.kind(headers, {"tools": tools}) == kind


@pytest.mark.parametrize(("block", "kind"), [("text", "side"), ("tool_result", "main")])
def test_only_the_program_itself_asks_to_sum_up(block: str, kind: str) -> None:
    words = "Write an <analysis> block followed by a <summary> block."
    content = [{"type": block, "text": words, "content": words}, {"type": "text", "text": "now"}]
    body = {"tools": [OWN], "messages": [{"role": "user", "content": content}]}
    assert MESSAGES.kind({}, body) == kind


@pytest.mark.parametrize("messages", [None, [], [{"role": "user", "content": "plain"}]])
def test_a_conversation_of_any_form_has_a_kind(messages: Any) -> None:
    assert MESSAGES.kind({}, {"tools": [OWN], "messages": messages}) == "main"
