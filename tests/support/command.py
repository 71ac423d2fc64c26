"""The command line, run in this process where that is enough, or as the process a user starts."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple
from unittest.mock import patch

from benchdata.cli import main

ROOT = Path(__file__).parents[2]


PEAK_OF = """
import os, sys
_, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0)
os.write(int(sys.argv[1]), str(usage.ru_maxrss).encode())
sys.exit(os.waitstatus_to_exitcode(status))
"""


class Done(NamedTuple):
    """The exit code of a command and what it wrote."""

    code: int
    out: str
    err: str


def run(*arguments: str | Path, stdin: bytes = b"") -> Done:
    """Run one command here; an exception that `main` lets out fails the test."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in "12")
    given = io.TextIOWrapper(io.BytesIO(stdin))
    command = ["benchdata", *map(str, arguments)]
    code: Any = None
    with (
        patch.object(sys, "argv", command),
        patch.object(sys, "stdin", given),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stopped:
            code = stopped.code
    for stream in (out, err):
        stream.flush()
    texts = [stream.detach().getvalue().decode() for stream in (out, err)]
    return Done(code, *texts)


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start one command as a process of its own, any warning in it an error."""
    command = [sys.executable, "-W", "error", "-m", "benchdata", *map(str, arguments)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, **{"cwd": ROOT, **pipes, **options})


def ended(process: subprocess.Popen[bytes]) -> Done:
    """Wait for a process to end and return how it did."""
    out, err = process.communicate(timeout=60)
    return Done(process.returncode, out.decode(), err.decode())


def measured(*arguments: str | Path) -> tuple[Done, int]:
    """Run one command as a process of its own; return how it ended and its peak memory in bytes."""
    # A process begins with the peak of the one it was forked from: a small one stands between.
    with TemporaryFile() as out, TemporaryFile() as err, TemporaryFile() as peak:
        command = [sys.executable, "-S", "-c", PEAK_OF, str(peak.fileno())]
        command += [sys.executable, "-W", "error", "-m", "benchdata", *map(str, arguments)]
        streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
        process = subprocess.Popen(command, cwd=ROOT, pass_fds=[peak.fileno()], **streams)
        code = process.wait(timeout=300)
        said, warned, most = (_all_of(stream) for stream in (out, err, peak))
    return Done(code, said, warned), int(most) * 1024


def _all_of(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode()


def refused(done: Done) -> str:
    """Return the one message of a command that failed as it should."""
    assert done.code == 1, done
    assert done.out == ""
    assert "Traceback" not in done.err
    assert done.err.endswith("\n")
    return done.err.removesuffix("\n")
