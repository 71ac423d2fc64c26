"""A model that answers from a script, in the shape of the Messages API: a replay, no measurement.

    {"replies": [{"text": "Writing.", "tool_calls": [{"name": "Write", "input":
                    {"file_path": "{{cwd}}/a.svg", "content": "<svg/>"}}]},
                 {"text": "Done.", "usage": {"input_tokens": 900, "output_tokens": 12}}],
     "default": {"text": "nothing left to say"},
     "side":    {"text": "ok"},
     "routes":  [{"when": "You are the judge", "default": {"text": "A"}}]}

- `replies` answer, in order, the requests that offer tools; then comes `default`. `side` answers
  requests without tools.
- The first of `routes` that fits a request answers it with its own queue, so that several sessions
  and subagents are served side by side. `when` is a text anywhere in the request, `opening` one
  before the model's first answer in it.
- A reply holds `thinking`, `text`, `tool_calls` (`name`, `input`, `id`), `usage` (null: untold),
  `stop_reason`, `model`, `delay_s` before and `pause_s` between the events of its stream.
- Or it is a fault: `status` with `error_type`, `error` and `headers`; `error_after` so many events
  of the stream; and, where there is a connection, `drop` (it ends without a word) or `break_after`
  so many events. With `consume` false a reply is never used up.
- `{{cwd}}` becomes the working directory that the request names.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collectors.harness.gateway.asgi import Application, Message, Receive, Send

Reply = Mapping[str, Any]
Event = tuple[str, dict[str, Any]]
"""The name and the data of one event of a stream."""

FALLBACK: Mapping[str, Reply] = {"default": {"text": "nothing left to say"}, "side": {"text": "ok"}}
SPOKEN = ("system", "instructions", "messages", "input")
"""The fields of a request, in any shape, that hold what was said."""
TURNS = ("messages", "input")
MODEL_ITEMS = ("message", "reasoning", "function_call", "custom_tool_call")
CWD = re.compile(r'(?:[Ww]orking directory: |<cwd>)(.+?)(?:\\n|"|</cwd>)')
USAGE = {
    "input_tokens": 100,
    "output_tokens": 20,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


class Script:
    """What is left to say; safe to share between threads."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._routes = [(route, _Queue(route)) for route in data.get("routes", ())]
        self._main = _Queue(data)
        self._lock = threading.Lock()

    def take(self, request: Mapping[str, Any]) -> Reply:
        """Return the reply to a request, and use it up."""
        spoken = _text([request.get(name) for name in SPOKEN])
        opening = _text(_opening(request))
        queue = next(
            (
                queue
                for route, queue in self._routes
                if _text(route.get("when", ""))[1:-1] in spoken
                and _text(route.get("opening", ""))[1:-1] in opening
            ),
            self._main,
        )
        with self._lock:
            reply = queue.take() if request.get("tools") else queue.side
        found = CWD.search(spoken)
        filled: Reply = json.loads(_text(reply).replace("{{cwd}}", found[1])) if found else reply
        return filled


class _Queue:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self._replies = list(data.get("replies", ()))
        self._default = data.get("default", FALLBACK["default"])
        self.side: Reply = data.get("side", FALLBACK["side"])

    def take(self) -> Reply:
        reply: Reply = self._replies[0] if self._replies else self._default
        if self._replies and reply.get("consume", True):
            self._replies.pop(0)
        return reply


def application(data: Mapping[str, Any]) -> Application:
    """Return the model of a script as an ASGI application, for the gateway's `Upstream`."""
    script = Script(data)

    async def answer(_: Message, receive: Receive, send: Send) -> None:
        raw = (await receive())["body"]
        if not raw:  # nothing is asked of a model
            return await _whole(send, 404, error({"error_type": "not_found_error"}))
        request = json.loads(raw)
        reply = script.take(request)
        await asyncio.sleep(reply.get("delay_s", 0))
        if "status" in reply:
            return await _whole(send, reply["status"], error(reply))
        whole = message(reply, request["model"])
        if not request.get("stream"):
            return await _whole(send, 200, whole)
        return await _streamed(send, reply, stream(whole))

    return answer


def event_text(name: str, data: Mapping[str, Any]) -> bytes:
    """Return one event as a stream holds it."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def message(reply: Reply, asked: str) -> dict[str, Any]:
    """Return the whole message of a reply to a request for the model `asked`."""
    blocks = list(_blocks(reply))
    calls = any(block["type"] == "tool_use" for block in blocks)
    told = reply.get("usage", {})
    usage = {} if told is None else {"usage": USAGE | told}
    return {
        "id": _id("msg_"),
        "type": "message",
        "role": "assistant",
        "model": reply.get("model", asked),
        "content": blocks,
        "stop_reason": reply.get("stop_reason", "tool_use" if calls else "end_turn"),
        "stop_sequence": None,
    } | usage


def stream(whole: Mapping[str, Any]) -> Iterator[Event]:
    """Give the events of a message in the order of the streaming protocol."""
    usage = {"usage": whole["usage"]} if "usage" in whole else {}
    begun = {"usage": whole["usage"] | {"output_tokens": 1}} if usage else {}
    head = {**whole, "content": [], "stop_reason": None} | begun
    yield _event("message_start", message=head)
    for index, block in enumerate(whole["content"]):
        empty, deltas = _pieces(block)
        yield _event("content_block_start", index=index, content_block=empty)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=ending, **usage)
    yield _event("message_stop")


def error(reply: Reply) -> dict[str, Any]:
    """Return the body, or the event's data, of a scripted error."""
    words = {
        "type": reply.get("error_type", "api_error"),
        "message": reply.get("error", "scripted error"),
    }
    return {"type": "error", "error": words}


async def _whole(send: Send, status: int, data: Mapping[str, Any]) -> None:
    await send(_start(status, b"application/json"))
    await send(_piece(json.dumps(data).encode(), last=True))


async def _streamed(send: Send, reply: Reply, events: Iterator[Event]) -> None:
    await send(_start(200, b"text/event-stream"))
    for number, (name, data) in enumerate(events):
        if number == reply.get("error_after"):
            await send(_piece(event_text("error", error(reply))))
            break
        await asyncio.sleep(reply.get("pause_s", 0) if number else 0)
        await send(_piece(event_text(name, data)))
    await send(_piece(b"", last=True))


def _start(status: int, content: bytes) -> Message:
    return {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", content)],
    }


def _piece(data: bytes, *, last: bool = False) -> Message:
    return {"type": "http.response.body", "body": data, "more_body": not last}


def _event(name: str, **data: Any) -> Event:
    return name, {"type": name, **data}


def _blocks(reply: Reply) -> Iterator[dict[str, Any]]:
    if reply.get("thinking"):
        yield {"type": "thinking", "thinking": reply["thinking"], "signature": "c2NyaXB0ZWQ="}
    if reply.get("text") is not None:
        yield {"type": "text", "text": reply["text"]}
    for call in reply.get("tool_calls", ()):
        named = {"name": call["name"], "input": call.get("input", {})}
        yield {"type": "tool_use", "id": call.get("id") or _id("toolu_")} | named


def _pieces(block: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return how a block begins and the deltas that fill it."""
    match block["type"]:
        case "text":
            return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block["text"]}]
        case "thinking":
            return {"type": "thinking", "thinking": "", "signature": ""}, [
                {"type": "thinking_delta", "thinking": block["thinking"]},
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        case _:
            given = json.dumps(block["input"])
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": given}]


def _opening(request: Mapping[str, Any]) -> Sequence[Any]:
    """Return what was said before the model's first answer."""
    told = (request[name] for name in TURNS if isinstance(request.get(name), list))
    said: list[Any] = next(told, [])
    answers = (index for index, each in enumerate(said) if _is_answer(each))
    return said[: next(answers, len(said))]


def _is_answer(said: Mapping[str, Any]) -> bool:
    role = said.get("role", "assistant")
    return role == "assistant" and said.get("type", "message") in MODEL_ITEMS


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _id(prefix: str) -> str:
    return prefix + uuid.uuid4().hex[:24]
