"""A program and everything that it starts, from its start to the proof that nothing is left."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from collectors.harness.supervisor import kernel
from collectors.harness.supervisor.descent import descendants, program_under
from collectors.harness.supervisor.door import open_door
from collectors.harness.supervisor.group import Group

LAST_S = 10.0
"""How long killed processes may take to be gone before they are reported."""
BUBBLEWRAP_FAILED = 1
"""Its own exit code when it cannot build the sandbox, which a program may have as well."""


class Tree:
    """A running tree; it exists once in a process, whose every child belongs to it."""

    def __init__(self, order: dict[str, Any]) -> None:
        """Start it.

        Raises:
            OSError, ValueError, subprocess.SubprocessError: It does not start; nothing is left.
        """
        self.pid = 0
        self.code: int | None = None
        self.listeners: list[int] = []
        self._first: tuple[int, int] | None = None
        self._told: int | None = None
        self._groups = [Group(**each) for each in order["groups"]]
        self.wake, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        kernel.call("prctl", kernel.SET_CHILD_SUBREAPER, 1)
        try:
            for group in self._groups:
                group.make()
            if order["isolated"]:
                self._start_in_namespaces(order)
            else:
                self.pid = self._start(order, order["argv"], ())
        except (OSError, ValueError, subprocess.SubprocessError):
            self.end()
            raise

    def _start_in_namespaces(self, order: dict[str, Any]) -> None:
        """Start bubblewrap, and let the program begin when all around it is ready."""
        if os.geteuid() == 0:
            kernel.lock_devices()  # others do not own them
        told, telling = os.pipe()
        held, holding = os.pipe()
        name, *options = order["argv"]
        waits = ["--json-status-fd", str(telling), "--block-fd", str(held)]
        self.pid = self._start(order, [name, *waits, *options], (telling, held))
        os.close(telling)
        os.close(held)
        first = _first_process(told)
        self._first = first, os.pidfd_open(first)
        self._told = told
        with socket.socket(fileno=order["door"]) as requests:
            self.listeners = open_door(first, order["ports"], requests)
        if order["processes"]:
            most = order["processes"]
            resource.prlimit(first, resource.RLIMIT_NPROC, (most, most))
        os.write(holding, b".")
        os.close(holding)

    def _start(self, order: dict[str, Any], argv: list[str], fds: Sequence[int]) -> int:
        """Start a program in the groups and limits of the order; return its pid."""
        streams = dict(zip(("stdin", "stdout", "stderr"), order["streams"], strict=True))

        def enter() -> None:
            kernel.call("prctl", kernel.SET_PDEATHSIG, signal.SIGKILL)
            for group in self._groups:
                group.enter()
            for name, most in order["rlimits"].items():
                _limit(getattr(resource, name), most)

        process = subprocess.Popen(
            argv,
            **streams,
            env=order["environment"],
            cwd=order["folder"],
            pass_fds=(*fds, *order["keep"]),
            preexec_fn=enter,  # noqa: PLW1509 - this process has one thread
            start_new_session=True,
        )
        process.returncode = 0  # it is collected here and not by its object
        for fd in {*order["streams"], *order["keep"]}:
            os.close(fd)
        return process.pid

    def began(self) -> bool:
        """Whether a program that has ended did begin, and it was not its sandbox that failed."""
        if self._told is None or self.code != BUBBLEWRAP_FAILED:
            return True
        return b"exit-code" in os.read(self._told, 4096)

    def signal(self, number: int) -> None:
        """Send a signal to the program itself, not to what confines it."""
        pid = self.pid if self._first is None else program_under(self._first[0])
        if pid is not None and self.code is None:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def reap(self) -> bool:
        """Collect the children that have ended; return whether there are others."""
        with suppress(BlockingIOError):
            os.read(self.wake, 4096)
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self.pid:
                    code = os.waitstatus_to_exitcode(status)
                    self.code = code if code >= 0 else 128 - code
        return False

    def end(self) -> list[int]:
        """Kill all of it and wait until it is gone; return the pids of what would not go."""
        for group in self._groups:
            group.forbid_forks()
        give_up = time.monotonic() + LAST_S
        while self.reap():
            if self._first is not None:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._first[1], signal.SIGKILL)
            for pid in descendants(os.getpid()):
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > give_up:
                return sorted(descendants(os.getpid()))
            select.select([self.wake], [], [], 0.01)
        for group in self._groups:
            group.remove()
        return []


def _first_process(told: int) -> int:
    """Return the first pid of the namespace, from what bubblewrap says, which comes in pieces.

    Raises:
        OSError: It ended before it said anything.
    """
    text = b""
    while b"}" not in text:
        piece = os.read(told, 4096)
        if not piece:
            raise OSError("bubblewrap ended before the program began")
        text += piece
    pid: int = json.loads(text)["child-pid"]
    return pid


def _limit(kind: int, most: int) -> None:
    """Lower a limit of this process for good, never raising what is lower already."""
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))
