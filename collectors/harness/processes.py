"""Process trees: started under a supervisor, watched, stopped, and gone to the last process."""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

from collectors.harness.descriptors import dialled, listening, memory_file
from collectors.harness.failures import SetupFailed
from collectors.harness.program import Program, supervised
from collectors.harness.sandbox.forwarder import Forwarder
from collectors.harness.supervisor.door import CONNECT_S, MOST_PORTS
from collectors.harness.supervisor.group import Group

AGENT_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Agent programs report their usage on the first of them; SIGKILL follows the last."""
KILLED = 128 + signal.SIGKILL
CHUNK = 65_536


class StillThere(SetupFailed):
    """Killed processes are not gone; the machine needs a look before anything else is run."""


class Running:
    """A process tree. When this object or its process goes, the tree goes too."""

    def __init__(self, program: Program, *, stdin: bytes, stdout: Path, stderr: Path) -> None:
        """Start it; what it prints is appended to two files.

        Raises:
            SetupFailed: It cannot be started.
        """
        self.flooded = False
        """Whether it was killed because it printed more than it may."""
        self._unkept: str | None = None
        self._code = KILLED
        self._began = True
        self._left: list[int] = []
        self._ended = threading.Event()
        self._program = program
        self._supervisor: subprocess.Popen[bytes] | None = None
        self._stderr = stderr
        self._asking = threading.Lock()
        self._outputs: list[tuple[IO[bytes], IO[bytes]]] = []
        with ExitStack() as held:
            held.callback(self._collect)
            listeners = [] if program.isolated else listening(program.ports, held)
            with ExitStack() as given:
                self._control, control = _pair(held, given)
                self._door, door = _pair(held, given)
                streams = [memory_file(stdin, given)]
                for path in (stdout, stderr):
                    pipe, end = os.pipe()
                    given.callback(os.close, end)
                    streams.append(end)
                    read = held.enter_context(os.fdopen(pipe, "rb", buffering=0))
                    kept = held.enter_context(path.open("ab", buffering=0))
                    self._outputs.append((read, kept))
                self._supervisor = supervised(program, streams, control, door)
            self.pid, inside = self._started()
            for listener, target in zip(listeners or inside, program.ports.values(), strict=True):
                held.callback(Forwarder(listener, partial(dialled, target)).close)
            self._held = held.pop_all()
        threading.Thread(target=self._watch, name=f"watch {self.pid}", daemon=True).start()

    @property
    def ended(self) -> bool:
        """Whether the whole tree is gone."""
        return self._ended.is_set()

    def wait(self, seconds: float | None = None) -> int | None:
        """Wait until the whole tree is gone; return the program's exit code, None if it is not.

        A program that a signal ended has 128 and the signal's number, as in a shell.

        Raises:
            StillThere: The program has ended, and something of its tree cannot be killed.
            SetupFailed: The program did not begin, for want of itself or of a sandbox, or this
                machine has no room for what it printed.
        """
        if not self._ended.wait(seconds):
            return None
        if not self._began:
            raise SetupFailed(f"the program did not begin: {last_line(self._stderr)}")
        if self._left:
            raise StillThere(f"processes {self._left} were killed and are still there")
        if self._unkept:
            raise SetupFailed(f"what the program printed cannot be kept: {self._unkept}")
        return self._code

    def stop(self, grace_s: float, signals: Sequence[signal.Signals] = AGENT_SIGNALS) -> int:
        """Send the program one signal after the other, then kill the tree; return its exit code.

        Raises:
            StillThere: Something of the tree cannot be killed.
            SetupFailed: The program did not begin, for want of itself or of a sandbox, or this
                machine has no room for what it printed.
        """
        self._order(grace_s, signals)
        self.wait()
        return self._code

    def connect(self, port: int) -> socket.socket:
        """Return a connection to a loopback port of the program.

        Raises:
            ConnectionError: Nothing listens there (yet), or the program has ended.
            TimeoutError: It does not answer.
        """
        if not self._program.isolated:
            return socket.create_connection(("127.0.0.1", port), CONNECT_S)
        with self._asking:
            try:
                self._door.send(str(port).encode())
                text, fds, *_ = socket.recv_fds(self._door, 64, 1)
            except OSError as error:
                raise ConnectionResetError("the program has ended") from error
        if not text:
            raise ConnectionResetError("the program has ended")
        if not fds:
            raise OSError(int(text), os.strerror(int(text)))
        return socket.socket(fileno=fds[0])

    def __enter__(self) -> Running:
        """Keep it running in the body."""
        return self

    def __exit__(self, *_: object) -> None:
        """Kill what is left of it, and wait until it is gone."""
        self._order(0.0, ())
        self._ended.wait()

    def _started(self) -> tuple[int, list[socket.socket]]:
        """Return the first pid and the listening sockets, or say why there is none."""
        text, fds, *_ = socket.recv_fds(self._control, CHUNK, MOST_PORTS)
        message = json.loads(text or b'{"failed": "the supervisor ended"}')
        if "started" not in message:
            said = self._outputs[1][0].read(CHUNK).decode("utf-8", "replace").strip()
            name = Path(self._program.argv[0]).name
            raise SetupFailed(f"{name} does not start: {said or message['failed']}")
        return message["started"], [socket.socket(fileno=fd) for fd in fds]

    def _watch(self) -> None:
        """Write down what the tree prints and take note of its end."""
        room = self._program.most_output
        try:
            with self._held, selectors.DefaultSelector() as ready:
                ready.register(self._control, selectors.EVENT_READ)
                for pipe, kept in self._outputs:
                    ready.register(pipe, selectors.EVENT_READ, kept)
                while ready.get_map():
                    for key, _ in ready.select():
                        chunk = _piece(key.fd)
                        if key.data is None:
                            self._note_end(chunk)
                        elif not (self.flooded or self._unkept):
                            self._unkept = _fault(key.data, chunk[:room])
                            self.flooded = len(chunk) > room
                            room -= len(chunk)
                            if self.flooded or self._unkept:
                                self._order(0.0, ())
                        if key.data is None or not chunk:
                            ready.unregister(key.fileobj)
        finally:
            self._ended.set()

    def _collect(self) -> None:
        """Wait for the supervisor, which ends when it was told to, or when nobody listens."""
        if self._supervisor is not None:
            self._supervisor.wait()
        for folder, settings in self._program.groups:
            Group(str(folder), settings).remove()  # if the supervisor was killed and could not

    def _note_end(self, text: bytes) -> None:
        """Keep the report; a supervisor that was killed gives none and took the program along."""
        message: dict[str, Any] = json.loads(text or b"{}")
        self._code = message.get("ended", KILLED)
        self._began = message.get("began", True)
        self._left = message.get("left", [])

    def _order(self, grace_s: float, signals: Sequence[signal.Signals]) -> None:
        """Tell the supervisor to stop the tree; it may have ended already."""
        order = {"signals": [int(each) for each in signals], "grace_s": grace_s}
        with suppress(OSError):
            self._control.send(json.dumps(order).encode())


def _pair(held: ExitStack, given: ExitStack) -> tuple[socket.socket, socket.socket]:
    """Return our end of a connection and the supervisor's."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    return held.enter_context(ours), given.enter_context(theirs)


def _piece(fd: int) -> bytes:
    """Return what can be read now; nothing when the other end was closed or killed."""
    try:
        return os.read(fd, CHUNK)
    except ConnectionResetError:
        return b""


def last_line(path: Path) -> str:
    """Return the last line of a text that is short or whose end is."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - CHUNK))
        lines = file.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it does not say why"


def _fault(file: IO[bytes], text: bytes) -> str | None:
    """Write a text; return why that failed, if it did."""
    try:
        while text:
            text = text[file.write(text) :]
    except OSError as error:
        return os.strerror(error.errno or 0)
    return None
