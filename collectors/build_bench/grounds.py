"""Where a service runs: what starts its programs and ends them, and how a port is reached."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Protocol

import httpx

from collectors.build_bench.bounded import Bounded
from collectors.harness import process_groups

LOOPBACK = "127.0.0.1"
MARK = "BUILD_BENCH_TREE"
"""The variable by which the processes of one tree are told from all others."""


class Tree(Protocol):
    """A program that was started, with everything that it has started."""

    def exit_code(self) -> int | None:
        """Return the exit code of the program, or None while it runs."""

    def transport(self, port: int) -> httpx.AsyncBaseTransport:
        """Return the way to a loopback port of the program, open until it is killed."""

    def connect(self, port: int) -> socket.socket:
        """Return a connection to a loopback port of the program.

        Raises:
            OSError: Nothing accepts one there.
        """

    def terminate(self) -> None:
        """Ask the program to end."""

    def kill(self) -> None:
        """End all of it at once; nothing is left of it when this returns."""


class Ground(Protocol):
    """Starts programs: on this machine as they are, or in a sandbox."""

    def start(
        self, argv: Sequence[str], environment: Mapping[str, str], folder: Path, output: Path
    ) -> Tree:
        """Start a program in a folder; what it prints is added to `output`.

        Raises:
            OSError: It cannot be started.
        """

    def port(self) -> int:
        """Return a port that no service has."""

    def inside(self, path: Path) -> str:
        """Return the name that a path has for the programs."""


class Host:
    """The machine itself, for services that are trusted: references and what is built upon them."""

    def start(
        self, argv: Sequence[str], environment: Mapping[str, str], folder: Path, output: Path
    ) -> Tree:
        """Start a program that leads a process group and is ended when this process ends."""
        return HostTree(argv, environment, folder, output)

    def port(self) -> int:
        """Return a free port of the loopback interface."""
        with socket.socket() as free:
            free.bind((LOOPBACK, 0))
            number: int = free.getsockname()[1]
            return number

    def inside(self, path: Path) -> str:
        """Return the path as it is."""
        return str(path)


class HostTree:
    """A process group, and whatever left the group but kept its environment."""

    def __init__(
        self, argv: Sequence[str], environment: Mapping[str, str], folder: Path, output: Path
    ) -> None:
        self._mark = f"{MARK}={uuid.uuid4().hex}"
        name, _, value = self._mark.partition("=")
        self._held = ExitStack()
        with output.open("ab") as log:
            self._process = self._held.enter_context(
                process_groups.started(
                    argv,
                    {**environment, name: value},
                    cwd=folder,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            )

    def exit_code(self) -> int | None:
        """Return the exit code of the program, or None while it runs."""
        return self._process.poll()

    def transport(self, port: int) -> httpx.AsyncBaseTransport:  # noqa: ARG002
        """Return a direct way: every port of this machine is within reach."""
        return Bounded(httpx.AsyncHTTPTransport())

    def connect(self, port: int) -> socket.socket:
        """Return a connection to the port."""
        return socket.create_connection((LOOPBACK, port))

    def terminate(self) -> None:
        """Send SIGTERM to the group: a start script need not pass it on."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kill the group and every marked process until there is none, each to its last port."""
        mark = self._mark.encode()
        handles = _marked(mark)  # before the kill: one that is dying has lost its mark
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        while handles:
            for handle in handles:
                _end(handle)
            handles = _marked(mark)
        self._process.wait()
        self._held.close()


def _marked(mark: bytes) -> list[int]:
    """Return a file descriptor of every process whose environment holds a mark."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError), ExitStack() as opened:
            handle = os.pidfd_open(int(entry.name))
            opened.callback(os.close, handle)
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                opened.pop_all()
                found.append(handle)
    return found


def _end(handle: int) -> None:
    """Kill a process, wait until it has ended, and close its file descriptor."""
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    ending = select.poll()
    ending.register(handle, select.POLLIN)
    ending.poll()
    os.close(handle)
