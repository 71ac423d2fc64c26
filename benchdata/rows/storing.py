"""Storing batches of rows in one Parquet file, a row group at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from benchdata.contracts import Contract
from benchdata.contracts.columns import column_name
from benchdata.rows import frames

DELTAS = "DELTA_BINARY_PACKED"
STEADY = {"integer", "time"}
"""Kinds of values that are stored by their differences, which leaves nothing to compress."""
GROUP = 120_000
"""Rows of a row group: enough for good pages, few enough to be held in memory."""


class Store:
    """Rows on their way into a Parquet file; `rows` is how many there are."""

    def __init__(self, writer: pq.ParquetWriter, contract: Contract) -> None:
        """Begin without rows."""
        self.rows = 0
        self._writer, self._contract = writer, contract
        self._waiting: list[pl.DataFrame] = []

    def add(self, frame: pl.DataFrame) -> None:
        """Take the fields of some rows, in line order after those before."""
        self.rows += frame.height
        self._waiting.append(frame)
        if sum(one.height for one in self._waiting) >= GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting as a row group."""
        if self._waiting:
            frame = frames.with_derived(pl.concat(self._waiting), self._contract)
            self._writer.write_table(_table(frame), row_group_size=max(frame.height, 1))
            self._waiting = []


@contextmanager
def store(file: Path, contract: Contract) -> Iterator[Store]:
    """Yield a store of rows of `contract` in `file`."""
    # measured: this takes least time and room; nobody asks for statistics of rows that are always
    # read whole
    kinds = {frames.LINE: "integer", frames.RESULT: "text", **dict(_leaves(contract))}
    identity = set(map(column_name, contract.identity))
    with pq.ParquetWriter(
        file,
        _table(frames.empty(contract)).schema,
        use_dictionary=[
            name for name, kind in kinds.items() if kind == "text" and name not in identity
        ],
        column_encoding={name: DELTAS for name, kind in kinds.items() if kind in STEADY},
        compression={
            name: "none" if kind in STEADY or name in identity else "lz4"
            for name, kind in kinds.items()
        },
        write_statistics=False,
    ) as writer:
        made = Store(writer, contract)
        yield made
        made.flush()


def _leaves(contract: Contract) -> Iterator[tuple[str, str]]:
    """Yield the name that Parquet gives to each column or list item, and its kind."""
    for column in contract.columns:
        if column.kind != "list":
            yield column.name, column.kind
        for item in column.item:
            inside = f".{item.name}" if item.path else ""
            yield f"{column.name}.list.element{inside}", item.kind


def _table(frame: pl.DataFrame) -> pa.Table:
    """Return a frame for Arrow, its text not copied but inside lists, where Parquet needs that."""
    lists = (kind for kind in frame.dtypes if isinstance(kind, pl.List))
    copied = any(not kind.inner.is_numeric() for kind in lists)
    level = pl.CompatLevel.oldest() if copied else pl.CompatLevel.newest()
    return frame.to_arrow(compat_level=level)
