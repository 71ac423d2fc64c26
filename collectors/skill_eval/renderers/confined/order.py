"""What is to be drawn, what is told of it, and the end of patience."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MOST_WORDS = 20
"""Lines of evidence."""
LONGEST = 200


class Failed(Exception):
    """The artefact has no rendering."""


class Unable(Exception):
    """This machine cannot render, whatever the artefact is."""


@dataclass(frozen=True, slots=True)
class Order:
    """One rendering; the settings are those of `Render`."""

    kind: str
    folder: Path
    """The artefact."""
    entries: tuple[str, ...]
    out: Path
    scratch: Path
    width: int
    height: int
    pictures: int
    wait_ms: int
    key: str
    tabs: int
    sections: str

    @classmethod
    def parsed(cls, text: str) -> Order:
        """Return the order that another process has written."""
        told = json.loads(text)
        told |= {name: Path(told[name]) for name in ("folder", "out", "scratch")}
        return cls(**told | {"entries": tuple(told["entries"])})

    @property
    def first(self) -> Path:
        """The first file to show."""
        return self.folder / self.entries[0]


@dataclass
class Evidence:
    """What went wrong without ending it: short, each once, and in an order of its own."""

    words: set[str] = field(default_factory=set)

    def add(self, words: str) -> None:
        """Keep a line, cut short."""
        shown = "".join(char if char.isprintable() else " " for char in words[: LONGEST + 1])
        if len(self.words) < 10 * MOST_WORDS:
            self.words.add(shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…")

    def told(self) -> list[str]:
        """Return the first lines by the alphabet, so that a race changes nothing."""
        return sorted(self.words)[:MOST_WORDS]


def tell(**told: Any) -> None:
    """Write the one answer to standard output."""
    os.write(1, json.dumps(told).encode())


@contextmanager
def patience(seconds: int, words: str, answer: str = "failed") -> Iterator[None]:
    """End the process with an answer when the body takes longer than it may; one within no other.

    What waits for a page or a program cannot be interrupted otherwise; its end ends all of them.
    """

    def end(*_: object) -> None:
        tell(**{answer: f"{words} within {seconds} s"})
        os._exit(0)

    signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
