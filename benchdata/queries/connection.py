"""DuckDB over views of Parquet files: locked, read-only, and every error one sentence."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from benchdata.errors import QueryRefused, shorten
from benchdata.queries import MACROS, did_you_mean, quoted

if TYPE_CHECKING:
    import pyarrow as pa

# Nothing is loaded, nothing is spilled to disk, no Python variable is a table.
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "preserve_insertion_order": True,
    "python_enable_replacements": False,
    "temp_directory": "",
}

# The type SELECT alone proves nothing: `with x as (copy ... to 'file') select 1` has it too. So the
# parsed tree may hold only the nodes and the table functions that read no file and change nothing.
READING_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
TABLE_FUNCTIONS = {"generate_series", "json_each", "json_tree", "range", "unnest"}
PARSED = """
    select tree ->> 'error_message',
           json_extract_string(tree, '$..type'),
           json_extract_string(tree, '$..function.function_name')
    from (select json_serialize_sql(?) as tree)
"""

OUT_OF_MEMORY = (
    "the query needs more memory than it may have: "
    "select fewer columns or rows, or group before you sort"
)
NO_FILES = "a query reads the views alone, never a file: give the file to benchdata as an input"
SENTENCES = {
    r"^out of memory|bad_alloc|(?:failed to|could not|cannot) allocate|^$": OUT_OF_MEMORY,
    r"^permission error: cannot access|file system \w+ has been disabled": NO_FILES,
    r"integer value out of bounds": (
        "a whole number in the result is beyond 64 bits: cast it to double or varchar"
    ),
    r"values were not provided": "a query takes no parameters: write the value in its place",
}
MISSING = {
    "column": r'column named "(.+?)"|column "(.+?)" (?:in EXCLUDE list )?(?:not found|does not)',
    "view": r'table with name (.+?) does not exist|referenced table "(.+?)" not found',
    "function": r'function with name "?(\w+)"? (?:does not exist|is not in the catalog)',
}
CATALOG = {
    "column": "select column_name from duckdb_columns() "
    "where list_contains(getvariable('offered'), table_name)",
    "view": "select unnest(getvariable('offered'))",
    "function": "select function_name from duckdb_functions()",
}


@dataclass(frozen=True, slots=True)
class View:
    """A table to query: Parquet `files` of one shape, or `sql` over the views before it.

    A `hidden` one serves other views: no message offers its name or its columns.
    """

    name: str
    files: tuple[Path, ...] = ()
    sql: str = ""
    hidden: bool = False

    def __post_init__(self) -> None:
        if bool(self.files) == bool(self.sql):
            raise ValueError(f"view {self.name} needs files or sql, one of the two")


def connect(
    views: Iterable[View],
    *,
    threads: int | None = None,
    memory_limit: str | None = None,
    sealed: bool = False,
) -> duckdb.DuckDBPyConnection:
    """Return an in-memory DuckDB with the macros and views, its configuration locked, in UTC.

    The SQL of the views is trusted. DuckDB reads their files by path, and no others; those it could
    also write, so what runs here is trusted or has passed `checked_select`. A `sealed` connection
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
        con.execute(f"set allowed_paths = {_literal(paths)}")
    con.execute("set enable_external_access = false")
    offered = _literal(view.name for view in views if not view.hidden)
    con.execute(f"set variable offered = {offered}")
    with one_sentence(con):
        for view in views:
            _add(con, view, sealed=sealed)
    con.execute("set lock_configuration = true")
    return con


def checked_select(sql: str) -> str:
    """Return the query when it is exactly one SELECT that reads views and changes nothing.

    Raises:
        QueryRefused: It is not; one sentence says what is wrong.
    """
    with _parser().cursor() as parser, one_sentence(parser):
        sql.encode()  # half a surrogate pair is no text, and DuckDB says so less well
        statements = parser.extract_statements(sql)
        error, nodes, functions = parser.execute(PARSED, [sql]).fetchall()[0]
    kinds = [statement.type.name for statement in statements]
    if kinds == ["MULTI"]:
        raise QueryRefused(
            "name the values of a PIVOT: `pivot v on kind in ('a', 'b') using sum(x)`"
        )
    if len(kinds) != 1:
        raise QueryRefused(
            f"a query is exactly one SELECT, this text holds {len(kinds)} statements"
        )
    if kinds != ["SELECT"]:
        raise QueryRefused(f"a query is one SELECT, this one is {kinds[0].replace('_', ' ')}")
    if error or len(functions) != nodes.count("TABLE_FUNCTION"):
        raise QueryRefused(f"the query cannot be checked: {error or 'an unknown table function'}")
    writing = {node for node in nodes if node.endswith("_NODE")} - READING_NODES
    if writing or "SELECT_NODE" not in nodes:
        what = ", ".join(sorted(node.removesuffix("_QUERY_NODE") for node in writing))
        raise QueryRefused(f"a query only reads, and this one holds {what}")
    if refused := sorted({name.lower() for name in functions} - TABLE_FUNCTIONS):
        allowed = ", ".join(sorted(TABLE_FUNCTIONS))
        raise QueryRefused(
            f"the table function `{shorten(refused[0], 60)}` is not allowed, only {allowed} are"
        )
    return sql


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:", config=SETTINGS)


def batches(con: duckdb.DuckDBPyConnection, sql: str, rows: int = 10_000) -> pa.RecordBatchReader:
    """Return the result of one checked SELECT as Arrow batches of about `rows` rows.

    Whole numbers of 128 bits, such as every sum of integers, come as int64 or are refused.
    Iterate inside `one_sentence(con)`: a query can still fail half way.

    Raises:
        QueryRefused: `checked_select` refuses it, or two of its columns have one name.
    """
    import pyarrow as pa

    relation = con.sql(checked_select(sql))
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


@contextmanager
def one_sentence(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Turn what DuckDB and Arrow raise into QueryRefused: a sentence, no trace, no path."""
    try:
        yield
    except (duckdb.Error, MemoryError, OSError, RuntimeError, ValueError) as error:
        raise QueryRefused(shorten(_sentence(str(error), con))) from None


def _sentence(message: str, con: duckdb.DuckDBPyConnection) -> str:
    # DuckDB adds overloads, a picture of the line, or a stack trace after the sentence itself.
    first = re.split(r"\n\n|\n\s*Candidate functions", message)[0]
    for pattern, sentence in SENTENCES.items():
        if re.search(pattern, first, re.IGNORECASE):
            return sentence
    for kind, pattern in MISSING.items():
        if found := re.search(pattern, first, re.IGNORECASE):
            return _missing(kind, next(filter(None, found.groups())), first, con)
    plain = re.sub(r"^[A-Z][\w ]* Error: ", "", " ".join(first.split()))
    pathless = re.sub(r"(?<![\w/.])/(?:[^\s/'\"]+/)+", "", plain)
    line = re.search(r"^LINE (\d+):", message, re.MULTILINE)
    return f"{pathless} (line {line[1]})" if line else pathless


def _missing(kind: str, name: str, message: str, con: duckdb.DuckDBPyConnection) -> str:
    if "/" in name or name.lower().endswith((".parquet", ".csv", ".json")):
        return NO_FILES
    bindings = re.search(r"^Candidate bindings: (.*)", message, re.MULTILINE)
    known = set(re.findall(r'"(.+?)"', bindings[1]) if bindings else [])
    known |= {row[0] for row in con.execute(CATALOG[kind]).fetchall()}
    known -= {name}  # which is there, but not where the query looks for it
    hint = did_you_mean(name, sorted(known))
    sentence = f"no {kind} is named `{name}`{hint}"
    if kind == "function" or not known:
        return sentence

    def likeness(choice: str) -> tuple[float, str]:
        return -difflib.SequenceMatcher(None, name.lower(), choice.lower()).ratio(), choice

    near = ", ".join(f"`{choice}`" for choice in sorted(known, key=likeness)[:6])
    return f"{sentence} Near it: {near}" if hint else f"{sentence}; near it: {near}"


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
        patterns = _literal(_paths(file)[0] for file in view.files)
        source = f"read_parquet({patterns}, union_by_name = true, hive_partitioning = false)"
        con.execute(f"create view {quoted(view.name)} as select * from {source}")


def _paths(file: Path) -> tuple[str, str]:
    """Give a path as the pattern that matches nothing else, and as it is: DuckDB asks for both."""
    path = str(file.resolve())
    return re.sub(r"([*?[])", r"[\1]", path), path


def _literal(texts: Iterable[str]) -> str:
    return "[" + ", ".join("'" + text.replace("'", "''") + "'" for text in texts) + "]"
