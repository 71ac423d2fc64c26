"""The ground of services that nobody vouches for: a sandbox of its own for every start."""

from __future__ import annotations

import errno
import os
import secrets
import signal
import socket
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from collectors.build_bench.bounded import Bounded
from collectors.build_bench.grounds import Host
from collectors.build_bench.service import STOP_S, Place
from collectors.harness.failures import SetupFailed
from collectors.harness.processes import Running, StillThere
from collectors.harness.sandbox.provider import Limits, Room, SandboxProvider
from collectors.harness.sandbox.reach import socket_to

PORTS = range(20_000, 60_000)
"""In a network of its own every port is free: one of these is drawn, so that none is guessed."""
LIMITS = Limits(memory_bytes=2 * 1024**3, processes=512, open_files=4096)
CANNOT_BEGIN = 126
"""What a shell says of a program that cannot be started."""


@dataclass(frozen=True, slots=True)
class Confined:
    """Runs the programs of one place in a sandbox, without any network.

    They see the place's folders, `readable`, and what every program needs of the machine. Where
    only the weaker sandbox works they are ended as surely, and confined no further.
    """

    sandbox: SandboxProvider
    place: Place
    readable: tuple[Path, ...]

    @property
    def _room(self) -> Room:
        return Room(self.place.shown, self.readable, limits=LIMITS)

    def start(
        self, argv: Sequence[str], environment: Mapping[str, str], folder: Path, output: Path
    ) -> ConfinedTree:
        """Start a program, which begins in the room's `work`.

        Raises:
            OSError: It is none that can be started.
            SetupFailed: There is no sandbox to start it in.
        """
        program = folder / Path(argv[0]).name
        if not os.access(program, os.X_OK):
            number = errno.EACCES if program.exists() else errno.ENOENT
            raise OSError(number, os.strerror(number))
        try:
            running = self.sandbox.start(
                argv, environment, self._room, stdin=b"", stdout=output, stderr=output
            )
        except SetupFailed:
            if self.sandbox.isolated:
                raise
            raise OSError(errno.ENOEXEC, os.strerror(errno.ENOEXEC)) from None
        return ConfinedTree(running, isolated=self.sandbox.isolated)

    def port(self) -> int:
        """Return a port that no service has."""
        return secrets.choice(PORTS) if self.sandbox.isolated else Host().port()

    def inside(self, path: Path) -> str:
        """Return the name that a path of the place has for the programs."""
        return self.sandbox.inside(self._room, path)


class ConfinedTree:
    """A program in a sandbox, with everything that it has started."""

    def __init__(self, running: Running, *, isolated: bool) -> None:
        self._running = running
        self._isolated = isolated
        self._held = ExitStack()

    def exit_code(self) -> int | None:
        """Return the exit code of the program, or None while it runs."""
        try:
            return self._running.wait(0)
        except StillThere:
            raise
        except SetupFailed:  # what it is to be run by is not there, or will not
            return CANNOT_BEGIN

    def transport(self, port: int) -> httpx.AsyncBaseTransport:
        """Return the way to a loopback port of the program, open until it is killed."""
        if not self._isolated:
            return Bounded(httpx.AsyncHTTPTransport())
        path = self._held.enter_context(socket_to(self._running, port))
        return Bounded(httpx.AsyncHTTPTransport(uds=str(path)))

    def connect(self, port: int) -> socket.socket:
        """Return a connection to a loopback port of the program.

        Raises:
            OSError: Nothing accepts one there.
        """
        return self._running.connect(port)

    def terminate(self) -> None:
        """Send SIGTERM to the program and wait for nothing; `kill` comes before any SIGKILL."""
        threading.Thread(
            target=self._stop, name=f"terminate {self._running.pid}", daemon=True
        ).start()

    def kill(self) -> None:
        """End all of it at once; nothing is left of it when this returns."""
        self._running.__exit__()
        self._held.close()

    def _stop(self) -> None:
        with suppress(SetupFailed):
            self._running.stop(2 * STOP_S, (signal.SIGTERM,))
