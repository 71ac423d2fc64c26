"""Where rows come from: files, directories, globs, compressed streams and standard input."""

from __future__ import annotations

import atexit
import glob
import gzip
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import zstandard
from blake3 import blake3

from benchdata.errors import InputError

SUFFIXES = (".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz", ".ndjson.zst", ".jsonl.zst")
STDIN = "-"
STDIN_LABEL = "<stdin>"
GZIP = b"\x1f\x8b"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
BLOCK = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Input:
    """One file of rows: `label` is how the user named it, `name` what published files call it."""

    label: str
    path: Path
    name: str

    @property
    def folder(self) -> Path | None:
        """Return the folder it lies in, None for standard input."""
        return None if self.label == STDIN_LABEL else self.path.parent

    def stamp(self) -> tuple[int, ...]:
        """Return what changes when the file is written to, or raise InputError."""
        try:
            status = self.path.stat()
        except OSError as error:
            raise InputError(f"{self.label}: cannot be opened: {error.strerror}") from None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def digest(self) -> str:
        """Return the BLAKE3 digest of the file's bytes in hex."""
        try:
            return blake3(max_threads=blake3.AUTO).update_mmap(self.path).hexdigest()
        except OSError as error:
            raise InputError(f"{self.label}: cannot be read: {error.strerror}") from None

    def blocks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes in blocks; a stream that is damaged raises InputError."""
        try:
            with self.path.open("rb") as raw, _decompressed(raw) as stream:
                while block := stream.read(BLOCK):
                    yield block
        except (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError):
            raise InputError(
                f"{self.label}: the compressed stream is damaged or cut short; fetch it again"
            ) from None
        except OSError as error:
            raise InputError(f"{self.label}: cannot be read: {error.strerror}") from None


def _decompressed(raw: BinaryIO) -> BinaryIO:
    """Wrap `raw` by what its first bytes say, so that a wrong suffix cannot mislead."""
    head = raw.read(4)
    raw.seek(0)
    if head[:2] == GZIP:
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if head == ZSTANDARD:
        return zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    return raw


def find(arguments: Iterable[str | Path]) -> tuple[Input, ...]:
    """Return the inputs that files, directories, globs and `-` name, in the order given.

    A directory gives its row files at every depth, sorted by path. A name that matches nothing, or
    a directory without row files, raises InputError.
    """
    found: list[Input] = []
    for argument in map(str, arguments):
        found.extend(_inputs(argument))
    if not found:
        raise InputError(
            "no input is named; give files, directories, globs or - for standard input"
        )
    return tuple(found)


def _inputs(argument: str) -> Iterator[Input]:
    path = Path(argument)
    if argument == STDIN:
        yield spooled()
    elif path.is_dir():
        files = sorted(file for file in path.rglob("*") if is_row_file(file))
        if not files:
            raise InputError(f"{argument}: the directory holds no row file ({', '.join(SUFFIXES)})")
        yield from (Input(str(file), file, file.name) for file in files)
    elif path.exists():
        yield Input(argument, path, path.name)
    elif matches := sorted(glob.glob(argument, recursive=True)):
        for match in matches:
            yield from _inputs(match)
    else:
        raise InputError(f"{argument}: there is no such file; check the name or the glob")


def is_row_file(file: Path) -> bool:
    """Tell whether a file in a directory is one of rows: by its suffix, hidden files left out."""
    return file.is_file() and file.name.endswith(SUFFIXES) and not file.name.startswith(".")


def spooled() -> Input:
    """Return standard input as a file, so that it is read, digested and re-read like any other."""
    handle, name = tempfile.mkstemp(prefix="benchdata-", suffix=".ndjson")
    path = Path(name)
    atexit.register(path.unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool, BLOCK)
    return Input(STDIN_LABEL, path, "stdin")
