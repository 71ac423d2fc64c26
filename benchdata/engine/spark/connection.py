"""The views of a dataset in Spark, and the answers to queries over them."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from benchdata.engine.connection import View, quoted
from benchdata.engine.dialects import SPARK
from benchdata.engine.select import checked_select
from benchdata.engine.spark import session
from benchdata.engine.spark.wording import one_sentence

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

MACROS = resources.files(__package__) / "macros.sql"
SETTINGS = {
    "spark.sql.ansi.enabled": "true",  # an overflow is an error, as it is in DuckDB
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",  # "x" is a name in both
    "spark.sql.caseSensitive": "false",
    "spark.sql.runSQLOnFiles": "false",  # a query reads the views and no file
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",  # the year 900 is that year
    "spark.sql.constraintPropagation.enabled": "false",  # takes all memory over a wide view
    "spark.sql.variable.substitute": "false",  # ${...} is nothing special in both
}


class Spark:
    """Spark at a master, `spark://HOST:PORT`; at "" the one of this process, or one made for it."""

    dialect = SPARK
    frozen_only = True

    def __init__(self, master: str) -> None:
        """Find what it takes before any row is read; Spark itself starts with the first query."""
        session.require(master)
        self._master = master
        self._sessions: dict[tuple[View, ...], SparkSession] = {}

    def answer(self, views: tuple[View, ...], query: str) -> pa.Table:
        """Return the whole answer to one SELECT over the views.

        Raises:
            QueryRefused: The query is refused or fails; one sentence says why.
            EngineUnavailable: Spark does not start, or is gone.
        """
        checked = checked_select(query)
        with one_sentence():
            if views not in self._sessions:
                self._sessions[views] = _opened(session.running(self._master), views)
            return self._sessions[views].sql(_spoken(checked)).toArrow()


def _opened(running: SparkSession, views: tuple[View, ...]) -> SparkSession:
    """Return a session of its own with the settings, the macros and the views."""
    opened = running.newSession()
    for name, value in SETTINGS.items():
        opened.conf.set(name, value)
    for macro in macros():
        opened.sql(macro)
    for view in views:
        _add(opened, view)
    return opened


def macros() -> list[str]:
    """Return the statements of the page of macros."""
    text = re.sub(r"^--.*\n", "", MACROS.read_text("utf-8"), flags=re.MULTILINE)
    return [statement for statement in map(str.strip, text.split(";")) if statement]


def _add(opened: SparkSession, view: View) -> None:
    if view.sql:
        opened.sql(f"create temporary view {quoted(view.name)} as {_spoken(view.sql)}")
        return
    if view.sent:
        import pyarrow as pa
        import pyarrow.parquet as pq

        frame = opened.createDataFrame(pa.concat_tables(map(pq.read_table, view.files)))
    else:
        frame = opened.read.parquet(*map(_path, view.files))
    frame.createOrReplaceTempView(quoted(view.name))


def _spoken(sql: str) -> str:
    """Return SQL in which a backslash is nothing special as Spark reads it."""
    return sql.replace("\\", "\\\\")


def _path(file: Path) -> str:
    """Return a path as the pattern that matches nothing else."""
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", str(file.resolve()))
