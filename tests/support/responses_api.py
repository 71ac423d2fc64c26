"""A loopback stand-in for the OpenAI Responses API, for the real `codex`.

    with serving({"replies": [{"text": "Done."}]}) as server:
        server.url + "/v1"  # base_url of the model provider
        server.asked        # the requests for a response, in order

The script is that of `collectors.harness.gateway.scripted_model`, with these words of its own:
`reasoning` in the place of `thinking`; `tool_calls` with `arguments` (an object: a function) or
`input` (a string: a free-form tool such as `apply_patch`) and perhaps a `namespace`; `usage` with
`input_tokens` (which holds the cached ones), `cached_tokens`, `output_tokens`, `reasoning_tokens`;
`fail` (a stream that ends in `response.failed`, with `fail_code`).
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from collectors.harness.gateway.scripted_model import Event, Reply
from tests.support import scripted_api
from tests.support.scripted_api import Body, Server

USAGE = {"input_tokens": 100, "cached_tokens": 0, "output_tokens": 20, "reasoning_tokens": 0}


def serving(script: Mapping[str, Any]) -> AbstractContextManager[Server]:
    """Run a server on a free port of the loopback interface."""
    return scripted_api.serving(SHAPE, script)


def _whole(reply: Reply, body: Body) -> dict[str, Any]:
    return {
        "id": _id("resp_"),
        "object": "response",
        "created_at": 1_700_000_000,
        "status": "completed",
        "model": reply.get("model", body["model"]),
        "output": list(_items(reply)),
        "usage": _usage(reply),
    }


def _usage(reply: Reply) -> dict[str, Any] | None:
    told = reply.get("usage", {})
    if told is None:
        return None
    counts = USAGE | told
    return {
        "input_tokens": counts["input_tokens"],
        "input_tokens_details": {"cached_tokens": counts["cached_tokens"]},
        "output_tokens": counts["output_tokens"],
        "output_tokens_details": {"reasoning_tokens": counts["reasoning_tokens"]},
        "total_tokens": counts["input_tokens"] + counts["output_tokens"],
    }


def _items(reply: Reply) -> Iterator[dict[str, Any]]:
    if reply.get("reasoning"):
        summary = [{"type": "summary_text", "text": reply["reasoning"]}]
        reasoning = {"type": "reasoning", "id": _id("rs_"), "summary": summary}
        yield reasoning | {"encrypted_content": None}
    if reply.get("text") is not None:
        content = [{"type": "output_text", "text": reply["text"], "annotations": []}]
        said = {"type": "message", "id": _id("msg_"), "role": "assistant", "status": "completed"}
        yield said | {"content": content}
    for call in reply.get("tool_calls", ()):
        named = {"id": _id("fc_"), "call_id": call.get("id") or _id("call_"), "name": call["name"]}
        if "input" in call:
            given = {"type": "custom_tool_call", "input": call["input"]}
        else:
            arguments = json.dumps(call.get("arguments", {}))
            given = {"type": "function_call", "arguments": arguments}
        space = {"namespace": call["namespace"]} if "namespace" in call else {}
        yield named | {"status": "completed"} | given | space


def _stream(reply: Reply, body: Body) -> Iterator[Event]:
    events = _failing(reply, body) if "fail" in reply else _completing(reply, body)
    for number, (name, data) in enumerate(events):
        yield name, {"type": name, "sequence_number": number, **data}


def _completing(reply: Reply, body: Body) -> Iterator[Event]:
    final = _whole(reply, body)
    yield "response.created", {"response": _unfinished(final, "in_progress")}
    for index, item in enumerate(final["output"]):
        begun = item | ({"status": "in_progress"} if "status" in item else {})
        begun |= {"content": []} if item["type"] == "message" else {}
        yield "response.output_item.added", {"output_index": index, "item": begun}
        place = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            delta = {"content_index": 0, "delta": item["content"][0]["text"]}
            yield "response.output_text.delta", place | delta
        elif item["type"] == "function_call":
            delta = {"delta": item["arguments"]}
            yield "response.function_call_arguments.delta", place | delta
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield "response.completed", {"response": final}


def _failing(reply: Reply, body: Body) -> Iterator[Event]:
    final = _whole(reply, body)
    yield "response.created", {"response": _unfinished(final, "in_progress")}
    words = {"code": reply.get("fail_code", "server_error"), "message": reply["fail"]}
    yield "response.failed", {"response": _unfinished(final, "failed") | {"error": words}}


def _unfinished(final: Body, status: str) -> dict[str, Any]:
    return {**final, "status": status, "output": [], "usage": None}


def _error(reply: Reply) -> dict[str, Any]:
    words = {
        "message": reply.get("error", "scripted error"),
        "type": reply.get("error_type", "server_error"),
        "code": reply.get("error_code"),
    }
    return {"error": words}


def _broken(reply: Reply) -> Event:
    return "error", {"type": "error", **_error(reply)["error"]}


def _id(prefix: str) -> str:
    return prefix + uuid.uuid4().hex[:24]


SHAPE = scripted_api.Shape(
    path="/responses",
    whole=_whole,
    stream=_stream,
    error=_error,
    broken=_broken,
    # `data` is the public shape, `models` the one that codex reads
    others={"/models": {"object": "list", "models": [], "data": []}},
)
