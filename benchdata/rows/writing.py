"""Writing so that a crash leaves nothing or the whole: one appended row, one finished file."""

from __future__ import annotations

import fcntl
import glob
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from benchdata.contracts import Contract
from benchdata.errors import InputError, RowError
from benchdata.rows.scratch import locked
from benchdata.rows.strict_json import decode, encode


def append(path: Path, row: dict[str, Any], contract: Contract) -> None:
    """Validate `row` and append it to `path` as one line, on disk before this returns.

    Writers in several processes take turns. A last line without a newline is ended if it is whole;
    if a crash left it torn it is cut off: it was never reported as written.
    """
    if path.suffix in {".gz", ".zst"}:
        raise InputError(f"{path}: rows are appended to uncompressed files only")
    line = encode(contract.validate(row))
    try:
        with path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(_mended_end(file.fileno()) + line)
            file.flush()
            os.fsync(file.fileno())
        _sync_directory(path.parent)
    except OSError as error:
        raise InputError(
            f"{path}: the row is not safely written: {error.strerror}; see that its folder is"
            " there, may be written to and has room, then append the row again"
        ) from None


def _mended_end(descriptor: int) -> bytes:
    """Return the newline that the last line lacks, or cut that line off when it is torn."""
    size = os.lseek(descriptor, 0, os.SEEK_END)
    start, last = size, b""
    while start > 0 and b"\n" not in last:
        block = min(start, 65536)
        start -= block
        last = os.pread(descriptor, block, start) + last
    torn = last[last.rfind(b"\n") + 1 :]
    if not torn:
        return b""
    try:
        decode(torn, ended=False)
    except RowError:
        os.ftruncate(descriptor, size - len(torn))
        return b""
    return b"\n"


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; on success it takes the place of `path` in one step.

    When the body raises, `path` is as it was and nothing is left beside it. A directory or a device
    is no file to be replaced: InputError.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is no file that can be replaced; name another")
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    fcntl.flock(handle, fcntl.LOCK_EX)
    part = Path(name).rename(name.removesuffix("new") + "part")  # never seen without its lock
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
        os.close(handle)


def _sweep(path: Path) -> None:
    """Remove what killed writers of `path` left beside it: nobody holds a lock on that."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        with suppress(OSError), locked(left, fcntl.LOCK_EX | fcntl.LOCK_NB):
            left.unlink()


def _sync_directory(directory: Path) -> None:
    """Make a new name in `directory` durable."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
