"""A loopback stand-in for the Anthropic Messages API, for the real `claude`.

    with serving({"replies": [{"text": "Done."}]}) as server:
        server.url       # ANTHROPIC_BASE_URL
        server.asked     # the requests for a message, in order

The script is described in `collectors.harness.gateway.scripted_model`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from collectors.harness.gateway import scripted_model
from collectors.harness.gateway.scripted_model import Event, Reply
from tests.support import scripted_api
from tests.support.scripted_api import Body, Server


def serving(script: Mapping[str, Any]) -> AbstractContextManager[Server]:
    """Run a server on a free port of the loopback interface."""
    return scripted_api.serving(SHAPE, script)


def _whole(reply: Reply, body: Body) -> dict[str, Any]:
    return scripted_model.message(reply, body["model"])


def _stream(reply: Reply, body: Body) -> Iterator[Event]:
    return scripted_model.stream(_whole(reply, body))


def _broken(reply: Reply) -> Event:
    return "error", scripted_model.error(reply)


SHAPE = scripted_api.Shape(
    path="/v1/messages",
    whole=_whole,
    stream=_stream,
    error=scripted_model.error,
    broken=_broken,
    others={
        "/v1/messages/count_tokens": {"input_tokens": 100},
        "/v1/models": {"data": [], "has_more": False, "first_id": None, "last_id": None},
    },
)
