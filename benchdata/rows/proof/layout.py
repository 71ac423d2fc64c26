"""Layouts: what the lines of a file have in common, learned from one of them, and the cutting."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel

from benchdata.contracts import Contract
from benchdata.rows.lines import PADDING
from benchdata.rows.proof.blocks import Block, Flags, Places, scan
from benchdata.rows.proof.patterns import pattern
from benchdata.rows.proof.shapes import Listed, Nested, Plain, Shape, shapes
from benchdata.rows.proof.texts import Texts

_JSON = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Choices:
    """What a file has taught: paths of `varied` texts, and members to be looked at `alone`."""

    varied: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Hole:
    """A stretch of a record that is a value, the items of a list, or a run of members.

    `literal` are the bytes before it, back to the hole before; mark number `mark` of the record
    stands in them, behind `back` bytes. A run has `texts`; a list has the layout of its `items`,
    None as long as only empty ones were seen.
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


class _Span(NamedTuple):
    """A stretch of the learned record that becomes a hole; of a run `names` are its members."""

    path: str
    shape: Plain | Listed | None
    start: int
    stop: int
    owner: tuple[type[BaseModel], str]
    names: tuple[str, ...] = ()
    items: Layout | None = None


@dataclass(frozen=True, slots=True)
class Learner:
    """Learns layouts from valid lines of one version of a contract."""

    contract: Contract
    version: int
    choices: Choices

    def learn(self, line: bytes) -> Layout:
        """Return the layout of a valid line."""
        block = scan(line + b"\n" + PADDING, len(line) + 1, np.ones(1, int))
        text = line.decode("latin-1")  # one character a byte
        spans = list(self._spans(text, _skipped(text, 0), self.contract.models[self.version], ""))
        return self._layout(line, 0, self._runs(spans), block.marks[block.outer], "")

    def _layout(
        self, line: bytes, first: int, spans: list[_Span], marks: Places, prefix: str
    ) -> Layout:
        """Return the layout of a record that starts at `first` and ends at the last mark."""
        holes = []
        end = first
        for span in spans:
            mark = int(np.searchsorted(marks, span.start)) - 1
            hole = Hole(span.path, span.shape, line[end : span.start], mark, int(marks[mark]) - end)
            if span.names:
                model, owner = span.owner
                made = Texts.of(self.contract, self.version, model, owner or prefix, span.names)
                hole = replace(hole, texts=made)
            holes.append(replace(hole, items=span.items))
            end = span.stop
        return Layout.of(holes, line[end : marks[-1]], len(marks) - 1)

    def _spans(self, text: str, at: int, model: type[BaseModel], prefix: str) -> Iterator[_Span]:
        """Yield the spans of the object that starts at `at`."""
        owner = (model, prefix)
        for name, key, start, stop in _members(text, at):
            path, shape = prefix + name, shapes(model)[name]
            if isinstance(shape, Nested) and text[start] == "{":
                inner = list(self._spans(text, start, shape.model, f"{path}."))
                if any(span.shape for span in inner):
                    yield from inner
                    continue
            elif isinstance(shape, Listed) and text[start] == "[" and self._by_item(path, shape):
                items = self._items(text, start, shape, path, owner)
                yield _Span(path, shape, start + 1, stop - 1, owner, items=items)
                continue
            elif isinstance(shape, Plain) and self._by_bytes(path, shape):
                yield _Span(path, shape, start, stop, owner)
                continue
            yield _Span(path, None, key, stop, owner, (name,))

    def _by_bytes(self, path: str, shape: Shape | None) -> bool:
        """Tell whether a plain value is proven by its bytes, and not once a distinct text."""
        if not isinstance(shape, Plain):
            return False
        if shape.text is None:
            return True
        return path in self.choices.varied and pattern(shape.text) is not None

    def _by_item(self, path: str, shape: Listed) -> bool:
        """Tell whether the items of a list are proven one by one, and not the list as a whole."""
        if isinstance(shape.item, Nested):
            inner = shapes(shape.item.model)
            plain = not any(isinstance(one, Nested | Listed) for one in inner.values())
            return plain and (
                path in self.choices.varied
                or any(self._by_bytes(f"{path}[].{name}", one) for name, one in inner.items())
            )
        return path in self.choices.varied or self._by_bytes(f"{path}[]", shape.item)

    def _items(
        self, text: str, start: int, shape: Listed, path: str, owner: tuple[type[BaseModel], str]
    ) -> Layout | None:
        """Return the layout of an item of the list at `start`, None when that has no item."""
        at = _skipped(text, start + 1)
        if not isinstance(shape.item, Nested):
            return self._plain_item(shape, path, owner)
        if text[at] == "]":
            return None
        spans = list(self._spans(text, at, shape.item.model, f"{path}[]."))
        _, stop = _JSON.raw_decode(text, at)
        item = text[at:stop].encode("latin-1")
        block = scan(item + b"\n" + PADDING, len(item) + 1, np.ones(1, int))
        moved = [span._replace(start=span.start - at, stop=span.stop - at) for span in spans]
        return self._layout(item, 0, self._runs(moved), block.marks, f"{path}[].")

    def _plain_item(self, shape: Listed, path: str, owner: tuple[type[BaseModel], str]) -> Layout:
        """Return the layout of an item that is a plain value."""
        hole = Hole(f"{path}[]", None, b"", 0, -1)
        if isinstance(shape.item, Plain) and self._by_bytes(f"{path}[]", shape.item):
            return Layout.of([replace(hole, shape=shape.item)], b"", 1)
        model, prefix = owner
        name = path.removeprefix(prefix)
        texts = Texts.of(self.contract, self.version, model, prefix, (name,), item=True)
        return Layout.of([replace(hole, texts=texts)], b"", 1)

    def _runs(self, spans: list[_Span]) -> list[_Span]:
        """Join neighbours of one object that are checked as texts."""
        joined: list[_Span] = []
        for span in spans:
            last = joined[-1] if joined else None
            together = last and last.names and span.names and last.owner == span.owner
            if last and together and not {last.path, span.path} & self.choices.alone:
                joined[-1] = last._replace(stop=span.stop, names=last.names + span.names)
            else:
                joined.append(span)
        return joined


def _members(text: str, at: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield (name, start of its key, start of its value, end) of the members of an object."""
    at = _skipped(text, at + 1)
    while text[at] != "}":
        _, end = _JSON.raw_decode(text, at)
        start = _skipped(text, _skipped(text, end) + 1)
        _, stop = _JSON.raw_decode(text, start)
        yield json.loads(text[at:end].encode("latin-1")), at, start, stop
        at = _skipped(text, stop)
        if text[at] == ",":
            at = _skipped(text, at + 1)


def _skipped(text: str, at: int) -> int:
    """Return where the blanks at `at` end."""
    while text[at] in " \t\r\n":
        at += 1
    return at


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
