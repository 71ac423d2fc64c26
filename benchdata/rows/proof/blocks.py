"""Whole lines as bytes, with the places of the marks between their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

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


class Coarse(NamedTuple):
    """The positions of newlines and brackets, -1 first, and which of them are newlines."""

    marks: Places
    newlines: Places


class Fine(NamedTuple):
    """The positions of all newlines, commas and brackets, first that before the first line (-1).

    `outer` are the indices in `marks` of those that are not inside a list, and `newlines` the
    indices in `outer` of the newlines: line `i` lies between number `i` and `i + 1`.
    """

    marks: Places
    outer: Places
    newlines: Places


@dataclass(frozen=True)
class Block:
    """Lines, each with its newline; `called` are their numbers, else they are counted from 1.

    Marks are looked for when they are asked for: with `strings` none of those inside strings. The
    lines themselves are told by the `sparse` marks where all others may not be needed.
    """

    memory: Bytes
    size: int
    called: Places | None = None
    strings: bool = False
    sparse: bool = False

    @cached_property
    def coarse(self) -> Coarse:
        """Return the marks that are few and quickly found."""
        marks = _places(self.memory[: self.size], (NEWLINE, OPEN, CLOSE))
        return Coarse(marks, _newlines(self.memory.take(marks)))

    @cached_property
    def fine(self) -> Fine:
        """Return all marks."""
        return _fine(self.memory, self.size, strings=self.strings)

    @cached_property
    def ends(self) -> Places:
        """Return where the newlines stand, first that before the first line (-1)."""
        if self.sparse:
            return self.coarse.marks[self.coarse.newlines]
        return self.fine.marks[self.fine.outer[self.fine.newlines]]

    @cached_property
    def numbers(self) -> Places:
        """Return what the lines are called."""
        return np.arange(1, self.lines + 1) if self.called is None else self.called

    @property
    def lines(self) -> int:
        """Return the number of lines."""
        return len(self.ends) - 1

    def bounds(self, lines: Places) -> tuple[Places, Places]:
        """Return where lines start, and where their newlines stand."""
        return self.ends[lines] + 1, self.ends[lines + 1]

    def line(self, index: int) -> bytes:
        """Return one line without its newline."""
        (start,), (stop,) = self.bounds(np.array([index]))
        return self.memory[start:stop].tobytes()

    def alone(self, lines: Places) -> Block:
        """Return these lines as a block whose marks are none of those inside strings."""
        bounds = zip(*self.bounds(lines), strict=True)
        data = b"".join(self.memory[start : stop + 1].tobytes() for start, stop in bounds)
        memory = np.frombuffer(data + PADDING, np.uint8)
        return Block(memory, len(data), self.numbers[lines], strings=True)

    @property
    def signed(self) -> NDArray[np.int8]:
        """Return the bytes as signed numbers."""
        return self.memory.view(np.int8)

    def windows(self, kind: str) -> NDArray[Any]:
        """Return the items of a numpy type that begin at every byte, as a view."""
        size = np.dtype(kind).itemsize
        length = max(len(self.memory) - size + 1, 0)
        return np.ndarray((length,), kind, self.memory, strides=(1,))


def joined_block(data: bytes | memoryview) -> Block:
    """Return texts that follow one another as a block."""
    return Block(np.frombuffer(b"".join((data, PADDING)), np.uint8), len(data))


def line_block(line: bytes) -> Block:
    """Return one line, without its newline, as a block whose marks are none inside strings."""
    return Block(np.frombuffer(line + b"\n" + PADDING, np.uint8), len(line) + 1, strings=True)


def _fine(memory: Bytes, size: int, *, strings: bool) -> Fine:
    """Return all marks, or with `strings` those outside strings, which takes longer."""
    marks = _places(memory[:size], (COMMA, NEWLINE, OPEN, CLOSE))
    if strings:
        marks = marks[~_quoted(memory[:size], marks)]
    kinds = memory.take(marks)
    newline = _newlines(kinds)
    opening = kinds == OPEN
    depth = np.cumsum(opening.view(np.int8) - (kinds == CLOSE).view(np.int8), dtype=np.int32)
    if depth[newline].any():  # a bracket in a string, or one that is missing
        depth[1:] -= _before(depth, newline)
    outside = depth == opening
    outside[newline] = True
    outer = np.flatnonzero(outside)
    return Fine(marks, outer, np.flatnonzero(kinds.take(outer) == NEWLINE))


def _newlines(kinds: Bytes) -> Places:
    """Return which of the marks of these kinds are newlines, as is what stands before them all."""
    kinds[0] = NEWLINE
    return np.flatnonzero(kinds == NEWLINE)


def _places(data: Bytes, kinds: Sequence[int]) -> Places:
    """Return -1 and the position of each mark of these kinds."""
    marked, hit = np.empty(len(data) + 1, bool), np.empty(STRIDE, bool)
    marked[0] = True
    for at in range(0, len(data), STRIDE):
        piece, here = data[at : at + STRIDE], marked[at + 1 : at + 1 + STRIDE]
        np.equal(piece, kinds[0], out=here)
        for mark in kinds[1:]:
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
