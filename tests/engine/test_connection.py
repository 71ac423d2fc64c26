"""A connection makes the views that a query can mean, and offers the names of all."""

from __future__ import annotations

import pytest

from benchdata.engine.connection import View, connect, fetch
from benchdata.errors import QueryRefused

VIEWS = (
    View("stored", sql="select 1 as x", hidden=True),
    View("rows", sql='select x from "stored"'),
    View("doubled", sql="select 2 * x as y from ROWS"),
    View("other", sql="select 'doubled' as word"),
)


@pytest.mark.parametrize(
    ("query", "made"),
    [
        ("select x from rows", ["rows", "stored"]),
        ('select y from "Doubled"', ["doubled", "rows", "stored"]),
        ("with a as (from other) from a", ["doubled", "other", "rows", "stored"]),
        ("select 1", []),
        (None, ["doubled", "other", "rows", "stored"]),
    ],
)
def test_views_that_a_query_cannot_mean_are_not_made(query: str | None, made: list[str]) -> None:
    with connect(VIEWS, query=query) as con:
        found = con.execute("select view_name from duckdb_views() where not internal order by all")
        assert [name for (name,) in found.fetchall()] == made
        if query:
            assert fetch(con, query).num_rows == 1


def test_a_name_that_is_wrong_is_told_beside_all_that_there_are() -> None:
    query = "from row"
    with connect(VIEWS, query=query) as con, pytest.raises(QueryRefused, match=r"rows.*doubled"):
        fetch(con, query)
