"""The Anthropic Messages API, as Claude Code speaks it."""

from __future__ import annotations

from typing import Any

from collectors.harness.gateway.shape import Body, Headers, Heard, Kind, counts, objects, part

SUBAGENT = "x-claude-code-agent-id"
"""Claude Code 2.1.332 sends it with every request of a subagent, and with no other."""
SUMMING_UP = "an <analysis> block followed by a <summary> block"
"""What Claude Code 2.1.332 asks for when a conversation has become too long, with all tools on."""
TOKENS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_creation_tokens": "cache_creation_input_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
}
STATUSES = {
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
INTERNAL = 500


class Messages:
    """See `shape.Shape`."""

    path = "/v1/messages"
    prefix = ""
    others: tuple[str, ...] = ("/v1/messages/count_tokens", "/v1/models")

    def kind(self, headers: Headers, body: Body) -> Kind:
        """Tell subagents by their header; a tool that the server runs is none of the agent's."""
        if SUBAGENT in headers:
            return "sub"
        offered = objects(body.get("tools"))
        own = [tool for tool in offered if tool.get("type", "custom") == "custom"]
        return "main" if own and not _sums_up(body) else "side"

    def said(self, body: Body) -> Any:
        """Return the messages."""
        return body.get("messages")

    def hear(self, heard: Heard, data: Body) -> None:
        """Take the counts of the end of the stream: the output told at its start is no count."""
        match data.get("type"):
            case "message_start":
                begun = part(data, "message")
                heard.model = begun.get("model")
                told = dict(counts(part(begun, "usage"), TOKENS))
                told.pop("output_tokens", None)
                _note(heard, told)
            case "message_delta":
                _note(heard, dict(counts(part(data, "usage"), TOKENS)))
            case "message_stop":
                heard.complete = True
            case "message":
                heard.model, heard.complete = data.get("model"), True
                _note(heard, dict(counts(part(data, "usage"), TOKENS)))
            case "error":
                heard.error = str(part(data, "error").get("type"))
                heard.status = STATUSES.get(heard.error, INTERNAL)

    def refusal(self, words: str) -> tuple[int, dict[str, Any]]:
        """Use the status that Claude Code neither repeats nor takes for a lost login."""
        return 402, {"type": "error", "error": {"type": "billing_error", "message": words}}


def _sums_up(body: Body) -> bool:
    """Tell by the last text of the program itself: what tools said is no text block."""
    said = objects(body.get("messages"))
    blocks = objects(said[-1].get("content")) if said else []
    return any(
        SUMMING_UP in str(block.get("text")) for block in blocks if block.get("type") == "text"
    )


def _note(heard: Heard, told: dict[str, int]) -> None:
    for name, value in told.items():
        setattr(heard, name, value)
