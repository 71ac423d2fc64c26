"""What the gateway must know of a protocol between an agent and its model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import TypeAdapter, ValidationError

from benchdata.contracts.fields import SAFE_INTEGER, ModelId
from benchdata.contracts.usage import ModelUsage
from benchdata.stats.pricing import undated

ShapeName = Literal["messages", "responses"]
"""The protocols, as the drivers and the policy name them."""
Kind = Literal["main", "side", "sub", "other"]
"""Whose request it is.

- `main`: the conversation that was given the task; only its messages are turns.
- `side`: a call that offers the model no tool of the agent's own, such as one for a title.
- `sub`: the conversation of a subagent.
- `other`: nothing that a model answers.
"""
MODEL_ID: TypeAdapter[str] = TypeAdapter(ModelId)
LONGEST = 64 * 1024 * 1024
"""Bytes of an answer, or of a line of one that is streamed."""
Headers = Mapping[str, str]
"""Header names are in lower case."""
Body = Mapping[str, Any]


class TooLong(Exception):
    """An answer does not end."""


@dataclass(slots=True)
class Heard:
    """What an answer told so far; None is what it did not tell.

    `error` is the type that the API gives it, `status` the HTTP status that belongs to that type.
    """

    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_tokens: int | None = None
    cache_read_tokens: int | None = None
    complete: bool = False
    error: str | None = None
    status: int | None = None

    def usage(self, asked: str) -> ModelUsage:
        """Return the tokens under the name that was asked for, or under that of another model."""
        return ModelUsage(
            model=_named(asked, self.model),
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cache_creation_tokens=self.cache_creation_tokens,
            cache_read_tokens=self.cache_read_tokens,
        )


class Shape(Protocol):
    """One protocol."""

    path: str
    """Where an answer is asked for, as the agent knows it."""
    prefix: str
    """What the upstream's base URL stands for at the start of such a path."""
    others: tuple[str, ...]
    """The paths besides that an agent may use."""

    def kind(self, headers: Headers, body: Body) -> Kind:
        """Return whose request it is."""

    def said(self, body: Body) -> Any:
        """Return the conversation of a request."""

    def hear(self, heard: Heard, data: Body) -> None:
        """Take in the data of one event of a stream, or a whole answer."""

    def refusal(self, words: str) -> tuple[int, dict[str, Any]]:
        """Return a status and a body that end the agent's run: it does not ask again."""


class Listener:
    """Hears an answer as it passes by in pieces of any size."""

    def __init__(self, shape: Shape, heard: Heard, *, streamed: bool) -> None:
        self._shape = shape
        self._heard = heard
        self._streamed = streamed
        self._rest = bytearray()

    def feed(self, piece: bytes) -> None:
        """Take in the next piece.

        Raises:
            TooLong: Nothing can be understood of an answer, or one line of it, that goes on so.
        """
        self._rest += piece
        if self._streamed and b"\n" in piece:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                if line.startswith(b"data:") and (data := _object(line[5:])):
                    self._shape.hear(self._heard, data)
        if len(self._rest) > LONGEST:
            raise TooLong

    def end(self) -> None:
        """Take in what is left: the whole of an answer that was not streamed."""
        if not self._streamed and (data := _object(self._rest)):
            self._shape.hear(self._heard, data)


def objects(value: Any) -> list[Body]:
    """Return the objects of a list, and of anything else none: an agent may send what it likes."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def part(data: Body, name: str) -> Body:
    """Return the object `name` of an object; without one it is empty."""
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _named(asked: str, served: str | None) -> str:
    try:
        name = MODEL_ID.validate_python(served)
    except ValidationError:
        return asked
    return asked if undated(name) == undated(asked) else name


def _object(raw: bytes | bytearray) -> dict[str, Any]:
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def counts(usage: Body, names: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Give the counts that an API told, each by our name for its own."""
    for ours, theirs in names.items():
        value = usage.get(theirs)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= SAFE_INTEGER:
            yield ours, value
