"""The sandbox of machines without bubblewrap: a throwaway folder, limits and a certain end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchdata.contracts.grammar import Sandbox
from collectors.harness.failures import SetupFailed
from collectors.harness.processes import Running
from collectors.harness.program import Program
from collectors.harness.sandbox.groups import groups, unbounded
from collectors.harness.sandbox.provider import Room
from collectors.harness.sandbox.rlimits import rlimits

TELLING = ("CLAUDE.md", "AGENTS.md", ".claude", ".agents", ".git")
"""What agent programs read in the folders above the one they start in."""


class Workspace:
    """Starts a program in its folder as the user it runs for.

    It ends the whole tree like the other sandbox, and confines nothing: the program may read what
    the user may read and reach every network, though it is told of neither.
    """

    name: Sandbox = "workspace"
    isolated = False

    def __init__(self, reason: str) -> None:
        """Keep the `reason` for which the stronger sandbox is not used."""
        confined = f"files and network not confined ({reason})"
        self.weakness = "; ".join(filter(None, (confined, unbounded())))

    def inside(self, room: Room, path: Path) -> str:
        """Return the path by which the program sees something in `room.agent`."""
        return str(room.agent / path.relative_to(room.agent))

    def options(self, room: Room) -> Mapping[str, Any]:
        """Return the bounds of each process: nothing else is held."""
        return {"rlimits": dict(rlimits(room.limits))}

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
            SetupFailed: It cannot be started, or a folder above would tell the agent something.
        """
        for folder in room.agent.resolve().parents:
            for name in TELLING:
                if (folder / name).exists():
                    raise SetupFailed(
                        f"the agent would find `{name}` in a folder above its own; "
                        "put runs where no folder above holds one"
                    )
        program = Program(
            argv=tuple(argv),
            environment=environment,
            folder=room.work,
            most_output=room.limits.output_bytes,
            rlimits=rlimits(room.limits),
            groups=groups(room.limits),
            ports=room.ports,
        )
        return Running(program, stdin=stdin, stdout=stdout, stderr=stderr)
