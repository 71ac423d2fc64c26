"""Where rows come from: files, directories, globs, compressed streams and standard input."""

from __future__ import annotations

import atexit
import contextlib
import glob
import gzip
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NoReturn

import pyarrow as pa
from blake3 import blake3

from benchdata.errors import InputError, printable
from benchdata.rows import manifest, scratch
from benchdata.rows.lines import Chunk, Span, chunks, span_lines, spans, whole_lines
from benchdata.rows.strict_json import LONGEST_LINE

SUFFIXES = (".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz", ".ndjson.zst", ".jsonl.zst", ".parquet")
STDIN = "-"
GZIP = b"\x1f\x8b"
SKIPPABLE = tuple(bytes([0x50 + kind]) + b"\x2a\x4d\x18" for kind in range(16))
"""How a frame of Zstandard begins that holds no data; such a frame may come first."""
ZSTANDARD = (b"\x28\xb5\x2f\xfd", *SKIPPABLE)
PACKED = (GZIP, *ZSTANDARD, b"PAR1")
BLOCK = 8 * 1024 * 1024
DIGESTED = 4 * 1024 * 1024
"""Bytes digested in one go: they stay in the processor's cache."""


def file_digest(path: Path, *, beside: bool = False) -> str:
    """Return the BLAKE3 digest of a file's bytes in hex.

    It is made by all processors, or `beside` other work, which would pay for that, by one.
    """
    # not by memory map: all of the file would count as this process's memory
    digest = blake3(max_threads=1 if beside else blake3.AUTO)
    buffer = bytearray(DIGESTED)
    view = memoryview(buffer)
    with path.open("rb", buffering=0) as file:
        while size := file.readinto(buffer):
            digest.update(view[:size])
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Input:
    """One file of rows: `label` is how the user named it, `name` what published files call it."""

    label: str
    path: Path

    @property
    def name(self) -> str:
        """Return the base name, which is all that a published file may say of where it lay.

        What is no text in it is escaped.
        """
        return printable(os.fsencode(self.path.name).decode("utf-8", "backslashreplace"))

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

    def digest(self, *, beside: bool = False) -> str:
        """Return the BLAKE3 digest of the file's bytes in hex, made as `file_digest` says."""
        try:
            return file_digest(self.path, beside=beside)
        except OSError as error:
            raise InputError(f"{self.label}: cannot be read: {error.strerror or error}") from None

    def blocks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes in blocks; a stream that is damaged raises InputError."""
        with self._told(), self.path.open("rb") as raw, _decompressed(raw) as stream:
            while block := stream.read(BLOCK):
                yield block

    def chunks(self, span: Span | None = None) -> Iterator[Chunk]:
        """Yield the decompressed bytes, or a span of a plain file, as chunks of whole lines."""
        if span is None:
            yield from chunks(whole_lines(self.blocks()))
            return
        with self._told(), self.path.open("rb", buffering=0) as file:
            yield from chunks(span_lines(file, span, BLOCK), first=span.start == 0)

    def spans(self, size: int) -> list[Span] | None:
        """Return spans of about `size` bytes that make up a plain file, None when it is packed."""
        with self._told(), self.path.open("rb", buffering=0) as file:
            return spans(file, size) if _decompressed(file) is file else None

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Raise InputError when the file cannot be read or is damaged."""
        try:
            yield
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
    if head in ZSTANDARD:
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
        yield from (_at(path / part.file) for part in manifest.read(path))
    elif argument and path.is_dir():
        files = row_files(path)
        if not files:
            raise InputError(f"{argument}: the directory holds no row file ({', '.join(SUFFIXES)})")
        yield from map(_at, files)
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
        return _at(path, argument)
    with path.open("rb") as stream:
        return spooled(printable(argument), path.name, stream)


def _at(path: Path, argument: str = "") -> Input:
    """Return the file at `path` as an input; in an error its name must not break the line."""
    return Input(printable(argument or str(path)), path)


def row_files(folder: Path) -> list[Path]:
    """Return the files of rows in a directory, at every depth, by suffix; hidden ones left out.

    Raises:
        InputError: One of them is a pipe or a device, which could be waited on for ever.
    """

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
    if odd := [file for file in sorted(found) if file.exists() and not file.is_file()]:
        raise InputError(f"{odd[0]}: is no regular file; name it by itself, or move it away")
    return sorted(found)


def spooled(label: str, name: str, stream: BinaryIO) -> Input:
    """Return a stream as a file, so that it is read, digested and re-read like any other."""
    kept = contextlib.ExitStack()
    atexit.register(kept.close)
    path = kept.enter_context(scratch.spool()) / name
    with path.open("wb") as spool:
        for block in _bounded(label, stream):
            spool.write(block)
    return Input(label, path)


def _bounded(label: str, stream: BinaryIO) -> Iterator[bytes]:
    """Yield a stream in blocks; a line of text that does not end raises InputError."""
    packed, unended = False, 0
    while block := stream.read(BLOCK):
        packed = packed or block.startswith(PACKED)
        end = block.rfind(b"\n")
        unended = len(block) - end - 1 if end >= 0 else unended + len(block)
        if unended > LONGEST_LINE and not packed:
            size = LONGEST_LINE // 1024**2
            raise InputError(f"{label}: a line is longer than {size} MiB; is this a file of rows?")
        yield block
