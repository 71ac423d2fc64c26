"""The script of `scripted_model` as a file that people write: exactly these keys, at any depth.

The models check a file and nothing else: what a key that is absent means, `scripted_model` says.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from collectors.harness.documents import Document

Seconds = Annotated[float, Field(ge=0, strict=False)]
Events = Annotated[int, Field(ge=0)]


class ToolCall(Document):
    """One call of a tool in a reply."""

    name: str
    input: dict[str, Any] = Field(default_factory=dict)
    id: str = ""


class Reply(Document):
    """One reply of the model, or one fault in its place."""

    thinking: str | None = None
    text: str | None = None
    tool_calls: list[ToolCall] = Field(default_factory=list)
    usage: dict[str, Any] | None = None
    stop_reason: str = ""
    model: str = ""
    delay_s: Seconds = 0
    pause_s: Seconds = 0
    status: Annotated[int, Field(ge=100, le=599)] = 200
    error_type: str = ""
    error: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    error_after: Events = 0
    break_after: Events = 0
    drop: bool = False
    consume: bool = True


class Queue(Document):
    """Replies in order, then `default`; `side` answers requests without tools."""

    replies: list[Reply] = Field(default_factory=list)
    default: Reply = Reply()
    side: Reply = Reply()


class Route(Queue):
    """The queue of the requests that hold these texts."""

    when: str = ""
    opening: str = ""


class ScriptFile(Queue):
    """The whole script."""

    routes: list[Route] = Field(default_factory=list)
