"""A model that answers from a script: who is answered with what."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

from collectors.harness.gateway.asgi import Message
from collectors.harness.gateway.scripted_model import Script, application

TOOLS = [{"name": "Bash"}]


def said(*texts: str, **rest: Any) -> dict[str, Any]:
    """Return a request with these messages, the model's in every second place."""
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]
    return {"model": "scripted", "messages": messages, "tools": TOOLS, **rest}


def asked(data: Mapping[str, Any], request: Mapping[str, Any]) -> tuple[int, bytes]:
    """Return the status and the body that an application of a script answers with."""
    messages: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": json.dumps(request).encode()}

    async def send(message: Message) -> None:
        messages.append(message)

    asyncio.run(application(data)({}, receive, send))  # type: ignore[arg-type]
    assert not messages[-1]["more_body"]
    return messages[0]["status"], b"".join(each["body"] for each in messages[1:])


def test_replies_are_used_up_in_order_by_requests_with_tools() -> None:
    script = Script({"replies": [{"text": "1"}, {"text": "2"}], "side": {"text": "side"}})
    requests = [said("a"), said("a", tools=[]), said("a"), said("a")]
    texts = [script.take(request)["text"] for request in requests]
    assert texts == ["1", "side", "2", "nothing left to say"]


def test_a_fault_that_is_not_consumed_stays() -> None:
    script = Script({"replies": [{"status": 500, "consume": False}]})
    assert [script.take(said("a"))["status"] for _ in range(3)] == [500] * 3


def test_sessions_have_their_own_replies() -> None:
    judge = {"when": 'the "judge"', "replies": [{"text": "A"}], "default": {"text": "B"}}
    script = Script({"replies": [{"text": "1"}], "routes": [judge]})
    system = said("a", system='You are the "judge"')
    texts = [script.take(request)["text"] for request in (system, said("a"), system)]
    assert texts == ["A", "1", "B"]


def test_a_subagent_is_known_by_its_opening_and_not_by_who_sent_it() -> None:
    script = Script({"routes": [{"opening": "draw a beak", "default": {"text": "sub"}}]})
    sender = said("go", "draw a beak", "done")
    assert script.take(said("draw a beak"))["text"] == "sub"
    assert script.take(sender)["text"] == "nothing left to say"


def test_the_working_directory_is_that_of_the_request() -> None:
    script = Script({"default": {"text": "{{cwd}}/a"}})
    assert script.take(said("x\nWorking directory: /a b/ü\nmore"))["text"] == "/a b/ü/a"
    assert script.take({"tools": TOOLS, "input": "<cwd>/c</cwd>"})["text"] == "/c/a"


def test_an_answer_is_whole_or_streamed_as_asked() -> None:
    data = {"default": {"text": "x", "tool_calls": [{"name": "Bash", "input": {"a": 1}}]}}
    status, whole = asked(data, said("a"))
    assert (status, json.loads(whole)["stop_reason"]) == (200, "tool_use")
    status, stream = asked(data, said("a", stream=True))
    assert (status, stream.count(b"event: "), stream.count(b"message_stop")) == (200, 9, 2)


def test_errors_and_delays_are_as_the_script_says() -> None:
    limited = {"status": 429, "error_type": "rate_limit_error", "error": "slow down"}
    status, body = asked({"default": limited}, said("a"))
    assert (status, json.loads(body)["error"]["message"]) == (429, "slow down")
    slow = {"text": "x", "delay_s": 0.1, "pause_s": 0.02, "error_after": 3}
    begun = time.monotonic()
    status, stream = asked({"default": slow}, said("a", stream=True))
    assert time.monotonic() - begun >= 0.14
    assert (status, stream.count(b"event: "), stream.count(b"event: error")) == (200, 4, 1)
