"""Batches of validated rows: lines proven in columns where that is possible, else row by row."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

import polars as pl

from benchdata.contracts import Contract
from benchdata.errors import RowError
from benchdata.rows import frames
from benchdata.rows.adapting import Adapter
from benchdata.rows.examining import Examined, examine, examined
from benchdata.rows.lines import Chunk, chunks
from benchdata.rows.proof.prover import Prover, provable
from benchdata.rows.sources import Input

ROWS = 10_000
"""Rows of a batch that are checked row by row."""
THREADS = 2
"""Chunks proven at the same time: numpy and polars let go of the interpreter while they work."""

One = TypeVar("One")
Other = TypeVar("Other")


class Batch(NamedTuple):
    """Consecutive lines: the fields of the valid rows in line order, and the faults of others.

    A line is counted from the first of the batch, until the batch is `moved`; `lines` is how many
    there are.
    """

    frame: pl.DataFrame
    faults: list[RowError]
    lines: int

    def moved(self, before: int, label: str) -> Batch:
        """Return the batch that comes after `before` other lines of an input."""
        frame = self.frame.with_columns(pl.col(frames.LINE) + before)
        faults = [fault.at(label, before + (fault.line or 0)) for fault in self.faults]
        return Batch(frame, faults, self.lines)


def batches(
    source: Input, contract: Contract, adapter: Adapter | None = None, threads: int = THREADS
) -> Iterator[Batch]:
    """Yield the rows and the faults of an input, in the order of its lines.

    Rows that an adapter makes of another tool's lines are checked row by row.
    """
    if adapter or not provable(contract):
        yield from _by_row(examine(source, contract, adapter), contract)
        return
    idle: SimpleQueue[Prover] = SimpleQueue()
    for _ in range(threads):
        idle.put(Prover(contract))

    def checked(chunk: Chunk) -> Batch:
        prover = idle.get()
        try:
            return _checked(chunk, prover, contract, source.label)
        finally:
            idle.put(prover)

    before = 0
    for batch in in_order(checked, chunks(source.blocks()), threads):
        yield batch.moved(before, source.label)
        before += batch.lines


def in_order(work: Callable[[One], Other], items: Iterable[One], threads: int) -> Iterator[Other]:
    """Yield `work(item)` of each item in order, worked on by some threads; none outlives this."""
    waiting: deque[Future[Other]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _checked(chunk: Chunk, prover: Prover, contract: Contract, label: str) -> Batch:
    """Return what is proven of a chunk, with what the check by row says of the other lines."""
    proven = prover.prove(chunk)
    lines = (
        chunk.line(index + 1, chunk.data[start:stop])
        for index, start, stop in zip(proven.others, *proven.bounds, strict=True)
    )
    found = [examined(line, contract, label, None) for line in lines if line]
    frame, faults = _parted(found, contract)
    if proven.frame.height:
        frame = pl.concat([proven.frame, frame]).sort(frames.LINE) if found else proven.frame
    return Batch(frame, faults, proven.lines)


def _by_row(lines: Iterator[Examined], contract: Contract) -> Iterator[Batch]:
    while found := list(islice(lines, ROWS)):
        yield Batch(*_parted(found, contract), len(found))


def _parted(found: list[Examined], contract: Contract) -> tuple[pl.DataFrame, list[RowError]]:
    """Return the fields of the valid rows, and the faults."""
    good = [(one.line.number, one.row) for one in found if one.row is not None]
    faults = [one.fault for one in found if one.fault is not None]
    numbers, rows = [number for number, _ in good], [row for _, row in good]
    return frames.of_fields(numbers, rows, contract), faults
