"""Validated rows as text for other tools: CSV with a column a field, or NDJSON in normal form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl
from polars import selectors

from benchdata.contracts import Contract
from benchdata.rows import frames
from benchdata.rows.parquet import BATCH, as_lines
from benchdata.rows.tables import Table, scan_all
from benchdata.rows.writing import whole_file

FORMULAS = ("=", "+", "-", "@")
"""How text begins that a spreadsheet reads as a formula."""


class Written(NamedTuple):
    """How many rows were written; `formulas` counts cells that begin as formulas do, by column."""

    rows: int
    formulas: Mapping[str, int]


def write_csv(tables: Sequence[Table], path: Path, contract: Contract) -> Written:
    """Write rows as CSV: the columns of the view `rows`, a header first.

    Null is nothing, and an empty text is `""`. A list is its JSON, a time stands in normal form.
    Values are written as they are, also those that a spreadsheet would run: those are counted.
    """
    count, formulas = 0, Counter[str]()
    with whole_file(path) as part, part.open("wb") as file:
        for batch in scan_all(tables).collect_batches(chunk_size=BATCH, maintain_order=True):
            cells = _flat(batch.select(frames.row_columns(contract)))
            cells.write_csv(file, include_header=not count, datetime_format=frames.INSTANT)
            formulas.update(_formulas(cells))
            count += cells.height
    return Written(count, {name: n for name, n in formulas.items() if n})


def write_lines(tables: Sequence[Table], path: Path, contract: Contract) -> int:
    """Write rows in normal form, one JSON object a line; return how many."""
    count = 0
    with whole_file(path) as part, part.open("wb") as file:
        for lines in as_lines(scan_all(tables), contract):
            file.write(lines)
            count += lines.count(b"\n")
    return count


def _flat(batch: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose lists are their JSON: CSV has no cell for them."""
    lists = [name for name, kind in batch.schema.items() if isinstance(kind, pl.List)]
    texts = (pl.Series(name, map(_json, batch[name].to_list()), pl.String) for name in lists)
    return batch.with_columns(*texts)


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _formulas(cells: pl.DataFrame) -> Mapping[str, int]:
    """Return the number of cells that a spreadsheet would read as formulas, by column."""
    first = selectors.string(include_categorical=True).cast(pl.String).str.slice(0, 1)
    found = cells.select(first.is_in(FORMULAS).sum())
    return found.row(0, named=True) if found.width else {}
