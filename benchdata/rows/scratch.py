"""Temporary folders that vanish with their process; those of a killed one are swept by the next."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROWS = ".benchdata-rows-"


def spool() -> contextlib.AbstractContextManager[Path]:
    """Return a new folder for rows among the temporary files."""
    return folder(Path(tempfile.gettempdir()), ROWS)


@contextlib.contextmanager
def folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Yield a new folder in `parent` named `prefix` and more; it is removed at the end.

    Its process holds a lock on it. Folders of that prefix without one are left over: they go first.
    """
    for left in parent.glob(f"{prefix}*"):
        with contextlib.suppress(OSError), locked(left, fcntl.LOCK_EX | fcntl.LOCK_NB):
            shutil.rmtree(left, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=".", dir=parent))
    with locked(made, fcntl.LOCK_EX):
        mine = made.rename(parent / f"{prefix}{made.name[1:]}")  # never seen without its lock
        try:
            yield mine
        finally:
            shutil.rmtree(mine, ignore_errors=True)


@contextlib.contextmanager
def locked(path: Path, how: int) -> Iterator[None]:
    """Hold a lock on a file or folder; raise OSError where it cannot be had."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, how)
        yield
    finally:
        os.close(descriptor)
