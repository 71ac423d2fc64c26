"""What a sandbox is given and what it promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchdata.contracts.grammar import Sandbox
from collectors.harness.failures import SetupFailed
from collectors.harness.processes import Running

GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Limits:
    """What a whole process tree may use, but for `file_bytes` and `open_files`: each process."""

    memory_bytes: int = 4 * GIB
    """Held by a control group, where one can be made."""
    processes: int = 1024
    """Held by a control group or, under bubblewrap and not as root, by a resource limit."""
    file_bytes: int = 2 * GIB
    """The size of one file."""
    open_files: int = 16_384
    output_bytes: int = GIB // 16
    """Standard output and standard error together."""


@dataclass(frozen=True, slots=True)
class Room:
    """The part of this machine that a confined program sees.

    Paths are absolute. That of `agent` can be found out inside, so it must not tell what a blind
    program may not know.
    """

    agent: Path
    """The only folder it may write to; it starts in the folder `work` there."""
    readable: tuple[Path, ...] = ()
    """What it may read as well, by the same path; what lies in `agent` is read-only."""
    ports: Mapping[int, Path] = field(default_factory=dict)
    """Loopback ports it may connect to, each with the unix socket that answers there."""
    limits: Limits = field(default_factory=Limits)

    @property
    def work(self) -> Path:
        """The folder in which the program starts.

        Raises:
            SetupFailed: It is not there.
        """
        work = self.agent / "work"
        if not work.is_dir():
            raise SetupFailed("the agent's folder has no folder `work` to start in")
        return work


class SandboxProvider(Protocol):
    """A way to confine programs."""

    @property
    def name(self) -> Sandbox:
        """As rows record it."""

    @property
    def weakness(self) -> str | None:
        """What it does not hold and why it is used all the same; None: it holds everything."""

    @property
    def isolated(self) -> bool:
        """Whether a program has namespaces of its own, and so a loopback interface of its own."""

    def inside(self, room: Room, path: Path) -> str:
        """Return the path by which the program sees something in `room.agent`."""

    def options(self, room: Room) -> Mapping[str, Any]:
        """Return how it holds a program in a room, for whoever wants to know later."""

    def start(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        room: Room,
        *,
        stdin: bytes,
        stdout: Path,
        stderr: Path,
    ) -> Running:
        """Start a program in a room; what it prints is appended to two files.

        Raises:
            SetupFailed: It cannot be started.
        """
