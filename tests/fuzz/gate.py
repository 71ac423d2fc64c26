"""The gate for SQL held against DuckDB: what it lets through is run, and may change nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb

from benchdata.engine.select import SETTINGS, checked_select
from benchdata.errors import QueryRefused

LONGEST = 0.5
"""Seconds that a query may run: what it would change it does at once."""
TABLES = """
    create table t as select 1 as a, 'x' as b;
    create view v as select * from t
"""
STATE = """
    select 'table', table_name, estimated_size from duckdb_tables()
    union all select 'view', view_name, 0 from duckdb_views() where not internal
    union all select 'database', database_name, 0 from duckdb_databases()
    union all select name, value, 0 from duckdb_settings()
    order by all
"""


def check_sql(text: bytes) -> None:
    """Run what the gate lets through, with leave to write files: nothing may come of it."""
    try:
        sql = checked_select(text.decode())
    except (UnicodeDecodeError, QueryRefused):
        return
    with tempfile.TemporaryDirectory() as folder:
        with duckdb.connect(":memory:", config=SETTINGS | {"threads": 1}) as connection:
            connection.execute(f"set allowed_directories = ['{folder}']; {TABLES}")
            connection.execute("set enable_external_access = false; set memory_limit = '256MB'")
            before = connection.execute(STATE).fetchall()
            assert len(connection.extract_statements(sql)) == 1
            _run(connection, sql.replace("FOLDER", folder))
            assert connection.execute(STATE).fetchall() == before
        assert not any(Path(folder).iterdir())


def _run(connection: duckdb.DuckDBPyConnection, sql: str) -> list[Any]:
    """Run a query for a short time; an error of DuckDB is an answer too."""
    timer = Timer(LONGEST, connection.interrupt)
    timer.start()
    try:
        return connection.execute(sql).fetchmany(10)
    except duckdb.Error:
        return []
    finally:
        timer.cancel()
        timer.join()
