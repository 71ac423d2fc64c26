"""Which process descends from which."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROGRAM_IN_NAMESPACE = "2"
"""bubblewrap is the first process of the namespace and starts the program as the second."""


def descendants(top: int) -> set[int]:
    """Return the pids of everything under a process."""
    known = list(parents())
    found = {top}
    while more := {pid for pid, parent in known if parent in found} - found:
        found |= more
    return found - {top}


def program_under(first: int) -> int | None:
    """Return the pid of the program in the namespace whose first process is `first`."""
    for pid in [pid for pid, parent in parents() if parent == first]:
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                name, *pids = line.split()
                if name == "NSpid:" and pids[-1] == PROGRAM_IN_NAMESPACE:
                    return pid
    return None


def parents() -> Iterator[tuple[int, int]]:
    """Give every process with its parent."""
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - half the time of Path
        with suppress(OSError):
            stat = Path(f"/proc/{name}/stat").read_bytes()
            # the program's name stands in brackets and may hold spaces and brackets
            yield int(name), int(stat.rpartition(b")")[2].split()[1])
