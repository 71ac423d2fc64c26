"""From bytes to numbered lines, by the rules that hold for every contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from benchdata.errors import RowError
from benchdata.rows.strict_json import LONGEST_LINE, PATH

BOM = b"\xef\xbb\xbf"
OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff", b"{\x00", b"\x00{")
SPACE = b" \t\r"


class Line(NamedTuple):
    """A line without its end; `fault` is what already makes it unreadable."""

    number: int
    data: bytes
    ended: bool = True
    fault: RowError | None = None


def split(blocks: Iterable[bytes]) -> Iterator[Line]:
    """Yield the lines of a stream, blank ones skipped.

    A byte-order mark at the start is dropped, LF and CRLF end a line, a last line without an end is
    yielded as not `ended` (whether it is whole is for the parser to say). A line that outgrows the
    limit is yielded once, with a fault and without its bytes.
    """
    for number, (data, ended) in enumerate(_raw(blocks), 1):
        if number == 1:
            if data.startswith(OTHER_ENCODINGS):
                message = "the file is UTF-16 or UTF-32; convert it to UTF-8"
                yield Line(number, b"", fault=RowError(PATH, message))
                return
            data = data.removeprefix(BOM)  # noqa: PLW2901
        if len(data) > LONGEST_LINE:
            message = f"the line is longer than {LONGEST_LINE // 1024**2} MiB"
            yield Line(number, b"", fault=RowError(PATH, message))
        elif data.strip(SPACE):
            yield Line(number, data.removesuffix(b"\r"), ended)


def _raw(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield the bytes between newlines; of an endless line only as much as shows it is too long."""
    carry = b""
    for block in blocks:
        *lines, rest = block.split(b"\n")
        if lines:
            yield carry + lines[0], True
            yield from ((line, True) for line in lines[1:])
            carry = rest
        elif len(carry) <= LONGEST_LINE:
            carry += rest
    if carry:
        yield carry, False
