"""The files of another tool: regular ones of a bounded size, no link followed inside a folder."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from benchdata.errors import InputError

LARGEST = 128 * 1024 * 1024
"""Bytes of one document: as objects it takes some ten times as much memory."""

TOO_LARGE = f"is larger than {LARGEST // 1024**2} MiB"
LINK = "links, which are not followed"


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Yield a regular file, open for reading.

    Raises:
        InputError: It cannot be opened, or is none; the caller says which file it is.
    """
    try:
        # a pipe would be waited on for ever
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError("is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        yield file


def content(path: Path) -> bytes:
    """Return the bytes of a regular file of at most `LARGEST`, or raise InputError as `opened`."""
    with opened(path) as file:
        try:
            data = file.read(LARGEST + 1)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise InputError(TOO_LARGE)
    return data


def under(source: Path, suffixes: tuple[str, ...], left: Counter[str]) -> Iterator[Path]:
    """Yield `source` if it is a file, else the files in it at every depth that end so, sorted.

    Raises:
        InputError: A folder cannot be listed.
    """
    if not source.is_dir():
        yield source
        return
    for folder, _, names in walk(source, left):
        yield from (folder / name for name in names if name.endswith(suffixes))


def walk(source: Path, left: Counter[str]) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Yield each folder with its folders and its files, sorted; the caller may prune the folders.

    Hidden ones are passed over, and links, which `left` counts: most lead to what is there anyway.

    Raises:
        InputError: A folder cannot be listed.
    """

    def fail(error: OSError) -> None:
        raise InputError(f"{error.filename}: cannot be read: {error.strerror}")

    for parent, folders, names in os.walk(source, onerror=fail):
        at = Path(parent)
        links = {name for name in (*folders, *names) if (at / name).is_symlink()}
        left.update(LINK for _ in links)
        folders[:], names[:] = (
            sorted(name for name in each if name not in links and not name.startswith("."))
            for each in (folders, names)
        )
        yield at, folders, names
