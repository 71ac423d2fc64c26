"""The engines that answer queries over views: DuckDB in this process, or Spark past one machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from benchdata.engine.connection import View, connect, fetch
from benchdata.engine.dialects import DUCKDB, Dialect
from benchdata.errors import EngineUnavailable, did_you_mean

if TYPE_CHECKING:
    import pyarrow as pa

NAMES = ("duckdb", "spark")


class Engine(Protocol):
    """What answers queries; `frozen_only` tells that rows must lie in Parquet before it can."""

    dialect: Dialect
    frozen_only: bool

    def answer(self, views: tuple[View, ...], query: str) -> pa.Table:
        """Return the whole answer to one SELECT over the views; raise QueryRefused if it fails."""


class DuckDB:
    """A connection of its own for each query."""

    dialect = DUCKDB
    frozen_only = False

    def answer(self, views: tuple[View, ...], query: str) -> pa.Table:
        """Return the whole answer to one SELECT over the views."""
        with connect(views, query=query) as connection:
            return fetch(connection, query)


def named(name: str) -> Engine:
    """Return the engine of a name: `duckdb`, `spark`, or `spark://HOST:PORT`, a master of Spark.

    Raises:
        EngineUnavailable: There is none of that name, or it is not installed or not reached.
    """
    kind, _, address = name.partition("://")
    if name == "duckdb":
        return DuckDB()
    if kind == "spark" and (address or name == "spark"):
        from benchdata.engine.spark.connection import Spark

        return Spark(name if address else "")
    hint = did_you_mean(name, NAMES) or "; there are duckdb, spark and spark://HOST:PORT"
    raise EngineUnavailable(f"no engine is named `{name}`{hint}")
