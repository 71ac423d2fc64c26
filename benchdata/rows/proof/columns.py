"""From the spans of holes to typed columns, with the verdict whether each value is proven."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from benchdata.contracts import Contract
from benchdata.contracts.columns import Column, column_name
from benchdata.contracts.fields import SAFE_INTEGER
from benchdata.rows.frames import TYPES, data_type, plain
from benchdata.rows.proof.blocks import (
    CLOSE,
    COMMA,
    OPEN,
    QUOTE,
    SPACE,
    Block,
    Flags,
    Places,
    Words,
    joined_block,
)
from benchdata.rows.proof.digits import instants, integers, naturals
from benchdata.rows.proof.layout import Cut, Hole, Layout, cut_lines, cut_records
from benchdata.rows.proof.patterns import pattern
from benchdata.rows.proof.shapes import Listed, Plain
from benchdata.rows.proof.texts import OLDEST, of_arrow, strings
from benchdata.rows.proof.walking import walk_lines

NULL = int.from_bytes(b"null", "little")
NUMBER = r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"
WITHIN: Mapping[str, Callable[[Any, float], Flags]] = {
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
}

Columns = dict[str, pl.Series]


class Filled(NamedTuple):
    """The lines that have a layout, which of them are proven, and if any their columns by name."""

    lines: Places
    columns: Columns
    proven: Flags


class Items(NamedTuple):
    """The items of one list hole, in `block`: where each record's end, and their cut; `ok` tells
    the records whose every item has the layout, and only if all are, the rest is of use.
    """  # noqa: D205 - one sentence

    ok: Flags
    ends: Places
    cut: Cut
    block: Block


def filled(
    block: Block, layout: Layout, lines: Places, contract: Contract, *, walk: bool = False
) -> Filled:
    """Return the columns of those of `lines` that have the bytes of `layout`.

    They are cut by a `walk` from value to value, or by all their marks.
    """
    cut = (walk_lines if walk else cut_lines)(block, layout, lines)
    if not len(cut.records):
        return Filled(cut.records, {}, np.zeros(0, bool))
    lists: dict[str, Items] = {}
    for row in layout.rows.get("list", ()):
        hole = layout.holes[row]
        lists[hole.path] = items = (_copied if walk else _marked)(block, hole, cut, row)
        if not items.ok.all():
            return filled(block, layout, cut.records[items.ok], contract, walk=walk)
    columns, proven = _columns(block, layout, cut)
    for row in layout.rows.get("list", ()):
        hole = layout.holes[row]
        name = column_name(hole.path)
        column = next(column for column in contract.columns if column.path == hole.path)
        columns[name], good = _list(hole, lists[hole.path], column)
        proven &= good
    return Filled(cut.records, columns, proven)


def _marked(block: Block, hole: Hole, cut: Cut, row: int) -> Items:
    """Return the items of the lists in a row of a cut, where they lie."""
    marks, outer, newlines = block.fine
    heads = newlines[cut.records] + hole.mark
    opens, closes = outer.take(heads), outer.take(heads + 1)
    items = _items(block, hole, opens, closes)
    return items._replace(ok=items.ok & (marks.take(closes) == cut.stops[row]))


def _copied(block: Block, hole: Hole, cut: Cut, row: int) -> Items:
    """Return the same of their copy, brackets included: commas are looked for in nothing else."""
    start, stop = cut.starts[row] - 1, cut.stops[row] + 1
    (texts,) = strings(block, start[None], stop[None], block.windows("<u8")[start][None])
    _, ends, data = texts.to_arrow(compat_level=OLDEST).buffers()
    bounds = np.frombuffer(ends, np.int64)[: len(start) + 1]
    copy = joined_block(memoryview(data)[: bounds[-1]])
    marks = copy.fine.marks
    kinds = copy.memory.take(marks)
    opens, closes = np.flatnonzero(kinds == OPEN), np.flatnonzero(kinds == CLOSE)
    alike = len(opens) == len(closes) == len(start)
    if not alike or (marks[opens] != bounds[:-1]).any() or (marks[closes] + 1 != bounds[1:]).any():
        none = opens[:0]
        return Items(np.zeros(len(start), bool), none, _uncut(none), block)
    return _items(copy, hole, opens, closes)


def _items(block: Block, hole: Hole, opens: Places, closes: Places) -> Items:
    """Return the items between brackets, which are given as indices of marks."""
    marks, layout = block.fine.marks, hole.items
    empty = marks.take(closes) == marks.take(opens) + 1
    if layout is None:
        return Items(empty, np.zeros(len(opens), np.int64), _uncut(opens[:0]), block)
    count, rest = np.divmod(closes - opens, layout.marks)
    ok = empty | (rest == 0)
    size = np.where(ok & ~empty, count, 0)
    ends = np.cumsum(size)
    begins = ends - size
    heads = np.arange(size.sum()) * layout.marks + np.repeat(opens - begins * layout.marks, size)
    place = marks.take(heads)
    between = block.memory.take(place) == COMMA
    between[begins[size > 0]] = True  # before the first item stands the bracket
    place += 1
    cut = cut_records(block, layout, marks, heads, block.memory.take(place) == SPACE)
    good = between
    if len(cut.records) < len(heads):
        good = np.zeros(len(heads), bool)
        good[cut.records] = between[cut.records]
    return Items(ok & _all(good, ends), ends, cut, block)


def _uncut(none: Places) -> Cut:
    """Return the cut of no record."""
    return Cut(none, none, none, none.view(np.uint64))


def _all(good: Flags, ends: Places) -> Flags:
    """Tell of which lists, by where their items end, all items are good."""
    if good.all():
        return np.ones(len(ends), bool)
    bad = np.concatenate([[0], np.cumsum(~good)])
    clean: Flags = np.diff(bad[ends], prepend=0) == 0
    return clean


def _list(hole: Hole, items: Items, column: Column) -> tuple[pl.Series, Flags]:
    """Return the lists as one column, and where they are proven."""
    assert isinstance(hole.shape, Listed)
    size = np.diff(items.ends, prepend=0)
    fit = np.ones(len(size), bool)
    for name, bound in hole.shape.limits:
        fit &= WITHIN[name](size, bound)
    if hole.items is None:
        return pl.Series([[]], dtype=data_type(column)).new_from_index(0, len(size)), fit
    columns, good = _columns(items.block, hole.items, items.cut)
    inner = plain(pl.DataFrame([columns[field.name].alias(field.name) for field in column.item]))
    flat = inner.to_struct() if column.item[0].path else inner.to_series()
    offsets = pl.Series(np.concatenate([[0], items.ends])).to_arrow()
    values = flat.to_arrow(compat_level=pl.CompatLevel.newest())
    lists = of_arrow(pa.LargeListArray.from_arrays(offsets, values))
    return lists, fit & _all(good, items.ends)


def _columns(block: Block, layout: Layout, cut: Cut) -> tuple[Columns, Flags]:
    """Return the columns of all holes but lists, and where all their values are proven."""
    columns: Columns = {}
    proven: Flags = np.ones(len(cut.records), bool)
    for kind, rows in layout.rows.items():
        if kind == "list":
            continue
        holes = [layout.holes[row] for row in rows]
        together = rows[-1] - rows[0] < len(rows)  # then they need not be copied
        at = slice(rows[0], rows[-1] + 1) if together else rows
        start, stop, words = cut.starts[at], cut.stops[at], cut.words[at]
        if kind == "run":
            found = _runs(block, holes, start, stop, words)
        elif kind == "text":
            found = _texts(block, holes, start, stop, words)
        else:
            found = _digits(block, kind, holes, start, stop, words)
        for part, good in found:
            columns |= part
            proven &= good
    return columns, proven


def _runs(
    block: Block, holes: Sequence[Hole], start: Places, stop: Places, words: Words
) -> Iterator[tuple[Columns, Flags]]:
    """Yield the columns of each run of members, and where its text is valid."""
    for hole, series in zip(holes, strings(block, start, stop, words), strict=True):
        assert hole.texts
        codes, values, valid = hole.texts.know(series)
        yield {one.name: one for one in values[codes]}, valid[codes.to_numpy()]


def _texts(
    block: Block, holes: Sequence[Hole], start: Places, stop: Places, words: Words
) -> Iterator[tuple[Columns, Flags]]:
    """Yield each column of texts, and where a text in quotes is its own normal form."""
    quoted = (words & 0xFF == QUOTE) & (block.memory[stop - 1] == QUOTE)
    quoted &= stop - start >= 2
    inside = np.where(quoted, words >> 8, QUOTE)
    series = strings(block, np.where(quoted, start + 1, stop), stop - quoted, inside)
    for row, hole in enumerate(holes):
        assert isinstance(hole.shape, Plain)
        assert hole.shape.text
        holds = pattern(hole.shape.text)
        assert holds
        # copied out of the block, whose memory would else be held until the rows are stored
        copied = series[row].to_arrow(compat_level=OLDEST)
        ok = quoted[row] & holds(copied)
        yield _column(hole, of_arrow(copied), ok, block, start[row], stop[row])


def _digits(
    block: Block, kind: str, holes: Sequence[Hole], start: Places, stop: Places, words: Words
) -> Iterator[tuple[Columns, Flags]]:
    """Yield each column of a kind of number, and where the bytes are one within the limits."""
    values, good = READERS[kind](block, start.ravel(), stop.ravel(), words.ravel())
    values, good = values.reshape(start.shape), good.reshape(start.shape)
    for row, hole in enumerate(holes):
        assert isinstance(hole.shape, Plain)
        ok = good[row]
        for name, bound in hole.shape.limits:
            ok &= WITHIN[name](values[row], bound)
        series = pl.Series(values[row])
        series = series.cast(TYPES["time"]) if kind == "time" else series
        yield _column(hole, series, ok, block, start[row], stop[row])


def _column(
    hole: Hole, values: pl.Series, ok: Flags, block: Block, start: Places, stop: Places
) -> tuple[Columns, Flags]:
    """Return a column by its name, with null where the contract allows it and the bytes say so.

    Within an item the name is the field's, of a plain item empty.
    """
    name = column_name(hole.path.rpartition("[]")[2].removeprefix("."))
    if not isinstance(hole.shape, Plain) or not hole.shape.nullable:
        return {name: values}, ok
    null = (stop - start == len("null")) & (block.windows("<u4")[start] == NULL)
    return {name: values.set(pl.Series(null), None)}, ok | null


def _numbers(
    block: Block, start: Places, stop: Places, words: Words
) -> tuple[NDArray[np.float64], Flags]:
    """Return numbers as JSON spells them; an integer is one only if every reader keeps it."""
    (text,) = strings(block, start[None], stop[None], words[None])
    value = text.cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy()
    whole = ~text.str.contains("[.eE]").to_numpy()
    # -0 would be taken by the check by row, as 0: it is left to it
    kept = (np.abs(value) <= SAFE_INTEGER) & ~((value == 0) & np.signbit(value))
    return value, text.str.contains(NUMBER).to_numpy() & np.isfinite(value) & (~whole | kept)


Reader = Callable[[Block, Places, Places, Words], tuple[NDArray[Any], Flags]]
READERS: Mapping[str, Reader] = {
    "natural": naturals,
    "integer": integers,
    "number": _numbers,
    "time": instants,
}
