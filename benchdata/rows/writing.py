"""Writing so that a crash leaves nothing or the whole: one appended row, one finished file."""

from __future__ import annotations

import errno
import fcntl
import glob
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from benchdata.contracts import Contract
from benchdata.errors import InputError, RowError
from benchdata.rows.lines import split
from benchdata.rows.scratch import locked
from benchdata.rows.strict_json import decode, encode

TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[{}\[\]]', re.DOTALL)
STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


def append(path: Path, row: dict[str, Any], contract: Contract) -> None:
    """Validate `row` and append it to `path` as one line, on disk before this returns.

    Writers in several processes take turns.

    Raises:
        RowError: The row breaks its contract; the file is not touched.
        InputError: The row could not be written; the file is as it was.
    """
    if path.suffix in {".gz", ".zst"}:
        raise InputError(f"{path}: rows are appended to uncompressed files only")
    line = encode(contract.validate(row))
    try:
        append_line(path, line)
    except OSError as error:
        raise InputError(
            f"{path}: the row is not safely written: {error.strerror}; see that its folder is"
            " there, may be written to and has room, then append the row again"
        ) from None


def appended(path: Path, contract: Contract) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file that `append` writes; without one there are none.

    A last line that a crash tore is no row: it was never reported as written.

    Raises:
        RowError: A line is no valid row of the contract; `line` tells which.
        OSError: The file cannot be read.
    """
    for line in split([path.read_bytes()] if path.exists() else []):
        if not line.ended and is_torn(line.data):
            continue
        try:
            if line.fault:
                raise line.fault
            yield contract.validate(decode(line.data, ended=line.ended))
        except RowError as error:
            raise error.at(path.name, line.number) from None


def append_line(path: Path, line: bytes) -> None:
    """Append a line to `path` as `write_line` does, or raise OSError."""
    with appending(path) as file:
        write_line(file, line)


def write_line(file: int, line: bytes) -> None:
    """Write a line at the end of a file held by `appending`, on disk before this returns.

    A last line without a newline is ended, unless a crash tore it: then it is cut off. When the
    line cannot be written whole, OSError is raised and the file is as it was.
    """
    size = os.lseek(file, 0, os.SEEK_END)
    tail = _unended(file, size)
    if is_torn(tail):
        size -= len(tail)
        os.ftruncate(file, size)
    elif tail:
        line = b"\n" + line
    try:
        _write_once(file, line)
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise


def _write_once(file: int, line: bytes) -> None:
    """Bring `line` to the disk; what could be written in part had no room."""
    if os.write(file, line) < len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    os.fsync(file)


def lines_of(file: int) -> list[bytes]:
    """Return the lines of a file held by `appending`, without one that a crash tore, or OSError."""
    *lines, tail = os.pread(file, os.fstat(file).st_size, 0).split(b"\n")
    return lines if not tail or is_torn(tail) else [*lines, tail]


@contextmanager
def appending(path: Path, *, wait: bool = True) -> Iterator[int]:
    """Yield a descriptor of `path`, made if it is not there, and hold its lock.

    Without `wait` a lock that another holds is a BlockingIOError.
    """
    how = fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB
    while True:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, how)
            # whoever held the lock may have put another file in the place of this one
            if _is_at(path, file):
                if os.fstat(file).st_size == 0:
                    _sync_directory(path.parent)  # its name may be new
                yield file
                return
        finally:
            os.close(file)


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False


def _unended(file: int, size: int) -> bytes:
    """Return what stands after the last newline."""
    start, last = size, b""
    while start > 0 and b"\n" not in last:
        block = min(start, 65536)
        start -= block
        last = os.pread(file, block, start) + last
    return last[last.rfind(b"\n") + 1 :]


def is_torn(tail: bytes) -> bool:
    """Tell whether a last line is an object that begins and does not end.

    That was never reported as written. Anything else, valid or not, is somebody's and stays.
    """
    depth = 0
    for token in TOKEN.finditer(tail):
        depth += STEP.get(token[0], 0)
        if depth <= 0:
            return False
    return tail.startswith(b"{")


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
