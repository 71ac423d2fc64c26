"""From rows in normal form to typed, flat columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from benchdata.contracts import Contract
from benchdata.contracts.columns import Column
from benchdata.contracts.rules import Expression
from benchdata.rows.expressions import column as over_columns

INSTANT = "%Y-%m-%dT%H:%M:%S%.3fZ"
LINE = "_line"
RESULT = "row_result"
SYNTHETIC = "row_synthetic"
DERIVED: Mapping[str, pl.DataType] = {RESULT: pl.String(), SYNTHETIC: pl.Boolean()}
"""Columns that every dataset has beside its fields: outcome class, and whether synthetic."""

TYPES: Mapping[str, pl.DataType] = {
    "integer": pl.Int64(),
    "number": pl.Float64(),
    "text": pl.String(),
    "flag": pl.Boolean(),
    "time": pl.Datetime("ms", "UTC"),
}


def data_type(column: Column) -> pl.DataType:
    """Return the polars type of a column."""
    if column.kind != "list":
        return TYPES[column.kind]
    plain = len(column.item) == 1 and not column.item[0].path
    if plain:
        return pl.List(data_type(column.item[0]))
    return pl.List(pl.Struct({item.name: data_type(item) for item in column.item}))


def schema(contract: Contract) -> dict[str, pl.DataType]:
    """Return the name and type of every stored column, the line number first."""
    fields = {column.name: data_type(column) for column in contract.columns}
    return {LINE: pl.Int64(), **fields, **DERIVED}


def row_columns(contract: Contract) -> list[str]:
    """Return the names of the stored columns without the line number."""
    return [name for name in schema(contract) if name != LINE]


def from_rows(
    numbers: Iterable[int], rows: list[dict[str, Any]], contract: Contract
) -> pl.DataFrame:
    """Return a frame of `schema(contract)` from rows in normal form and their line numbers."""
    data = {column.name: typed(rows, column) for column in contract.columns}
    fields = pl.DataFrame({LINE: pl.Series(list(numbers), dtype=pl.Int64), **data})
    return fields.with_columns(**derived(contract))


def typed(rows: Sequence[Mapping[str, Any]], column: Column) -> pl.Series:
    """Return the values of one column; null where an older version or a null object has none."""
    values = [value_at(row, column.path) for row in rows]
    if column.kind != "time":
        return pl.Series(values, dtype=data_type(column), strict=True)
    texts = pl.Series(values, dtype=pl.String())
    return texts.str.to_datetime(INSTANT, time_unit="ms", time_zone="UTC")


def derived(contract: Contract) -> dict[str, pl.Expr]:
    """Return the derived columns, told from the fields whose text is not coded."""
    classes = contract.outcome.classes()
    result = pl.lit("failed")
    for name in reversed(list(classes)):
        result = pl.when(over_columns(classes[name])).then(pl.lit(name)).otherwise(result)
    synthetic = over_columns(Expression(contract.synthetic)).fill_null(value=False)
    return {RESULT: result, SYNTHETIC: synthetic}


def joined(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return rows one after the other; their text is coded only where it is in the same way."""
    alike = len({tuple(frame.dtypes) for frame in frames}) == 1
    return pl.concat(frames if alike else map(plain, frames))


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose text is not coded."""
    return frame.cast({pl.Categorical: pl.String})


def value_at(row: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path, None where an older version or a null object has none."""
    value: Any = row
    for step in path.split("."):
        value = value.get(step) if value is not None else None
    return value


def empty(contract: Contract) -> pl.DataFrame:
    """Return a frame of `schema(contract)` without rows."""
    return pl.DataFrame(schema=schema(contract))
