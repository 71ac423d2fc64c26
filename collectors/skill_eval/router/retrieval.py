"""What an agent searched, loaded and was refused: a line each, in words that tell no arm.

Only processes out of the agent's reach write it, so an agent can add what it really asked for and
nothing else.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from benchdata.contracts.fields import instant_text
from benchdata.errors import shorten

FILE = "retrieval.jsonl"
MOST_CALLS = 500
"""Per attempt; what is asked beyond them is refused, and no longer written down."""
MOST_NAMED = 20
LONGEST = 200

Event = Literal["search", "load", "refusal", "failure"]
Because = Literal["excluded", "form", "size", "limit"]


class Retrieval:
    """The record of one attempt, open until it is left.

    Raises:
        FileExistsError: The file is there already.
    """

    def __init__(self, file: Path) -> None:
        self._file = file.open("x", encoding="utf-8", errors="replace")
        self._calls = 0
        self._one = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a disk that is full loses lines and not the run
            self._file.close()

    def admits(self) -> bool:
        """Count a call of the agent; False when it has had all it may."""
        with self._one:
            self._calls += 1
            count = self._calls
        if count == MOST_CALLS + 1:
            self.refusal("", "limit")
        return count <= MOST_CALLS

    def search(self, query: str, found: Sequence[str], withheld: Sequence[str]) -> None:
        """Note a search: what it found, without what was taken out of that, and this."""
        self._write("search", query, {"found": _few(found), "withheld": _few(withheld)})

    def load(self, asked: str, text: str) -> None:
        """Note the text of a skill that the agent was given, by its size and SHA-256."""
        told = text.encode(errors="replace")
        digest = hashlib.sha256(told).hexdigest()
        self._write("load", asked, {"characters": len(text), "digest": digest})

    def refusal(self, asked: str, because: Because) -> None:
        """Note what the agent was not given."""
        self._write("refusal", asked, {"because": because})

    def failure(self, asked: str, because: str) -> None:
        """Note what could not be answered."""
        self._write("failure", asked, {"because": shorten(because, LONGEST)})

    def _write(self, event: Event, asked: str, facts: Mapping[str, Any]) -> None:
        line = {
            "at": instant_text(datetime.now(UTC)),
            "event": event,
            "asked": shorten(asked, LONGEST),
            **facts,
        }
        with (
            self._one,
            suppress(OSError, ValueError),
        ):  # ValueError: an answer that came after the end
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()


def _few(names: Sequence[str]) -> list[str]:
    """Return the first names; they come from answers, and so may be many and long."""
    return [shorten(name, LONGEST) for name in names[:MOST_NAMED]]
