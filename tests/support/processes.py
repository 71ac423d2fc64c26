"""A command as a process of its own that has so many threads."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

PROGRAM = """
import os, sys
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:{threads}])
from benchdata.cli import main
sys.argv = ['benchdata', *{arguments}]
main()
"""


def answered(arguments: Sequence[str], *, threads: int) -> bytes:
    """Return what a command prints in a process that sees `threads` processors."""
    program = PROGRAM.format(threads=threads, arguments=list(arguments))
    environment = os.environ | {"POLARS_MAX_THREADS": str(threads)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=environment
    )
    return done.stdout
