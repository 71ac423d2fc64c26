"""Writing so that a crash leaves nothing or the whole: one appended row, one finished file."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchdata.contracts import Contract
from benchdata.rows.strict_json import encode


def append(path: Path, row: dict[str, Any], contract: Contract) -> None:
    """Validate `row` and append it to `path` as one line, on disk before this returns.

    Writers in several processes take turns. A last line that a crash left torn (no newline at its
    end) is cut off first: it was never reported as written.
    """
    line = encode(contract.validate(row))
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _cut_torn_line(file.fileno())
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
    _sync_directory(path.parent)


def _cut_torn_line(descriptor: int) -> None:
    """Truncate the file behind `descriptor` to just after its last newline."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    keep = end
    while keep > 0:
        start = max(0, keep - 65536)
        newline = os.pread(descriptor, keep - start, start).rfind(b"\n")
        if newline >= 0:
            keep = start + newline + 1
            break
        keep = start
    if keep != end:
        os.ftruncate(descriptor, keep)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; on success it takes the place of `path` in one step.

    When the body raises, `path` is as it was and nothing is left beside it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        descriptor = os.open(part, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        part.chmod(0o644)
        part.replace(path)
        _sync_directory(path.parent)
    finally:
        part.unlink(missing_ok=True)


def _sync_directory(directory: Path) -> None:
    """Make a new name in `directory` durable."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
