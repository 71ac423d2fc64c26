"""A program to run: which, in which bounds, and the supervisor that is given the order."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SUPERVISOR = """
import os, sys
sys.path.append(sys.argv[1])
from collectors.harness.supervisor.main import main
main(int(sys.argv[2]), int(sys.argv[3]))
os._exit(0)
"""
"""Its last line saves the tidying up of an interpreter, for which the harness would wait."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is started, and in which bounds."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    """The whole of it: nothing of the harness's own is added."""
    folder: Path
    most_output: int
    """Bytes of standard output and standard error together; the tree is killed when it has more."""
    rlimits: Mapping[str, int]
    """By their name in the module `resource`."""
    groups: tuple[tuple[Path, Mapping[str, str]], ...] = ()
    """Control groups to make: a folder that is not there yet, and its settings by file name."""
    isolated: bool = False
    """Whether the first argument is bubblewrap, and all others are its."""
    processes: int | None = None
    """The most processes in the namespace of an isolated program, where its owner is not root."""
    ports: Mapping[int, Path] = field(default_factory=dict)
    """Loopback ports that the program can reach, each with the unix socket that answers there."""
    files: tuple[int, ...] = ()
    """Descriptors that the program inherits under their numbers."""


def supervised(
    program: Program, streams: Sequence[int], control: socket.socket, door: socket.socket
) -> subprocess.Popen[bytes]:
    """Start a supervisor with its order."""
    order = {
        "harness": os.getpid(),
        "argv": program.argv,
        "environment": dict(program.environment),
        "folder": str(program.folder),
        "streams": streams,
        "keep": program.files,
        "rlimits": dict(program.rlimits),
        "groups": [
            {"folder": str(folder), "settings": dict(settings)}
            for folder, settings in program.groups
        ],
        "isolated": program.isolated,
        "processes": program.processes,
        "ports": list(program.ports) if program.isolated else [],
        "door": door.fileno(),
    }
    with tempfile.TemporaryFile() as file:
        file.write(json.dumps(order).encode())
        file.seek(0)
        names = [str(ROOT), str(control.fileno()), str(file.fileno())]
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", SUPERVISOR, *names],
            env={},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(control.fileno(), door.fileno(), file.fileno(), *streams, *program.files),
            start_new_session=True,
        )
