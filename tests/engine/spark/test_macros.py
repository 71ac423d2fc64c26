"""The macros of Spark say what those of DuckDB say: every rank, every total, every difference."""

from __future__ import annotations

import random
import re

import pyarrow as pa
import pytest

from benchdata.engine.connection import MACROS, View
from benchdata.engine.engines import named
from benchdata.engine.spark.connection import macros

RANKS = [(percent, 100) for percent in (0, 1, 7, 14, 25, 28, 50, 55, 56, 75, 95, 99, 100)]
RANKS += [(999, 1000), (1, 3), (2, 3)]
AGGREGATE = "nearest_rank"
ARRAYS = {"duckdb": "[{}]::double[]", "spark": "cast(array({}) as array<double>)"}
TIMES = (
    *("2024-05-01 10:00:00", "2024-05-01 10:00:01.234", "2024-03-31 02:30:00"),
    *("2024-05-01 10:00:00.0009", "2024-05-01 10:00:00.0011"),
    *("0900-01-01 00:00:00", "9999-12-31 23:59:59.999"),
)


def test_both_pages_have_the_same_names() -> None:
    ours = re.findall(r"^create macro (\w+)", MACROS.read_text("utf-8"), re.MULTILINE)
    theirs = [re.findall(r"^create temporary function (\w+)", each)[0] for each in macros()]
    assert theirs == [name for name in ours if name != AGGREGATE]


def answer(engine: str, lines: list[dict[str, str]], query: str) -> pa.Table:
    """Return what an engine says of a view of numbered lines, each the SQL of its columns."""
    asked = named(engine)
    numbered = [{"number": str(number), **line} for number, line in enumerate(lines)]
    every = asked.dialect.list_of(map(asked.dialect.struct_of, numbered))
    views = (View("lines", sql=f"select {asked.dialect.lines.format(every)}"),)
    return asked.answer(views, f"select number, {query} from lines order by number")


@pytest.mark.spark
@pytest.mark.slow
def test_every_rank_and_every_total() -> None:
    rng = random.Random(7)
    lists = [[rng.choice([*range(-9, size), None, 0.1]) for _ in range(size)] for size in range(40)]
    lists += [[None], [None, None], [0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [1e300, -1e300, 1.0]]
    texts = [", ".join("null" if v is None else f"{v!r}" for v in values) for values in lists]
    ranks = [f"list_rank(x, {n}, {d}) as rank_{n}_{d}" for n, d in RANKS]
    totals = [f"{name}(x) as {name}" for name in ("list_total", "list_mean", "known_total")]
    asked = ", ".join([*ranks, *totals])
    found = {}
    for engine, array in ARRAYS.items():
        values = [*(array.format(text) for text in texts), "null"]
        found[engine] = answer(engine, [{"x": value} for value in values], asked).to_pylist()
    assert found["duckdb"] == found["spark"]


@pytest.mark.spark
@pytest.mark.slow
def test_every_difference_of_times() -> None:
    times = [f"timestamp '{time}'" for time in TIMES]
    pairs = [{"a": a, "b": b} for a in times for b in times]
    ours, theirs = (answer(engine, pairs, "ms_between(a, b) as ms") for engine in ARRAYS)
    assert ours.to_pylist() == theirs.to_pylist()
