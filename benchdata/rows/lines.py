"""From bytes to numbered lines, by the rules that hold for every contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


class Chunk(NamedTuple):
    """Whole lines: the first `size` bytes of `data`, padding after them.

    Each line has its newline; it is not the stream's own when the chunk has not `ended`, which
    holds of a last line alone. `fault` is what makes the first line of a stream unreadable.
    """

    data: bytes
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
    for chunk in chunks(blocks):
        for data in chunk.data[: chunk.size - 1].split(b"\n"):
            number += 1
            if line := chunk.line(number, data):
                yield line


def chunks(blocks: Iterable[bytes]) -> Iterator[Chunk]:
    """Yield the bytes of a stream as chunks of whole lines, without a byte-order mark.

    Of an endless line there is only as much as shows that it is too long.
    """
    first = True
    for data, ended in _whole(blocks):
        if first and data.startswith(OTHER_ENCODINGS):
            message = "the file is UTF-16 or UTF-32; convert it to UTF-8"
            yield Chunk(b"\n" + PADDING, 1, fault=RowError(PATH, message))
            return
        whole = data.removeprefix(BOM) if first else data
        yield Chunk(whole, len(whole) - len(PADDING), ended)
        first = False


def _whole(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield whole lines with padding, and whether their last newline is the stream's own."""
    carry = b""
    for block in blocks:
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join((carry, memoryview(block)[:end], PADDING)), True
            carry = block[end:]
        elif len(carry) <= LONGEST_LINE:
            carry += block
    if carry:
        yield carry + b"\n" + PADDING, False
