"""DuckDB over views of Parquet files: locked and read-only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from benchdata.engine.select import SETTINGS, checked_select
from benchdata.engine.wording import one_sentence
from benchdata.errors import QueryRefused

if TYPE_CHECKING:
    import pyarrow as pa

MACROS = resources.files(__package__) / "macros.sql"


@dataclass(frozen=True, slots=True)
class View:
    """A table to query: Parquet `files` of one shape, or `sql` over the views before it.

    A `hidden` one serves other views: no message offers its name or its columns. A `sent` one is
    small, and lies where a process of another machine could not read it.
    """

    name: str
    files: tuple[Path, ...] = ()
    sql: str = ""
    hidden: bool = False
    sent: bool = False

    def __post_init__(self) -> None:
        if bool(self.files) == bool(self.sql):
            raise ValueError(f"view {self.name} needs files or sql, one of the two")


def connect(
    views: Iterable[View],
    *,
    threads: int | None = None,
    memory_limit: str | None = None,
    sealed: bool = False,
    query: str | None = None,
) -> duckdb.DuckDBPyConnection:
    """Return an in-memory DuckDB with the macros and views, its configuration locked, in UTC.

    The SQL of the views is trusted. DuckDB reads their files by path, and no others; those it could
    also write, so what runs here is trusted or has passed `checked_select`. Where one `query` is to
    be asked, the views that it cannot mean are not made. A `sealed` connection
    knows no path and no file system: it reads through Arrow, at a quarter of the speed of a bare
    scan at worst, and is what the SQL of strangers runs on.

    Raises:
        QueryRefused: A file of a view is gone or unreadable, or the SQL of a view is wrong.
    """
    views = tuple(views)
    chosen = {"threads": threads, "memory_limit": memory_limit}
    config = SETTINGS | {key: value for key, value in chosen.items() if value is not None}
    con = duckdb.connect(":memory:", config=config)
    con.execute("set TimeZone = 'UTC'")
    con.execute(MACROS.read_text("utf-8"))
    if sealed:
        con.execute("set disabled_filesystems = 'LocalFileSystem'")
    else:
        paths = [path for view in views for file in view.files for path in _paths(file)]
        con.execute(f"set allowed_paths = {_literals(paths)}")
    con.execute("set enable_external_access = false")
    offered = _literals(view.name for view in views if not view.hidden)
    con.execute(f"set variable offered = {offered}")
    with one_sentence(con):
        for view in views if query is None else _meant(views, query):
            _add(con, view, sealed=sealed)
    con.execute("set lock_configuration = true")
    return con


def batches(con: duckdb.DuckDBPyConnection, sql: str, rows: int = 10_000) -> pa.RecordBatchReader:
    """Return the result of one checked SELECT as Arrow batches of about `rows` rows.

    Whole numbers of 128 bits, such as every sum of integers, come as int64 or are refused.
    Iterate inside `one_sentence(con)`: a query can still fail half way.

    Raises:
        QueryRefused: `checked_select` refuses it, or two of its columns have one name.
    """
    import pyarrow as pa

    relation = con.sql(checked_select(sql, con))
    for name in relation.columns:
        if relation.columns.count(name) > 1:
            raise QueryRefused(f"two columns are named `{name}`: rename one, `... as other`")
    reader = relation.to_arrow_reader(rows)
    wide = pa.decimal128(38, 0)
    fields = [
        field.with_type(pa.int64()) if field.type == wide else field for field in reader.schema
    ]
    return reader.cast(pa.schema(fields))


def fetch(con: duckdb.DuckDBPyConnection, sql: str) -> pa.Table:
    """Return the whole result of one checked SELECT, run in this process.

    Raises:
        QueryRefused: The query is refused or fails; one sentence says why.
    """
    with one_sentence(con):
        return batches(con, sql).read_all()


def _meant(views: Sequence[View], query: str) -> list[View]:
    """Return, in order, the views whose names stand in a query or in the SQL of such a view."""
    meant: list[View] = []
    texts = [query.casefold()]
    for view in reversed(views):  # each is over views before it
        if any(view.name.casefold() in text for text in texts):
            meant.insert(0, view)
            texts.append(view.sql.casefold())
    return meant


def _add(con: duckdb.DuckDBPyConnection, view: View, *, sealed: bool) -> None:
    if gone := [file.name for file in view.files if not file.is_file()]:
        raise QueryRefused(f"view {view.name}: {gone[0]} is gone; open the dataset again")
    if view.sql:
        con.execute(f"create view {quoted(view.name)} as {view.sql}")
    elif sealed:
        import pyarrow as pa
        import pyarrow.dataset as ds
        import pyarrow.parquet as pq

        schemas = [pq.read_schema(file) for file in view.files]
        schema = pa.unify_schemas(schemas, promote_options="permissive")
        files = [str(file) for file in view.files]
        con.register(view.name, ds.dataset(files, schema=schema, format="parquet"))
    else:
        patterns = _literals(_paths(file)[0] for file in view.files)
        source = f"read_parquet({patterns}, union_by_name = true, hive_partitioning = false)"
        con.execute(f"create view {quoted(view.name)} as select * from {source}")


def _paths(file: Path) -> tuple[str, str]:
    """Give a path as the pattern that matches nothing else, and as it is: DuckDB asks for both."""
    path = str(file.resolve())
    return re.sub(r"([*?[])", r"[\1]", path), path


def literal(text: str) -> str:
    """Return `text` as an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def _literals(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(literal, texts))}]"


def quoted(identifier: str) -> str:
    """Return an SQL identifier that means exactly this name, whatever it holds."""
    return '"' + identifier.replace('"', '""') + '"'
