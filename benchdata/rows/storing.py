"""Storing batches of rows in one Parquet file, a row group at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import ExitStack, contextmanager
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from polars import selectors

from benchdata.contracts import Contract
from benchdata.contracts.columns import column_name, of_model
from benchdata.rows import frames

DELTAS = "DELTA_BINARY_PACKED"
STEADY = {"integer", "time"}
"""Kinds of values that are stored by their differences, which leaves nothing to compress."""
GROUP = 120_000
"""Rows of a row group: enough for good pages, few enough to be held in memory."""


class Store:
    """Rows on their way into a Parquet file; `rows` is how many there are."""

    def __init__(self, contract: Contract, opened: Callable[[pa.Schema], pq.ParquetWriter]) -> None:
        """Begin without rows; the file is `opened` when its first row group is there."""
        self.rows = 0
        self._contract, self._opened = contract, opened
        self._full = {frames.LINE, *frames.DERIVED, *_required(contract)}
        self._waiting: list[pl.DataFrame] = []
        self._first: pl.Schema | None = None
        self._writer: pq.ParquetWriter | None = None

    def add(self, frame: pl.DataFrame) -> None:
        """Take some rows, in line order after those before."""
        if frame.height:
            self.rows += frame.height
            self._waiting.append(frame)
        if sum(one.height for one in self._waiting) >= GROUP:
            self._flush()

    def end(self) -> None:
        """Write the rest; a file without rows has their columns."""
        if self._waiting:
            self._flush()
        if not self.rows:
            self._write(frames.empty(self._contract))

    def _flush(self) -> None:
        """Write what is waiting as a row group."""
        waiting, self._waiting = frames.joined(self._waiting), []
        self._write(waiting)

    def _write(self, frame: pl.DataFrame) -> None:
        """Write a row group, its text coded where that of the first one is."""
        self._first = self._first or frame.schema
        table = _table(_coded(frame, self._first), self._full)
        self._writer = self._writer or self._opened(table.schema)
        self._writer.write_table(table, row_group_size=max(frame.height, 1))


def _coded(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """Return a frame whose text is coded where it is in `schema`."""
    odd = {
        name: pl.String() if _is_coded(kind) else pl.Categorical(pl.Categories.random())
        for (name, wanted), kind in zip(schema.items(), frame.dtypes, strict=True)
        if _is_coded(kind) != _is_coded(wanted)
    }
    return frame.cast(pl.Schema(odd)) if odd else frame


def _is_coded(kind: pl.DataType) -> bool:
    return isinstance(kind, pl.Categorical)


@contextmanager
def store(file: Path, contract: Contract) -> Iterator[Store]:
    """Yield a store of rows of `contract` in `file`."""
    with ExitStack() as files:
        made = Store(contract, lambda schema: files.enter_context(_writer(file, schema, contract)))
        yield made
        made.end()


def _writer(file: Path, schema: pa.Schema, contract: Contract) -> pq.ParquetWriter:
    """Open a Parquet file for rows of `contract`."""
    # measured: this takes least time and room; nobody asks for statistics of rows that are always
    # read whole
    kinds = {frames.LINE: "integer", frames.RESULT: "text", **dict(_leaves(contract))}
    identity = set(map(column_name, contract.identity))
    return pq.ParquetWriter(
        file,
        schema,
        store_schema=False,  # how text is coded is of no concern to readers
        use_dictionary=[
            name for name, kind in kinds.items() if kind == "text" and name not in identity
        ],
        column_encoding={name: DELTAS for name, kind in kinds.items() if kind in STEADY},
        compression={
            name: "none" if kind in STEADY or name in identity else "lz4"
            for name, kind in kinds.items()
        },
        write_statistics=False,
    )


def _leaves(contract: Contract) -> Iterator[tuple[str, str]]:
    """Yield the name that Parquet gives to each column or list item, and its kind."""
    for column in contract.columns:
        if column.kind != "list":
            yield column.name, column.kind
        for item in column.item:
            inside = f".{item.name}" if item.path else ""
            yield f"{column.name}.list.element{inside}", item.kind


def _required(contract: Contract) -> Set[str]:
    """Return the names of the columns that every version has and none lets be null."""
    return set[str].intersection(
        *(
            {column.name for column in of_model(model) if not column.nullable}
            for model in contract.models.values()
        )
    )


def _table(frame: pl.DataFrame, full: Set[str]) -> pa.Table:
    """Return a frame for Arrow, its text not copied but inside lists, where Parquet needs that.

    Parquet takes the codes of text as they are, and need not look for equal texts itself; nor for
    nulls in columns that are `full`.
    """
    old, new = pl.CompatLevel.oldest(), pl.CompatLevel.newest()
    coded, lists = selectors.categorical(), selectors.nested()
    codes = frame.select(coded.to_physical()).rechunk().to_arrow()
    parts = [
        frame.select(lists).to_arrow(compat_level=old),
        frame.select(~lists & ~coded).to_arrow(compat_level=new),
    ]
    columns = {name: part[name] for part in parts for name in part.column_names}
    for name in codes.column_names:  # polars would look at each code again
        kind = frame[name].dtype
        assert isinstance(kind, pl.Categorical)
        words = kind.categories.to_series().to_arrow(compat_level=old)
        columns[name] = pa.DictionaryArray.from_arrays(codes[name].chunk(0), words)
    fields = [
        pa.field(name, columns[name].type, nullable=name not in full) for name in frame.columns
    ]
    return pa.table([columns[name] for name in frame.columns], schema=pa.schema(fields))
