"""The named queries: each is a question, and its answer is what plain Python counts from the rows.

They are also run by SQLite, which shares no code with DuckDB and knows only the portable subset.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import benchdata
from benchdata import queries
from benchdata.contracts import Contract
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.contracts.meaning import Throughput
from benchdata.dataset import Dataset
from benchdata.engine.connection import connect, fetch
from benchdata.errors import QueryRefused
from tests.support.drawn import Row, demo_rows, write
from tests.support.probe import PROBE, probe_row

NAMES = (
    *("alike", "evidence", "groups", "outcomes", "percentiles", "stop_reasons", "throughput"),
    "timeline",
)
TIMED = replace(PROBE, throughput=Throughput("rate", "seq", "wall_ms"))
ENDS = ("success", "partial", "failed", "unscored")


def probes() -> list[Row]:
    """Return 90 rows in 3 groups: fractions that do not add up alike in every order, nulls."""
    rng = random.Random(11)
    return [
        probe_row(
            seq,
            subject=rng.choice(["a", "b", "B"]),
            wall_ms=rng.choice([None, rng.random() * 100, float(seq)]),
            score=rng.random(),
            passed=rng.random() < 0.7,
            skipped=rng.random() < 0.2,
            why=rng.choice([None, "late", "lost"]),
        )
        for seq in range(90)
    ]


CASES: dict[str, tuple[Contract, Callable[[], list[Row]]]] = {
    "demo": (JEV_SOCIAL, demo_rows),
    "probe": (TIMED, probes),
}


@pytest.fixture(scope="module", params=list(CASES))
def case(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Dataset, list[Row]]:
    """A dataset, and its rows with their group, row id, result, reason and numbers by metric."""
    contract, make = CASES[request.param]
    dataset = opened(tmp_path_factory.mktemp("rows"), make(), contract)
    return dataset, list(told(dataset, make()))


def opened(folder: Path, rows: Sequence[Row], contract: Contract, parts: int = 1) -> Dataset:
    files = [write(folder / f"{part}.ndjson", rows[part::parts]) for part in range(parts)]
    return benchdata.open(files, contract)


def text(name: str, contract: Contract) -> str:
    if name != "alike":
        return queries.text(name)
    identity = {path.replace(".", "_") for path in contract.identity}
    others = [column.name for column in contract.columns if column.name not in identity]
    return queries.text(name, others=others)


def value_at(row: Row, path: str) -> Any:
    for step in path.split("."):
        row = row.get(step) if row is not None else None  # type: ignore[assignment]
    return row


def told(dataset: Dataset, rows: list[Row]) -> Iterator[Row]:
    """Yield what plain Python tells of each row."""
    contract = dataset.contract
    columns = [path.replace(".", "_") for path in contract.group]
    ids = {
        tuple(group[name] for name in columns): (group["group_order"], group["group_id"])
        for group in dataset.sql("select * from group_list").iter_rows(named=True)
    }
    for row in rows:
        if contract is JEV_SOCIAL:
            result = row["outcome"]
        else:
            result = "unscored" if row["skipped"] else "success" if row["passed"] else "failed"
        start = row["started_at"]
        yield {
            "group": ids[tuple(value_at(row, path) for path in contract.group)],
            "id": ":".join(str(row[path]) for path in contract.identity),
            "result": result,
            "reason": row["stop_reason"] if contract is JEV_SOCIAL else row["why"],
            "start": datetime.fromisoformat(start) if start else None,
            "values": {one.name: value_at(row, one.path) for one in contract.metrics},
            "row": row,
        }


def by_group(rows: list[Row]) -> list[tuple[str, list[Row]]]:
    found: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for row in rows:
        found[row["group"]].append(row)
    return [(group[1], found[group]) for group in sorted(found)]


def rank(values: list[Any], numerator: int, denominator: int) -> Any:
    """Return the nearest rank by its definition: the first value that enough are not above."""
    for value in sorted(values):
        if sum(other <= value for other in values) * denominator >= numerator * len(values):
            return value
    return None


def test_these_are_the_queries() -> None:
    assert queries.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_first_line_is_a_question(name: str) -> None:
    first = (queries.FOLDER / f"{name}.sql").read_text("utf-8").partition("\n")[0]
    assert re.fullmatch(r"-- [A-Z].*\?", first)
    assert queries.question(name) == first.removeprefix("-- ")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_used_that_only_one_engine_has(name: str) -> None:
    sql = (queries.FOLDER / f"{name}.sql").read_text("utf-8").partition("\n")[2].lower()
    odd = (
        r"\b(exclude|qualify|pivot|unnest|asof|try_cast|filter|struct_\w+|list_(?!total)\w+)\b"
        r"|group by all|order by all|::|//|[\[\]{}]|:=|\b(from|select)\s+\*\s+replace\b"
    )
    assert re.search(odd, sql) is None
    assert "hash(" not in sql or name == "alike"
    assert re.search(r"order by [^)]*\Z", sql)


def test_an_unknown_query_is_refused_with_the_nearest() -> None:
    with pytest.raises(QueryRefused, match="did you mean `outcomes`"):
        queries.text("outcome")


@pytest.mark.parametrize("data", CASES)
def test_answers_depend_on_neither_threads_nor_the_order_of_rows(tmp_path: Path, data: str) -> None:
    contract, make = CASES[data]
    rows = make()
    rows += [dict(row) | {contract.identity[-1]: other(row)} for row in rows[:5]]
    asked = {name: text(name, contract) for name in NAMES}
    first = opened(tmp_path / "one", rows, contract)
    answers = {name: first.sql(query) for name, query in asked.items()}
    empty = [name for name, answer in answers.items() if answer.is_empty()]
    assert empty == ([] if contract.throughput else ["throughput"])
    random.Random(3).shuffle(rows)
    shuffled = opened(tmp_path / "two", rows, contract, parts=8)
    for threads in (1, 2, 4):
        with connect(shuffled.views, threads=threads) as connection:
            for name, query in asked.items():
                assert answers[name].equals(pl.DataFrame(fetch(connection, query))), name


def other(row: Row) -> Any:
    """Return another identity for a row."""
    return row["seq"] + 1000 if "seq" in row else "f" * 7 + row["run_id"][7:]


def test_groups(case: tuple[Dataset, list[Row]]) -> None:
    dataset, rows = case
    found = dataset.sql(queries.text("groups"))
    groups = by_group(rows)
    assert found["group_id"].to_list() == [name for name, _ in groups]
    for row, (_, members) in zip(found.iter_rows(named=True), groups, strict=True):
        results = Counter(member["result"] for member in members)
        assert row["runs"] == len(members)
        assert [row[end] for end in ENDS] == [results[end] for end in ENDS]
        assert row["first_start"] == min(member["start"] for member in members)
        ends = [member["row"].get("ended_at") for member in members]
        assert row["last_end"] == (datetime.fromisoformat(max(ends)) if all(ends) else None)
        synthetic = str(members[0]["row"].get("region")).startswith("synthetic-")
        assert row["synthetic"] is synthetic


def test_outcomes(case: tuple[Dataset, list[Row]]) -> None:
    dataset, rows = case
    found = dataset.sql(queries.text("outcomes")).select("group_id", "outcome", "n").rows()
    assert found == [
        (name, end, count)
        for name, members in by_group(rows)
        for end in ENDS
        if (count := sum(member["result"] == end for member in members))
    ]


def test_stop_reasons(case: tuple[Dataset, list[Row]]) -> None:
    dataset, rows = case
    found = dataset.sql(queries.text("stop_reasons"))
    expected = []
    for name, members in by_group(rows):
        ended = [member for member in members if member["result"] in {"partial", "failed"}]
        reasons = Counter((one["reason"] or "not given", one["result"]) for one in ended)
        expected += [(name, end, why, n) for (why, end), n in sorted(reasons.items())]
    assert found.select("group_id", "outcome", "stop_reason", "n").rows() == expected


def test_percentiles(case: tuple[Dataset, list[Row]]) -> None:
    dataset, rows = case
    found = iter(dataset.sql(queries.text("percentiles")).iter_rows(named=True))
    for name, members in by_group(rows):
        for metric in dataset.contract.metrics:
            row = next(found)
            scored = [one["values"] for one in members if one["result"] != "unscored"]
            values = [one[metric.name] for one in scored if one[metric.name] is not None]
            assert (row["group_id"], row["metric"], row["unit"]) == (name, metric.name, metric.unit)
            assert row["n"] == len(values)
            for percent in (25, 50, 75, 95, 99):
                assert row[f"p{percent}"] == rank(values, percent, 100)
            assert row["p999"] == rank(values, 999, 1000)
            assert (row["minimum"], row["maximum"]) == (min(values), max(values))
    assert next(found, None) is None


def test_evidence(case: tuple[Dataset, list[Row]]) -> None:
    dataset, rows = case
    found = iter(dataset.sql(queries.text("evidence")).iter_rows(named=True))
    for name, members in by_group(rows):
        for metric in (one for one in dataset.contract.metrics if one.better == "higher"):
            row = next(found)
            scored = [one["values"] for one in members if one["result"] != "unscored"]
            values = [one[metric.name] for one in scored if one[metric.name] is not None]
            assert (row["group_id"], row["metric"], row["n"]) == (name, metric.name, len(values))
            assert row["above_zero"] == sum(value > 0 for value in values)
            assert (row["p50"], row["p95"]) == (rank(values, 50, 100), rank(values, 95, 100))
            assert row["total"] == pytest.approx(sum(values), rel=1e-12)
    assert next(found, None) is None


def test_timeline(case: tuple[Dataset, list[Row]]) -> None:
    dataset, rows = case
    found = dataset.sql(queries.text("timeline"))
    primary = dataset.contract.primary
    timed = sorted((row for row in rows if row["start"]), key=lambda row: (row["start"], row["id"]))
    assert found.select("row_start", "row_id", "group_id", "outcome", "metric", "value").rows() == [
        (r["start"], r["id"], r["group"][1], r["result"], primary, r["values"][primary])
        for r in timed
    ]


def test_throughput(tmp_path: Path) -> None:
    rows = probes()
    dataset = opened(tmp_path, rows, TIMED)
    found = dataset.sql(queries.text("throughput"))
    for row, (name, members) in zip(
        found.iter_rows(named=True), by_group(list(told(dataset, rows))), strict=True
    ):
        scored = [one for one in members if one["result"] != "unscored"]
        ends = [one["row"]["wall_ms"] for one in scored if one["row"]["wall_ms"] is not None]
        span = max(ends) - min(one["row"]["seq"] for one in scored)
        completed = sum(one["result"] == "success" for one in scored)
        assert (row["group_id"], row["scored"], row["completed"]) == (name, len(scored), completed)
        assert row["span_ms"] == span
        assert row["per_second"] == pytest.approx(1000 * completed / span, rel=1e-12)


@pytest.mark.parametrize("wall_ms", [7.0, None])
def test_a_span_of_nothing_has_no_throughput(tmp_path: Path, wall_ms: float | None) -> None:
    dataset = opened(tmp_path, [probe_row(7, wall_ms=wall_ms)], TIMED)
    assert dataset.sql(queries.text("throughput"))["per_second"].to_list() == [None]


def test_alike(tmp_path: Path) -> None:
    rows = probes()
    twins = [rows[10] | {"seq": 1010}, rows[10] | {"seq": 1011}, rows[11] | {"seq": 1012}]
    dataset = opened(tmp_path, rows + twins, TIMED)
    found = dataset.sql(text("alike", TIMED)).select("n", "first_row", "last_row")
    assert sorted(found.rows()) == [(2, "one:1012", "one:11"), (3, "one:10", "one:1011")]


def test_rows_alike_in_all_but_a_null_are_not_alike(tmp_path: Path) -> None:
    row = probe_row(1)
    rows = [row, row | {"seq": 2, "why": "late"}, row | {"seq": 3}]
    found = opened(tmp_path, rows, TIMED).sql(text("alike", TIMED))
    assert found.select("n", "first_row", "last_row").rows() == [(2, "one:1", "one:3")]


class Rank:
    """`nearest_rank` for SQLite."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.share = (0, 1)

    def step(self, value: float | None, numerator: int, denominator: int) -> None:
        self.share = (numerator, denominator)
        if value is not None:
            self.values.append(value)

    def finalize(self) -> float | None:
        return rank(self.values, *self.share)  # type: ignore[no-any-return]


class Collected:
    """`array_agg` for SQLite, an array being JSON text."""

    def __init__(self) -> None:
        self.values: list[float | None] = []

    def step(self, value: float | None) -> None:
        self.values.append(value)

    def finalize(self) -> str:
        return json.dumps(self.values)


def sqlite(dataset: Dataset) -> sqlite3.Connection:
    """Return SQLite with the views that the named queries read, as tables."""
    engine = sqlite3.connect(":memory:")
    engine.create_aggregate("nearest_rank", 3, Rank)
    engine.create_aggregate("array_agg", 1, Collected)
    engine.create_function("array_sort", 1, lambda text: text)
    engine.create_function(
        "list_total", 1, lambda text: sum(x for x in json.loads(text) if x is not None)
    )
    engine.create_function("hash", -1, lambda *values: hash(values))
    for view in ("grouped", "measurements", "group_list"):
        frame = simple(dataset.sql(f"select * from {view}"))
        columns = ", ".join(f'"{name}"' for name in frame.columns)
        engine.execute(f"create table {view} ({columns})")
        marks = ", ".join("?" * frame.width)
        engine.executemany(f"insert into {view} values ({marks})", frame.rows())
    return engine


def simple(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame of the types that SQLite has: text, numbers and null."""
    texts = [name for name, kind in frame.schema.items() if kind.is_nested()]
    times = [name for name, kind in frame.schema.items() if kind.is_temporal()]
    flags = [name for name, kind in frame.schema.items() if kind == pl.Boolean]
    return frame.with_columns(
        pl.col(times).dt.strftime("%Y-%m-%dT%H:%M:%S%.3f"),
        pl.col(flags).cast(pl.Int64),
        *(pl.Series(name, list(map(str, frame[name])), dtype=pl.String) for name in texts),
    )


@pytest.mark.parametrize("name", NAMES)
def test_another_engine_gives_the_same_answer(case: tuple[Dataset, list[Row]], name: str) -> None:
    dataset, _ = case
    query = text(name, dataset.contract)
    answer = simple(dataset.sql(query))
    found = sqlite(dataset).execute(query)
    assert [column[0] for column in found.description] == answer.columns
    for ours, theirs in zip(answer.rows(), found.fetchall(), strict=True):
        for one, other_one in zip(ours, theirs, strict=True):
            about = pytest.approx(one, rel=1e-12) if isinstance(one, float) else one
            assert other_one == about
