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
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NoReturn

import pyarrow as pa
from blake3 import blake3

from benchdata.errors import InputError
from benchdata.rows import manifest

SUFFIXES = (".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz", ".ndjson.zst", ".jsonl.zst", ".parquet")
STDIN = "-"
GZIP = b"\x1f\x8b"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
BLOCK = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Input:
    """One file of rows: `label` is how the user named it, `name` what published files call it."""

    label: str
    path: Path

    @property
    def name(self) -> str:
        """Return the base name, which is all that a published file may say of where it lay."""
        return self.path.name

    def stamp(self) -> tuple[int, ...]:
        """Return what changes when the file is written to, or raise InputError."""
        try:
            status = self.path.stat()
        except OSError as error:
            raise InputError(f"{self.label}: cannot be opened: {error.strerror}") from None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def refuse_change(self, stamp: tuple[int, ...]) -> None:
        """Raise InputError when the file has been written to since it had this `stamp`."""
        if self.stamp() != stamp:
            raise InputError(
                f"{self.label}: changed while it was read; try again when it is complete"
            )

    def digest(self) -> str:
        """Return the BLAKE3 digest of the file's bytes in hex."""
        # not by memory map: all of the file would count as this process's memory
        digest, buffer = blake3(max_threads=blake3.AUTO), bytearray(BLOCK)
        view = memoryview(buffer)
        try:
            with self.path.open("rb", buffering=0) as file:
                while size := file.readinto(buffer):
                    digest.update(view[:size])
        except OSError as error:
            raise InputError(f"{self.label}: cannot be read: {error.strerror or error}") from None
        return digest.hexdigest()

    def blocks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes in blocks; a stream that is damaged raises InputError."""
        try:
            with self.path.open("rb") as raw, _decompressed(raw) as stream:
                while block := stream.read(BLOCK):
                    yield block
        except (EOFError, zlib.error, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise InputError(f"{self.label}: cannot be read: {error.strerror}") from None
            raise InputError(
                f"{self.label}: the compressed stream is damaged or cut short; fetch it again"
            ) from None


def _decompressed(raw: BinaryIO) -> BinaryIO:
    """Wrap `raw` by what its first bytes say, so that a wrong suffix cannot mislead."""
    head = raw.read(4)
    raw.seek(0)
    if head[:2] == GZIP:
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if head == ZSTANDARD:
        # and not the zstandard package: its reader takes a stream that is cut short for whole
        return pa.CompressedInputStream(raw, "zstd")  # type: ignore[no-any-return]
    return raw


def find(arguments: Iterable[str | Path]) -> tuple[Input, ...]:
    """Return the inputs that files, directories, globs and `-` name, in the order given.

    A directory gives its row files at every depth, sorted by path. A name that matches nothing, or
    a directory without row files, raises InputError.
    """
    found: list[Input] = []
    for argument in map(str, arguments):
        try:
            found.extend(_inputs(argument))
        except OSError as error:
            raise InputError(f"{argument}: cannot be opened: {error.strerror}") from None
    if not found:
        raise InputError(
            "no input is named; give files, directories, globs or - for standard input"
        )
    return tuple(found)


def _inputs(argument: str) -> Iterator[Input]:
    path = Path(argument)
    if argument == STDIN:
        if sys.stdin is None:
            raise InputError("-: standard input is closed")
        yield spooled("<stdin>", "stdin.ndjson", sys.stdin.buffer)
    elif argument and manifest.is_lake(path):
        yield from (Input(str(path / part.file), path / part.file) for part in manifest.read(path))
    elif argument and path.is_dir():
        files = row_files(path)
        if not files:
            raise InputError(f"{argument}: the directory holds no row file ({', '.join(SUFFIXES)})")
        yield from (Input(str(file), file) for file in files)
    elif argument and path.exists():
        yield _file(argument, path)
    elif matches := [Path(match) for match in sorted(glob.glob(argument, recursive=True))]:
        below = (row_files(match) if match.is_dir() else [match] for match in matches)
        # `**` matches a directory and the files in it: each is read once
        yield from (_file(str(file), file) for file in dict.fromkeys(chain.from_iterable(below)))
    else:
        raise InputError(f"{argument or '(empty)'}: no such file; check the name or the glob")


def _file(argument: str, path: Path) -> Input:
    """Return a named file as an input; what can be read but once, such as a pipe, is copied."""
    if path.is_file() or not path.exists():  # a link to nothing is told when it is opened
        return Input(argument, path)
    with path.open("rb") as stream:
        return spooled(argument, path.name, stream)


def row_files(folder: Path) -> list[Path]:
    """Return the files of rows in a directory, at every depth, by suffix; hidden ones left out."""

    def fail(error: OSError) -> NoReturn:
        raise error

    found: list[Path] = []
    for parent, folders, names in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            Path(parent, name)
            for name in names
            if name.endswith(SUFFIXES) and not name.startswith(".")
        ]
    return sorted(found)


def spooled(label: str, name: str, stream: BinaryIO) -> Input:
    """Return a stream as a file, so that it is read, digested and re-read like any other."""
    folder = Path(tempfile.mkdtemp(prefix="benchdata-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / name
    with path.open("wb") as spool:
        shutil.copyfileobj(stream, spool, BLOCK)
    return Input(label, path)
