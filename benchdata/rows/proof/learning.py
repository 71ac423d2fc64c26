"""Learning the layout of a file's lines from one that the contract has found valid."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel

from benchdata.contracts import Contract
from benchdata.contracts.base import VERSION_FIELD
from benchdata.rows.proof.blocks import Places, line_block
from benchdata.rows.proof.layout import Hole, Layout
from benchdata.rows.proof.patterns import pattern
from benchdata.rows.proof.shapes import Listed, Nested, Plain, Shape, shapes
from benchdata.rows.proof.texts import Texts

_JSON = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Choices:
    """What a file has taught: paths of `varied` texts, and members to be looked at `alone`."""

    varied: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)


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
        text = line.decode("latin-1")  # one character a byte
        spans = self._spans(text, _skipped(text, 0), self.contract.models[self.version], "")
        marks, outer, _ = line_block(line).fine
        return self._layout(line, spans, marks[outer])

    def _layout(self, record: bytes, spans: Iterable[_Span], marks: Places) -> Layout:
        """Return the layout of a record with these spans; its end is the last mark."""
        holes = []
        end = 0
        joined = self._joined(spans)
        starts = [*(span.start for span in joined[1:]), int(marks[-1])]
        for span, following in zip(joined, starts, strict=True):
            mark = int(np.searchsorted(marks, span.start)) - 1
            before, texts = record[end : span.start], None
            back = int(marks[mark]) - end
            begin, end = span.start, span.stop
            if span.names:  # what stands around its members is checked with them
                made = Texts.of(self.contract, self.version, *span.owner, span.names)
                texts = made.within(before, record[end:following])
                begin, end, before = begin - len(before), following, b""
            width = end - begin
            holes.append(Hole(span.path, span.shape, before, mark, back, width, texts, span.items))
        return Layout.of(holes, record[end : marks[-1]], len(marks) - 1)

    def _spans(self, text: str, at: int, model: type[BaseModel], prefix: str) -> Iterator[_Span]:
        """Yield the spans of the object that starts at `at`."""
        owner = (model, prefix)
        for name, key, start, stop in _members(text, at):
            if not prefix and name == VERSION_FIELD:
                continue  # all lines of a layout are of one version: it is told by the same bytes
            path, shape = prefix + name, shapes(model)[name]
            if isinstance(shape, Nested) and text[start] == "{":
                inner = list(self._spans(text, start, shape.model, f"{path}."))
                if path in self.choices.varied or any(span.shape for span in inner):
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
        _, stop = _JSON.raw_decode(text, at)
        item = text[at:stop]
        spans = self._spans(item, 0, shape.item.model, f"{path}[].")
        data = item.encode("latin-1")
        return self._layout(data, spans, line_block(data).fine.marks)

    def _plain_item(self, shape: Listed, path: str, owner: tuple[type[BaseModel], str]) -> Layout:
        """Return the layout of an item that is a plain value."""
        hole = Hole(f"{path}[]", None, b"", 0, -1)
        if isinstance(shape.item, Plain) and self._by_bytes(f"{path}[]", shape.item):
            return Layout.of([replace(hole, shape=shape.item)], b"", 1)
        name = path.removeprefix(owner[1])
        texts = Texts.of(self.contract, self.version, *owner, (name,), item=True)
        return Layout.of([replace(hole, texts=texts)], b"", 1)

    def _joined(self, spans: Iterable[_Span]) -> list[_Span]:
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
