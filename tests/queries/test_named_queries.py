"""The named queries: each is a question, its answer what plain Python counts from the rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchdata import queries
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.dataset import Dataset
from tests.support.drawn import Row
from tests.support.probe import probe_row
from tests.support.queried import CASES, NAMES, TIMED, opened, probes
from tests.support.sqlite import nearest_rank

ENDS = ("success", "partial", "failed", "unscored")


@pytest.fixture(scope="module", params=list(CASES))
def case(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Dataset, list[Row]]:
    """A dataset, and its rows with their group, row id, result, reason and numbers by metric."""
    case = CASES[request.param]
    dataset = opened(tmp_path_factory.mktemp("rows"), case.rows(), case.contract)
    return dataset, list(told(dataset, case.rows()))


def value_at(row: Row, path: str) -> Any:
    value: Any = row
    for step in path.split("."):
        value = value.get(step)
    return value


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


def test_these_are_the_queries() -> None:
    assert queries.names() == NAMES


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
                assert row[f"p{percent}"] == nearest_rank(values, percent, 100)
            assert row["p999"] == nearest_rank(values, 999, 1000)
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
            assert (row["p50"], row["p95"]) == (
                nearest_rank(values, 50, 100),
                nearest_rank(values, 95, 100),
            )
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
    found = dataset.sql(queries.text("alike")).select("n", "first_row", "last_row")
    assert sorted(found.rows()) == [(2, "one:1012", "one:11"), (3, "one:10", "one:1011")]


def test_rows_alike_in_all_but_a_null_are_not_alike(tmp_path: Path) -> None:
    row = probe_row(1)
    rows = [row, row | {"seq": 2, "why": "late"}, row | {"seq": 3}]
    found = opened(tmp_path, rows, TIMED).sql(queries.text("alike"))
    assert found.select("n", "first_row", "last_row").rows() == [(2, "one:1", "one:3")]
