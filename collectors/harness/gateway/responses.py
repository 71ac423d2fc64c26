"""The OpenAI Responses API, as codex speaks it."""

from __future__ import annotations

import json
from typing import Any

from collectors.harness.gateway.shape import Body, Headers, Heard, Kind, counts, part

SUBAGENT = "x-openai-subagent"
"""codex 0.171.0 sends it with every request of a subagent, and with no other."""
ABOUT = "x-codex-turn-metadata"
"""JSON; its `request_kind` is `turn` for what belongs to the conversation itself."""
STATUSES = {
    "insufficient_quota": 429,
    "rate_limit_exceeded": 429,
    "server_is_overloaded": 503,
    "slow_down": 503,
}
INTERNAL = 500
WHOLE = ("completed", "incomplete")


class Responses:
    """See `shape.Shape`."""

    path = "/v1/responses"
    prefix = "/v1"
    others: tuple[str, ...] = ("/v1/models",)

    def kind(self, headers: Headers, body: Body) -> Kind:
        """Tell subagents by their header."""
        if SUBAGENT in headers:
            return "sub"
        return "main" if body.get("tools") and _is_turn(headers) else "side"

    def said(self, body: Body) -> Any:
        """Return the items, or a plain text."""
        return body.get("input")

    def hear(self, heard: Heard, data: Body) -> None:
        """Take the counts of the whole response, which stands in the last event."""
        whole = part(data, "response") or data
        if data.get("type") == "error":
            _fail(heard, data)
        elif "status" in whole:
            heard.model = whole.get("model", heard.model)
            heard.complete = whole["status"] in WHOLE
            _count(heard, part(whole, "usage"))
        if whole.get("error"):
            _fail(heard, part(whole, "error"))

    def refusal(self, words: str) -> tuple[int, dict[str, Any]]:
        """Use the status that codex does not repeat."""
        error = {"type": "invalid_request_error", "code": "refused", "message": words}
        return 400, {"error": error}


def _is_turn(headers: Headers) -> bool:
    try:
        about = json.loads(headers.get(ABOUT, "{}"))
    except ValueError:
        return True
    return not isinstance(about, dict) or about.get("request_kind", "turn") == "turn"


def _fail(heard: Heard, error: Body) -> None:
    heard.error = str(error.get("code") or error.get("type"))
    heard.status = STATUSES.get(heard.error, INTERNAL)


def _count(heard: Heard, usage: Body) -> None:
    """Take the cached tokens out of the input, which holds them in this API."""
    told = dict(counts(usage, {"input": "input_tokens", "output": "output_tokens"}))
    if len(told) < 2:
        return
    details = part(usage, "input_tokens_details")
    kinds = dict(counts(details, {"read": "cached_tokens", "written": "cache_write_tokens"}))
    heard.cache_read_tokens = kinds.get("read", 0)
    heard.cache_creation_tokens = kinds.get("written", 0)
    cached = heard.cache_read_tokens + heard.cache_creation_tokens
    heard.input_tokens = max(told["input"] - cached, 0)
    heard.output_tokens = told["output"]
