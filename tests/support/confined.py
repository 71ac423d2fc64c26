"""Running programs in a sandbox, and looking for what they leave behind."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from collectors.harness.processes import Running
from collectors.harness.sandbox.provider import Room, SandboxProvider

T = TypeVar("T")
PYTHON = "/usr/bin/python3"
SECONDS = 60.0
"""Long enough for a busy machine; no test waits for it."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a program ended and what it printed."""

    code: int | None
    stdout: str
    stderr: str
    flooded: bool


@dataclass(slots=True)
class Lab:
    """A folder with a room in it, a provider, and a mark that all its processes carry."""

    root: Path
    provider: SandboxProvider
    environment: dict[str, str] = field(default_factory=dict)
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        self.work.mkdir(parents=True)

    @property
    def agent(self) -> Path:
        return self.root / "agent"

    @property
    def work(self) -> Path:
        return self.agent / "work"

    @property
    def stdout(self) -> Path:
        return self.root / "stdout"

    def start(self, argv: Sequence[str], room: Room | None = None, stdin: bytes = b"") -> Running:
        environment = {"PATH": os.defpath, "MARK": self.mark} | self.environment
        return self.provider.start(
            argv,
            environment,
            room or Room(self.agent),
            stdin=stdin,
            stdout=self.stdout,
            stderr=self.root / "stderr",
        )

    def run(self, argv: Sequence[str], room: Room | None = None, stdin: bytes = b"") -> Done:
        """Run a program to its end; every process of it must be gone then."""
        with self.start(argv, room, stdin) as running:
            code = running.wait(SECONDS)
        assert self.survivors() == []
        return Done(code, self.stdout.read_text(), self.said(), running.flooded)

    def shell(self, text: str, room: Room | None = None, stdin: bytes = b"") -> Done:
        return self.run(("/bin/sh", "-c", text), room, stdin)

    def python(self, text: str, room: Room | None = None) -> Done:
        return self.run((PYTHON, "-I", "-c", text), room)

    def said(self) -> str:
        return (self.root / "stderr").read_text()

    def printed(self, text: str) -> str:
        """Wait until the program has printed a text; return all that it printed."""
        return waited(lambda: self.stdout.read_text() if text in self.stdout.read_text() else "")

    def survivors(self) -> list[int]:
        """The processes that still carry the mark; zombies do not."""
        return marked(self.mark)


def marked(mark: str) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with suppress(OSError):
                if f"MARK={mark}".encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
    return sorted(found)


def waited(look: Callable[[], T]) -> T:
    """Return the first true answer.

    Raises:
        TimeoutError: There was none in time.
    """
    give_up = time.monotonic() + SECONDS
    while time.monotonic() < give_up:
        if answer := look():
            return answer
        time.sleep(0.01)
    raise TimeoutError
