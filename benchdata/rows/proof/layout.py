"""Layouts: what the lines of a file have in common byte by byte, and cutting lines by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchdata.rows.proof.blocks import Block, Flags, Places
from benchdata.rows.proof.shapes import Listed, Plain
from benchdata.rows.proof.texts import Texts


@dataclass(frozen=True, slots=True)
class Hole:
    """A stretch of a record that is a value, the items of a list, or a run of members.

    `literal` are the bytes before it, back to the hole before; a run takes those on both sides of
    it for its own. Mark number `mark` of the record stands `back` bytes behind the hole before. A
    run has `texts`; a list has the layout of its `items`, None as long as all seen were empty.
    """

    path: str
    shape: Plain | Listed | None
    literal: bytes
    mark: int
    back: int
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
    def marks(self) -> int:
        """Return how many marks lie after the one before the record, that behind it included."""
        return int(self.at[-1])


class Cut(NamedTuple):
    """The records that have the bytes of a layout: which they are, and where each hole lies.

    `starts` and `stops` have a row for each hole and a column for each record.
    """

    records: Places
    starts: Places
    stops: Places

    def only(self, ok: Flags) -> Cut:
        """Return the records that are `ok`."""
        if ok.all():
            return self
        return Cut(self.records[ok], self.starts[:, ok], self.stops[:, ok])


def cut_lines(block: Block, layout: Layout, lines: Places) -> Cut:
    """Return those of `lines` that have the bytes of `layout`."""
    heads = block.newlines[lines]
    fit = np.flatnonzero(block.newlines[lines + 1] - heads == layout.marks)
    cut = cut_records(block, layout, block.marks[block.outer], heads[fit])
    return cut._replace(records=lines[fit[cut.records]])


def cut_records(
    block: Block, layout: Layout, marks: Places, heads: Places, blanks: Flags | None = None
) -> Cut:
    """Return which records have the bytes of `layout`; each comes after number `heads` of `marks`.

    One that begins with a space has it in `blanks`.
    """
    at = marks[layout.at[:, None] + heads]
    first = marks[heads] + 1
    if blanks is not None:
        at[0] += blanks
        first += blanks
    starts, stops = at[:-1] + layout.lead, at[1:] - layout.back
    within = (starts <= stops).all(axis=0) & (starts[0] == first + len(layout.holes[0].literal))
    cut = Cut(np.arange(len(heads)), starts, stops).only(within)
    same: Flags = np.ones(len(cut.records), bool)
    for hole, start in zip(layout.holes, cut.starts, strict=True):
        same &= _same(block, start - len(hole.literal), hole.literal)
    return cut.only(same & _same(block, cut.stops[-1], layout.end))


def _same(block: Block, at: Places, literal: bytes) -> Flags:
    """Tell where the bytes at `at` are `literal`."""
    if not literal or not len(at):
        return np.ones(len(at), bool)
    same: Flags = block.windows(f"V{len(literal)}")[at] == np.void(literal)
    return same
