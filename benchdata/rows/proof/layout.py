"""Layouts: what the lines of a file have in common byte by byte, and cutting lines by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchdata.rows.proof.blocks import Block, Flags, Places, Words
from benchdata.rows.proof.shapes import Listed, Plain
from benchdata.rows.proof.texts import Texts

WIDE = 8
"""Bytes of a word."""
NEAR = 1 << 12
"""Records looked at in one go, so that their bytes stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A stretch of a record that is a value, the items of a list, or a run of members.

    `literal` are the bytes before it, back to the hole before; a run takes those on both sides of
    it for its own. Mark number `mark` of the record stands `back` bytes behind the hole before. It
    took `width` bytes in the record that taught it. A run has `texts`; a list has the layout of its
    `items`, None as long as all seen were empty.
    """

    path: str
    shape: Plain | Listed | None
    literal: bytes
    mark: int
    back: int
    width: int = 0
    texts: Texts | None = None
    items: Layout | None = None

    @property
    def kind(self) -> str:
        """Return the kind of a plain value, else `run` or `list`."""
        if isinstance(self.shape, Plain):
            return self.shape.kind
        return "list" if self.shape else "run"


@dataclass(frozen=True, slots=True)
class Layout:
    """A record, which is a line or an item of a list: its holes, and the bytes after the last.

    `at` are the numbers of the marks that places are told from: one in front of each hole, and the
    one behind the record. A hole starts `lead` bytes after its mark and stops `back` bytes before
    the next hole's. `rows` are the numbers of the holes of each kind.
    """

    holes: tuple[Hole, ...]
    end: bytes
    at: Places
    lead: Places
    back: Places
    rows: Mapping[str, list[int]]

    @classmethod
    def of(cls, holes: Sequence[Hole], end: bytes, marks: int) -> Layout:
        """Return the layout of a record that takes so many marks, that behind it included."""
        at = np.array([*(hole.mark for hole in holes), marks])
        lead = np.array([len(hole.literal) - hole.back for hole in holes])
        back = np.array([*(hole.back for hole in holes[1:]), len(end)])
        rows: dict[str, list[int]] = defaultdict(list)
        for row, hole in enumerate(holes):
            rows[hole.kind].append(row)
        return cls(tuple(holes), end, at, lead[:, None], back[:, None], rows)

    @property
    def walks(self) -> bool:
        """Tell whether each value shows where it stops."""
        return self.rows.keys() <= {"natural", "time", "text", "list", "run"}

    @property
    def brackets(self) -> int:
        """Return how many brackets a line has."""
        return 2 * len(self.rows.get("list", ()))

    @property
    def marks(self) -> int:
        """Return how many marks lie after the one before the record, that behind it included."""
        return int(self.at[-1])


class Cut(NamedTuple):
    """The records that have the bytes of a layout: which they are, and where each hole lies.

    `starts`, `stops` and `words`, the eight bytes from each start on, have a row for each hole and
    a column for each record.
    """

    records: Places
    starts: Places
    stops: Places
    words: Words

    def only(self, ok: Flags) -> Cut:
        """Return the records that are `ok`."""
        if ok.all():
            return self
        return Cut(self.records[ok], self.starts[:, ok], self.stops[:, ok], self.words[:, ok])


def cut_lines(block: Block, layout: Layout, lines: Places) -> Cut:
    """Return those of `lines` that have the bytes of `layout`."""
    marks, outer, newlines = block.fine
    heads = newlines[lines]
    fit = np.flatnonzero(newlines[lines + 1] - heads == layout.marks)
    cut = cut_records(block, layout, marks.take(outer), heads[fit])
    return cut._replace(records=lines[fit[cut.records]])


def cut_records(
    block: Block, layout: Layout, marks: Places, heads: Places, blanks: Flags | None = None
) -> Cut:
    """Return which records have the bytes of `layout`; each comes after number `heads` of `marks`.

    One that begins with a space has it in `blanks`.
    """
    at = marks.take(layout.at[:, None] + heads)  # measured: a third of the time of an index
    first = marks.take(heads) + 1
    if blanks is not None:
        at[0] += blanks
        first += blanks
    starts, stops = at[:-1] + layout.lead, at[1:] - layout.back
    within = (starts <= stops).all(axis=0) & (starts[0] == first + len(layout.holes[0].literal))
    cut = Cut(np.arange(len(heads)), starts, stops, np.empty(starts.shape, np.uint64)).only(within)
    return cut.only(_looked_at(block, layout, cut))


def _looked_at(block: Block, layout: Layout, cut: Cut) -> Flags:
    """Fill in the words of the holes, and tell which records have the literals between them."""
    same: Flags = np.ones(len(cut.records), bool)
    for first in range(0, len(same), NEAR):
        near = slice(first, first + NEAR)
        starts, stops, ok = cut.starts[:, near], cut.stops[-1, near], same[near]
        if len(layout.holes) > 1:
            # read in a row, they are in the processor's cache when they are read here and there
            block.memory[starts[0, 0] : stops[-1]].max(initial=0)
        for row, hole in enumerate(layout.holes):
            cut.words[row, near] = read(block, starts[row] - len(hole.literal), hole.literal, ok)
        if layout.end:
            read(block, stops, layout.end, ok)
    return same


def read(block: Block, at: Places, literal: bytes, ok: Flags) -> Words:
    """Return the eight bytes behind a literal at these places; not `ok` is where it is another.

    Measured: to copy eight bytes from a place takes as long as to copy them with the literal, and
    to compare words takes a fifth of comparing bytes.
    """
    size = len(literal) + WIDE
    found = block.windows(f"V{size}")[at]

    def word(offset: int) -> Words:
        return np.ndarray(len(at), "<u8", found, offset, size)

    if 0 < len(literal) < WIDE:
        ok &= word(0) & (1 << 8 * len(literal)) - 1 == int.from_bytes(literal, "little")
    elif literal:
        last = len(literal) - WIDE
        for offset in (*range(0, last, WIDE), last):
            ok &= word(offset) == int.from_bytes(literal[offset : offset + WIDE], "little")
    return word(len(literal))
