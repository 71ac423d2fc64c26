"""The macros give the exact answer for every n, and every query file begins with its question."""

from __future__ import annotations

import random
from fractions import Fraction

import duckdb
import pytest

from benchdata.engine.connection import connect, fetch

RANKS = [(percent, 100) for percent in (1, 5, 7, 14, 25, 28, 50, 55, 56, 75, 90, 95, 99, 100)] + [
    (999, 1000),
    (1, 3),
    (2, 3),
]
SIZES = range(1, 201)


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    return connect([])


@pytest.fixture(scope="module")
def samples(con: duckdb.DuckDBPyConnection) -> dict[int, list[int]]:
    """Groups of every size, shuffled, each with nulls between its values and with ties."""
    shuffler = random.Random(7)
    groups = {size: [shuffler.randint(-size, size * 3) for _ in range(size)] for size in SIZES}
    con.execute("create table samples (n integer, x bigint)")
    for size, values in groups.items():
        rows = [entry for value in values for entry in (value, None)]
        con.execute("insert into samples select ?, unnest(?::bigint[])", [size, rows])
    return groups


@pytest.mark.parametrize(("numerator", "denominator"), RANKS)
def test_nearest_rank_is_exact_for_every_size(
    con: duckdb.DuckDBPyConnection,
    samples: dict[int, list[int]],
    numerator: int,
    denominator: int,
) -> None:
    found = con.execute(
        f"select n, nearest_rank(x, {numerator}, {denominator}) from samples group by n"
    ).fetchall()
    expected = {
        size: sorted(values)[-(-size * numerator // denominator) - 1]
        for size, values in samples.items()
    }
    assert dict(found) == expected


@pytest.mark.parametrize(("numerator", "denominator"), RANKS)
def test_nearest_rank_keeps_its_definition(
    con: duckdb.DuckDBPyConnection,
    samples: dict[int, list[int]],
    numerator: int,
    denominator: int,
) -> None:
    """The smallest value that at least this share of the values does not exceed."""
    share = Fraction(numerator, denominator)
    sql = "select nearest_rank(x, $1::integer, $2::integer) from samples where n = $3"
    for size in (1, 2, 3, 10, 20, 50):
        values = samples[size]
        (found,) = con.execute(sql, [numerator, denominator, size]).fetchall()[0]
        assert found == min(
            value
            for value in values
            if Fraction(sum(other <= value for other in values), size) >= share
        )


@pytest.mark.parametrize("percent", [7, 14, 28, 55, 56])
def test_a_product_that_floats_round_up_names_no_later_rank(
    con: duckdb.DuckDBPyConnection, percent: int
) -> None:
    sql = f"select nearest_rank(x, {percent}, 100) from range(1, 101) t(x)"
    assert con.execute(sql).fetchall() == [(percent,)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("(null::bigint), (null)", None),
        ("(null), (3), (null)", 3),
        ("(1), (2), (3), (4)", 2),
        ("(0.5::double), (0.25), (null)", 0.25),
        ("('b'), ('a'), ('c')", "b"),
        ("(9223372036854775807), (-9223372036854775808)", -(2**63)),
    ],
)
def test_the_median_of_nulls_few_values_text_and_extremes(
    con: duckdb.DuckDBPyConnection, values: str, expected: object
) -> None:
    sql = f"select nearest_rank(x, 50, 100) from (values {values}) t(x)"
    assert con.execute(sql).fetchall() == [(expected,)]


def test_no_rows_have_no_rank_and_a_share_of_nothing_is_the_smallest(
    con: duckdb.DuckDBPyConnection,
) -> None:
    assert con.execute("select nearest_rank(x, 50, 100) from range(0) t(x)").fetchall() == [(None,)]
    assert con.execute("select nearest_rank(x, 0, 100) from range(5, 9) t(x)").fetchall() == [(5,)]


def test_a_case_filters_what_is_ranked(con: duckdb.DuckDBPyConnection) -> None:
    sql = "select nearest_rank(case when x > 90 then x end, 50, 100) from range(1, 101) t(x)"
    assert con.execute(sql).fetchall() == [(95,)]


@pytest.mark.parametrize(
    ("items", "total"),
    [
        ("[]::bigint[]", 0),
        ("null::bigint[]", None),
        ("[1, 2, 39]", 42),
        ("[-5]", -5),
        ("[null]::bigint[]", None),
        ("[1, null, 2]", 3),
        ("[9223372036854775807, 9223372036854775807]", 2**64 - 2),
        ("[0.5, 0.25]::double[]", 0.75),
        ("[]::double[]", 0),
    ],
)
def test_the_total_of_a_list(con: duckdb.DuckDBPyConnection, items: str, total: object) -> None:
    assert con.execute(f"select list_total({items})").fetchall() == [(total,)]


@pytest.mark.parametrize(
    ("items", "total"),
    [
        ("[]::bigint[]", None),
        ("null::bigint[]", None),
        ("[1, 2, 39]", 42),
        ("[null]::bigint[]", None),
        ("[1, null, 2]", None),
        ("[9223372036854775807, 9223372036854775807]", 2**64 - 2),
    ],
)
def test_a_total_of_which_a_part_is_unknown_is_unknown(
    con: duckdb.DuckDBPyConnection, items: str, total: object
) -> None:
    assert con.execute(f"select known_total({items})").fetchall() == [(total,)]


@pytest.mark.parametrize("kind", ["timestamp", "timestamptz"])
@pytest.mark.parametrize(
    ("start", "end", "ms"),
    [
        ("2024-05-01 10:00:00", "2024-05-01 10:00:01.234", 1234),
        ("2024-05-01 10:00:00", "2024-05-01 10:00:00", 0),
        ("2024-05-01 10:00:01", "2024-05-01 10:00:00", -1000),
        ("2023-12-31 23:59:59.999", "2024-01-01 00:00:00", 1),
        ("2024-03-31 00:30:00", "2024-03-31 04:30:00", 14_400_000),
        ("2024-05-01 10:00:00.0009", "2024-05-01 10:00:00.0011", 0),
        ("2024-05-01 10:00:00.0019", "2024-05-01 10:00:00", -1),
        ("1970-01-01 00:00:00", "9999-12-31 23:59:59.999", 253_402_300_799_999),
    ],
)
def test_milliseconds_between_two_times(
    con: duckdb.DuckDBPyConnection, kind: str, start: str, end: str, ms: int
) -> None:
    sql = f"select ms_between({kind} '{start}', {kind} '{end}')"
    assert con.execute(sql).fetchall() == [(ms,)]


def test_milliseconds_from_or_to_no_time_are_null(con: duckdb.DuckDBPyConnection) -> None:
    table = fetch(con, "select ms_between(null::timestamp, timestamp '2024-05-01') as ms")
    assert table.to_pydict() == {"ms": [None]}
