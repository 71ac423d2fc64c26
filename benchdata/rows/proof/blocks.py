"""Whole lines as bytes, with the places of the marks between their values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchdata.rows.lines import PADDING

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]
Words = NDArray[np.uint64]

NEWLINE, COMMA, OPEN, CLOSE, QUOTE, BACKSLASH, SPACE = b'\n,[]"\\ '
STRIDE = 1 << 17
"""Bytes looked at in one go, so that what is made of them stays in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines, each with its newline.

    `marks` are the positions of all newlines, commas and brackets, first the newline before the
    first line (-1); `outer` are the indices in `marks` of those that are not inside a list, and
    `newlines` the indices in `outer` of the newlines: line `i` lies between number `i` and `i + 1`.
    `numbers` are what the lines are called.
    """

    memory: Bytes
    size: int
    numbers: Places
    marks: Places
    outer: Places
    newlines: Places

    @property
    def lines(self) -> int:
        """Return the number of lines."""
        return len(self.newlines) - 1

    def bounds(self, lines: Places) -> tuple[Places, Places]:
        """Return where lines start, and where their newlines stand."""
        before, after = (self.marks[self.outer[self.newlines[at]]] for at in (lines, lines + 1))
        before += 1
        return before, after

    def line(self, index: int) -> bytes:
        """Return one line without its newline."""
        (start,), (stop,) = self.bounds(np.array([index]))
        return self.memory[start:stop].tobytes()

    def alone(self, lines: Places) -> Block:
        """Return these lines as a block whose marks are none of those inside strings."""
        bounds = zip(*self.bounds(lines), strict=True)
        data = b"".join(self.memory[start : stop + 1].tobytes() for start, stop in bounds)
        return replace(scan(data + PADDING, len(data), strings=True), numbers=self.numbers[lines])

    @property
    def signed(self) -> NDArray[np.int8]:
        """Return the bytes as signed numbers."""
        return self.memory.view(np.int8)

    def windows(self, kind: str) -> NDArray[Any]:
        """Return the items of a numpy type that begin at every byte, as a view."""
        size = np.dtype(kind).itemsize
        length = max(len(self.memory) - size + 1, 0)
        return np.ndarray((length,), kind, self.memory, strides=(1,))


def line_block(line: bytes) -> Block:
    """Return one line, without its newline, as a block whose marks are none inside strings."""
    return scan(line + b"\n" + PADDING, len(line) + 1, strings=True)


def scan(data: bytes | bytearray, size: int, *, strings: bool = False) -> Block:
    """Return the first `size` bytes of `data` as a block, its lines numbered from 1.

    Padding follows them. With `strings`, marks inside strings are left out, which takes longer.
    """
    memory = np.frombuffer(data, np.uint8)
    marks = _places(memory[:size])
    if strings:
        marks = marks[~_quoted(memory[:size], marks)]
    kinds = memory[marks]
    kinds[0] = NEWLINE
    opening, newline = kinds == OPEN, np.flatnonzero(kinds == NEWLINE)
    depth = np.cumsum(opening.view(np.int8) - (kinds == CLOSE).view(np.int8), dtype=np.int32)
    if depth[newline].any():  # a bracket in a string, or one that is missing
        depth[1:] -= _before(depth, newline)
    outside = depth == opening
    outside[newline] = True
    outer = np.flatnonzero(outside)
    numbers = np.arange(1, len(newline))
    return Block(memory, size, numbers, marks, outer, np.searchsorted(outer, newline))


def _places(data: Bytes) -> Places:
    """Return -1 and the position of each mark."""
    marked, hit = np.empty(len(data) + 1, bool), np.empty(STRIDE, bool)
    marked[0] = True
    for at in range(0, len(data), STRIDE):
        piece, here = data[at : at + STRIDE], marked[at + 1 : at + 1 + STRIDE]
        np.equal(piece, COMMA, out=here)
        for mark in (NEWLINE, OPEN, CLOSE):
            here |= np.equal(piece, mark, out=hit[: len(piece)])
    places = np.flatnonzero(marked)
    places -= 1
    return places


def _quoted(data: Bytes, marks: Places) -> Flags:
    """Tell which marks stand inside a string: after an odd number of quotes in their line."""
    quotes = data == QUOTE
    quotes[1:] &= data[:-1] != BACKSLASH
    count = np.cumsum(quotes, dtype=np.int32)[marks]
    newline = np.flatnonzero(data[marks] == NEWLINE)
    count[0], newline = 0, np.concatenate([[0], newline[newline > 0]])
    count[1:] -= _before(count, newline)
    inside: Flags = count % 2 == 1
    inside[newline] = False
    return inside


def _before(count: NDArray[np.int32], newline: Places) -> NDArray[np.int32]:
    """Return for each mark but the first what had been counted at the newline before its line."""
    return np.repeat(count[newline[:-1]], np.diff(newline))
