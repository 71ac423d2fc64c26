"""Cutting lines from left to right by the widths of their values, which needs few marks.

A value tells by itself where it stops: digits end, a time has one of two lengths, a list stops at
its bracket, other text is as wide as it was in the line that taught the layout. So commas need not
be looked for, which is half the work of finding marks. What the widths make of a line proves
nothing: it must be the bytes of the layout with values between them, from its first byte to its
last. A line that is not so is cut by its marks.
"""

from __future__ import annotations

import numpy as np

from benchdata.rows.proof.blocks import QUOTE, Block, Flags, Places, Words
from benchdata.rows.proof.digits import WITH_MS, WITHOUT_MS, digit_count
from benchdata.rows.proof.layout import Cut, Hole, Layout, read

BEYOND = WITH_MS + 16
"""Bytes that may be looked at behind the start of a value."""
NEAR = 1 << 13
"""Lines walked in one go, so that most of their bytes stay in the processor's cache."""


def walk_lines(block: Block, layout: Layout, lines: Places) -> Cut:
    """Return those of `lines` that have the bytes of `layout`, with the widths it expects."""
    if block.size < sum(len(hole.literal) for hole in layout.holes):
        lines = lines[:0]
    heads = block.coarse.newlines[lines]
    fit = np.flatnonzero(block.coarse.newlines[lines + 1] - heads == layout.brackets + 1)
    shape = len(layout.holes), len(fit)
    starts, stops = np.empty(shape, np.int64), np.empty(shape, np.int64)
    cut = Cut(lines[fit], starts, stops, np.empty(shape, np.uint64))
    same: Flags = np.empty(len(fit), bool)
    for first in range(0, len(fit), NEAR):
        near = slice(first, first + NEAR)
        part = Cut(cut.records[near], starts[:, near], stops[:, near], cut.words[:, near])
        same[near] = _walked(block, layout, heads[fit[near]], part)
    return cut.only(same)


def _walked(block: Block, layout: Layout, heads: Places, cut: Cut) -> Flags:
    """Fill in where the holes of lines lie, and tell which lines have the bytes of the layout.

    `heads` are the indices of the newlines before the lines among the coarse marks.
    """
    marks = block.coarse.marks
    at, end = marks.take(heads) + 1, marks.take(heads + layout.brackets + 1)
    # read in a row, they are in the processor's cache when they are read here and there
    block.memory[at[0] : end[-1]].max(initial=0)
    end -= len(layout.end)
    fit: Flags = np.ones(len(heads), bool)
    bracket = 1
    for row, hole in enumerate(layout.holes):
        last = len(block.memory) - len(hole.literal) - BEYOND
        fit &= at <= last
        np.clip(at, 0, last, out=at)  # a line that does not fit may lead anywhere
        cut.words[row] = read(block, at, hole.literal, fit)
        at += len(hole.literal)
        cut.starts[row] = at
        following = layout.holes[row + 1] if row + 1 < len(layout.holes) else None
        if hole.kind == "list":
            fit &= marks.take(heads + bracket) == at - 1
            at = marks.take(heads + bracket + 1)
            bracket += 2
        elif hole.kind == "run" and following is None:
            at = end.copy()
        elif hole.kind == "run" and following and following.kind == "list":
            at = marks.take(heads + bracket) + 1 - len(following.literal)
        else:
            at += _width(block, hole, at, cut.words[row])
        cut.stops[row] = at
    fit &= (cut.starts <= cut.stops).all(axis=0) & (at == end)
    if layout.end:
        read(block, np.where(fit, end, 0), layout.end, fit)
    return fit


def _width(block: Block, hole: Hole, at: Places, words: Words) -> Places | int:
    """Return how many bytes the values of a hole take that start at these places."""
    if hole.kind == "natural":
        size = digit_count(words)
        if size.max(initial=0) == 8:
            long = np.flatnonzero(size == 8)
            size[long] += digit_count(block.windows("<u8")[at[long] + 8])
        return size
    if hole.kind == "time":
        return np.where(block.memory.take(at + WITH_MS - 1) == QUOTE, WITH_MS, WITHOUT_MS)
    return hole.width
