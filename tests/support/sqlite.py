"""SQLite with the views and macros that the named queries ask for: an engine of its own."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

import polars as pl

from benchdata.dataset import Dataset

READ = ("grouped", "measurements", "group_list")
"""The views that the named queries read."""


def nearest_rank(values: Sequence[Any], numerator: int, denominator: int) -> Any:
    """Return the nearest rank by its definition: the first value that enough are not above."""
    for value in sorted(values):
        if sum(other <= value for other in values) * denominator >= numerator * len(values):
            return value
    return None


class _Collected:
    """`array_agg` as an aggregate, an array being JSON text."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def step(self, *arguments: Any) -> None:
        self.values.extend(arguments)

    def finalize(self) -> Any:
        return json.dumps(self.values)


def _known(array: str) -> list[Any]:
    return [value for value in json.loads(array) if value is not None]


def _mean(values: Sequence[float]) -> float | None:
    return sum(sorted(values)) / len(values) if values else None


def _rank(array: str, numerator: int, denominator: int) -> Any:
    return nearest_rank(_known(array), numerator, denominator)


def loaded(dataset: Dataset) -> sqlite3.Connection:
    """Return an SQLite that holds the views of a dataset as tables."""
    engine = sqlite3.connect(":memory:")
    engine.create_aggregate("array_agg", 1, _Collected)
    engine.create_function("list_rank", 3, _rank)
    engine.create_function("list_total", 1, lambda array: sum(sorted(_known(array))))
    engine.create_function("list_mean", 1, lambda array: _mean(_known(array)))
    for view in READ:
        frame = simple(dataset.sql(f"select * from {view}"))
        columns = ", ".join(f'"{name}"' for name in frame.columns)
        engine.execute(f"create table {view} ({columns})")
        marks = ", ".join("?" * frame.width)
        engine.executemany(f"insert into {view} values ({marks})", frame.rows())
    return engine


def simple(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame of the types that SQLite has: text, numbers and null."""
    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    times = [name for name, kind in frame.schema.items() if kind.is_temporal()]
    flags = [name for name, kind in frame.schema.items() if kind == pl.Boolean]
    hashes = [name for name, kind in frame.schema.items() if kind == pl.UInt64]
    return frame.with_columns(
        pl.col(times).dt.strftime("%Y-%m-%dT%H:%M:%S%.3f"),
        pl.col(flags).cast(pl.Int64),
        pl.col(hashes).cast(pl.String),
        *(pl.Series(name, list(map(str, frame[name])), dtype=pl.String) for name in nested),
    )
