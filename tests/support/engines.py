"""Frozen rows, and what two engines answer about them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import benchdata
from benchdata import queries
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.rows import lake
from tests.support.drawn import Row
from tests.support.queried import opened


def frozen(folder: Path, rows: Sequence[Row], contract: Contract, parts: int = 1) -> Path:
    """Return a lake of rows, which took them from so many files, one after the other."""
    into = folder / "lake"
    for part in range(parts):
        dataset = opened(folder / str(part), rows[part::parts], contract)
        lake.freeze(dataset.tables, into)
    return into


def both(place: Path, contract: Contract | None = None) -> tuple[Dataset, Dataset]:
    """Return the rows of a lake twice: asked by DuckDB, and by Spark."""
    return benchdata.open(place, contract), benchdata.open(place, contract, engine="spark")


def unlike(duckdb: Dataset, spark: Dataset) -> dict[str, str]:
    """Return the named queries whose answers differ in a cell or a type, and how."""
    found = {}
    for name in queries.names():
        one, other = (each.sql(queries.text(name)) for each in (duckdb, spark))
        if one.schema != other.schema:
            found[name] = f"{one.schema} and {other.schema}"
        elif not one.equals(other):
            rows = zip(one.rows(), other.rows(), strict=False)
            first = next((pair for pair in rows if repr(pair[0]) != repr(pair[1])), "")
            found[name] = f"{one.height} and {other.height} rows: {first}"
    return found
