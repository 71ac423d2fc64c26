"""Which SQL may run: exactly one SELECT that reads views and changes nothing."""

from __future__ import annotations

from functools import cache

import duckdb

from benchdata.engine.wording import one_sentence
from benchdata.errors import QueryRefused, shorten

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


def checked_select(sql: str, con: duckdb.DuckDBPyConnection | None = None) -> str:
    """Return the query when it is exactly one SELECT that reads views and changes nothing.

    It is parsed by `con`, or by a DuckDB of its own where there is no other.

    Raises:
        QueryRefused: It is not; one sentence says what is wrong.
    """
    with (con or _parser()).cursor() as parser, one_sentence(parser):
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
