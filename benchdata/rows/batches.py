"""Batches of validated rows: lines proven in columns where that is possible, else row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Any, NamedTuple

import polars as pl

from benchdata.contracts import Contract
from benchdata.errors import RowError
from benchdata.rows import frames
from benchdata.rows.adapting import Adapter
from benchdata.rows.examining import Examined, examine, examined
from benchdata.rows.lines import Chunk, Span
from benchdata.rows.proof.prover import Prover
from benchdata.rows.sources import Input

ROWS = 10_000
"""Rows of a batch that are checked row by row."""


class Batch(NamedTuple):
    """Consecutive lines: the columns of the valid rows in line order, the faults of others.

    `lines` is how many there are.
    """

    frame: pl.DataFrame
    faults: list[RowError]
    lines: int


def by_row(source: Input, contract: Contract, adapter: Adapter | None) -> Iterator[Batch]:
    """Yield the rows and the faults of an input, in the order of its lines, checked row by row."""
    lines = examine(source, contract, adapter)
    while found := list(islice(lines, ROWS)):
        yield Batch(*_parted(found, contract), len(found))


def proven(source: Input, prover: Prover, span: Span | None = None) -> Iterator[Batch]:
    """Yield the same of an input, or of a span of it, whose lines `prover` proves if it can."""
    before = 0
    for chunk in source.chunks(span):
        for batch in _checked(chunk, prover, source.label, before):
            yield batch
            before += batch.lines


def _checked(chunk: Chunk, prover: Prover, label: str, before: int) -> Iterator[Batch]:
    """Yield what is proven of a chunk, with what the check by row says of the other lines.

    `before` the chunk so many lines came. However many lines are bad, few faults are held at once.
    """
    proven = prover.prove(chunk)
    ends = [*proven.others[ROWS::ROWS].tolist(), proven.lines]
    for number, (done, end) in enumerate(pairwise([0, *ends])):
        others = proven.others[number * ROWS : (number + 1) * ROWS]
        places = (part.tolist() for part in (others, *proven.block.bounds(others)))
        lines = (
            chunk.line(before + index + 1, bytes(chunk.data[start:stop]))
            for index, start, stop in zip(*places, strict=True)
        )
        found = (examined(line, prover.contract, label, None) for line in lines if line)
        rows = proven.frame
        if rows.height and len(ends) > 1:
            rows = rows.filter(pl.col(frames.LINE).is_between(done + 1, end))
        yield _joined(rows, before, found, prover.contract, end - done)


def _joined(
    rows: pl.DataFrame, before: int, found: Iterable[Examined], contract: Contract, lines: int
) -> Batch:
    """Return proven rows, which come after `before` lines, and lines checked by row as a batch."""
    frame, faults = _parted(found, contract)
    if rows.height:
        placed = rows.with_columns(pl.col(frames.LINE) + before)
        frame = frames.joined([placed, frame]).sort(frames.LINE) if frame.height else placed
    return Batch(frame, faults, lines)


def _parted(found: Iterable[Examined], contract: Contract) -> tuple[pl.DataFrame, list[RowError]]:
    """Return the columns of the valid rows, and the faults."""
    numbers: list[int] = []
    rows: list[dict[str, Any]] = []
    faults: list[RowError] = []
    for one in found:
        if one.row is not None:
            numbers.append(one.line.number)
            rows.append(one.row)
        elif one.fault is not None:
            faults.append(one.fault)
    # most batches have no such row, and a frame of many columns takes time even when it is empty
    return frames.from_rows(numbers, rows, contract) if rows else pl.DataFrame(), faults
