"""A loopback stand-in for the OpenAI chat-completions API, whose answers come whole.

    with serving({"side": {"text": "{}"}}) as server:
        server.url + "/v1"  # the endpoint's base URL
        server.asked        # the requests, in order

The script is that of `collectors.harness.gateway.scripted_model`, with these words of its own:
`usage` with `prompt_tokens`, `completion_tokens` and perhaps `prompt_tokens_details`; `refusal`;
`finish_reason`; `json`, any value in the place of the answer.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from collectors.harness.gateway.scripted_model import Event, Reply
from tests.support import scripted_api
from tests.support.scripted_api import Body, Server

USAGE = {"prompt_tokens": 100, "completion_tokens": 20}


def serving(script: Mapping[str, Any]) -> AbstractContextManager[Server]:
    """Run a server on a free port of the loopback interface."""
    return scripted_api.serving(SHAPE, script)


def _whole(reply: Reply, body: Body) -> Any:
    if "json" in reply:
        return reply["json"]
    message = {
        "role": "assistant",
        "content": reply.get("text"),
        "refusal": reply.get("refusal"),
    }
    told = reply.get("usage", USAGE)
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": reply.get("model", body["model"]),
        "choices": [
            {"index": 0, "message": message, "finish_reason": reply.get("finish_reason", "stop")}
        ],
    } | ({} if told is None else {"usage": told})


def _stream(reply: Reply, body: Body) -> Iterator[Event]:
    raise NotImplementedError("nobody here asks this API for a stream")


def _broken(reply: Reply) -> Event:
    raise NotImplementedError("nobody here asks this API for a stream")


def _error(reply: Reply) -> dict[str, Any]:
    words = {
        "message": reply.get("error", "scripted error"),
        "type": reply.get("error_type", "server_error"),
    }
    return {"error": words}


SHAPE = scripted_api.Shape(
    path="/chat/completions",
    whole=_whole,
    stream=_stream,
    error=_error,
    broken=_broken,
    others={"/models": {"object": "list", "data": []}},
)
