"""From bytes to numbered lines, by the rules that hold for every contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import SEEK_END, FileIO
from itertools import chain, pairwise
from typing import NamedTuple

from benchdata.errors import RowError
from benchdata.rows.strict_json import LONGEST_LINE, PATH, TOO_LONG

BOM = b"\xef\xbb\xbf"
OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff", b"{\x00", b"\x00{")
SPACE = b" \t\r"
PADDING = b"\0" * 64
"""Follows the lines of a chunk, so that a reader of whole words may look beyond the last byte."""


class Line(NamedTuple):
    """A line without its end; `fault` is what already makes it unreadable."""

    number: int
    data: bytes
    ended: bool = True
    fault: RowError | None = None


class Span(NamedTuple):
    """Whole lines of a file, by where they start and stop."""

    start: int
    stop: int


class Chunk(NamedTuple):
    """Whole lines: the first `size` bytes of `data`, at least as many as in `PADDING` after them.

    Each line has its newline; it is not the stream's own when the chunk has not `ended`, which
    holds of a last line alone. `fault` is what makes the first line of a stream unreadable. The
    bytes may be others as soon as the next chunk is asked for.
    """

    data: bytes | bytearray
    size: int
    ended: bool = True
    fault: RowError | None = None

    def line(self, number: int, data: bytes) -> Line | None:
        """Return the line that has these bytes between newlines, None when it is blank."""
        if self.fault:
            return Line(number, b"", fault=self.fault)
        if len(data) > LONGEST_LINE:
            return Line(number, b"", fault=RowError(PATH, TOO_LONG))
        return Line(number, data.removesuffix(b"\r"), self.ended) if data.strip(SPACE) else None


def split(blocks: Iterable[bytes]) -> Iterator[Line]:
    """Yield the lines of a stream, blank ones skipped.

    A byte-order mark at the start is dropped, LF and CRLF end a line, a last line without an end is
    yielded as not `ended` (whether it is whole is for the parser to say). A line that outgrows the
    limit is yielded once, with a fault and without its bytes.
    """
    number = 0
    for chunk in chunks(whole_lines(blocks)):
        for data in bytes(chunk.data[: chunk.size - 1]).split(b"\n"):
            number += 1
            if line := chunk.line(number, data):
                yield line


def chunks(lines: Iterable[Chunk], *, first: bool = True) -> Iterator[Chunk]:
    """Yield the whole lines of a stream; its `first` ones without a byte-order mark."""
    for chunk in lines:
        if first and chunk.data.startswith(OTHER_ENCODINGS):
            message = "the file is UTF-16 or UTF-32; convert it to UTF-8"
            yield Chunk(b"\n" + PADDING, 1, fault=RowError(PATH, message))
            return
        if first and chunk.data.startswith(BOM):
            yield chunk._replace(data=chunk.data[len(BOM) :], size=chunk.size - len(BOM))
        else:
            yield chunk
        first = False


def whole_lines(blocks: Iterable[bytes]) -> Iterator[Chunk]:
    """Yield the bytes of a stream as whole lines.

    Of an endless line there is only as much as shows that it is too long.
    """
    carry = b""
    for block in blocks:
        end = block.rfind(b"\n") + 1
        if end:
            size = len(carry) + end
            yield Chunk(b"".join((carry, memoryview(block)[:end], PADDING)), size)
            carry = block[end:]
        elif len(carry) <= LONGEST_LINE:
            carry += block
    if carry:
        yield Chunk(carry + b"\n" + PADDING, len(carry) + 1, ended=False)


def span_lines(file: FileIO, span: Span, block: int) -> Iterator[Chunk]:
    """Yield the same of a span of a file: the start of a line is read again, and not copied.

    All chunks lie in the same memory, one after the other: fresh memory takes as long as reading.
    """
    data = bytearray(min(block, span.stop - span.start) + len(PADDING))
    at = span.start
    while at < span.stop:
        file.seek(at)
        size = file.readinto(memoryview(data)[: min(block, span.stop - at)])
        end = data.rfind(b"\n", 0, size) + 1
        if not end:  # a line is longer than a block, or the last has no end
            rest = iter(lambda: file.read(min(block, span.stop - file.tell())), b"")
            yield from whole_lines(chain([bytes(data[:size])], rest))
            return
        yield Chunk(data, end)
        at += end


def spans(file: FileIO, size: int) -> list[Span]:
    """Return spans of whole lines, of about `size` bytes each, that make up a file.

    The last ones are shorter: of two who take one after the other, neither waits long at the end.
    """
    stop = file.seek(0, SEEK_END)
    file.seek(0)
    # what is not UTF-8 is told once
    starts = [0] if file.read(2).startswith(OTHER_ENCODINGS) else [*_starts(stop, size)]
    places = [0, *(_line_start(file, at) for at in starts[1:]), stop]
    return [Span(*pair) for pair in pairwise(places) if pair[0] < pair[1]] or [Span(0, 0)]


def _starts(stop: int, size: int) -> Iterator[int]:
    """Yield where spans begin: `size` bytes apart, at last an eighth of the rest or `size / 4`."""
    at = 0
    while at < stop:
        yield at
        at += max(min(size, (stop - at) // 8), size // 4, 1)


def _line_start(file: FileIO, at: int) -> int:
    """Return where the first line begins that begins after `at`, or the end of the file."""
    file.seek(at)
    while block := file.read(1 << 16):
        if b"\n" in block:
            return file.tell() - len(block) + block.index(b"\n") + 1
    return file.tell()
