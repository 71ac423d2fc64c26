"""Synthetic skill-run rows: each declared case stands in them, and only the seed decides."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import benchdata

FOLDER = Path(__file__).parents[2] / "datasets" / "skill-run-demo"
Row = dict[str, Any]
CELL = ("benchmark_id", "arm", "task_id", "repeat")


def parsed(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def generate(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, FOLDER / "generate.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def demo() -> list[Row]:
    return parsed(FOLDER / "rows.ndjson")


def cell(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in CELL)


def test_every_planned_cell_is_there_but_the_one_that_is_missing(demo: list[Row]) -> None:
    sizes = Counter((row["category"], row["planned_tasks"], row["planned_repeats"]) for row in demo)
    assert sizes == {("invoice-extraction", 10, 3): 90, ("web-pages", 6, 2): 25}
    cells = Counter(map(cell, demo))
    planned = {
        (*pair, task, repeat)
        for category, _, repeats in sizes
        for pair in {(r["benchmark_id"], r["arm"]) for r in demo if r["category"] == category}
        for task in {r["task_id"] for r in demo if r["category"] == category}
        for repeat in range(1, repeats + 1)
    }
    missing = [one[1:] for one in planned - set(cells)]
    assert missing == [("local:house-style", "due-date", 3)]
    assert set(cells) <= planned


def test_a_lost_run_is_kept_and_has_one_logged_retry(demo: list[Row]) -> None:
    lost = {row["run_id"]: row for row in demo if row["outcome"] == "infrastructure"}
    retries = [row for row in demo if row["retry_of"]]
    assert [row["retry_of"] for row in retries] == list(lost)
    assert sorted(row["failure_reason"] for row in lost.values()) == [
        "rate_limited",
        "setup_failed",
    ]
    for row in retries:
        before = lost[row["retry_of"]]
        assert cell(row) == cell(before)
        assert row["started_at"] > before["ended_at"]
    doubled = [one for one, count in Counter(map(cell, demo)).items() if count > 1]
    assert sorted(doubled) == sorted(map(cell, retries))


def test_demo_shows_every_case_a_report_must_handle(demo: list[Row]) -> None:
    assert {row["outcome"] for row in demo} == {
        *("completed", "timeout", "agent_error", "grading_error", "infrastructure")
    }
    assert {row["grader"] for row in demo} == {"json-fields", "exact", "rubric"}
    assert {len(row["usage"]) for row in demo} == {0, 1, 2}
    unknown = [row for row in demo if any(None in one.values() for one in row["usage"])]
    assert [row["total_cost_usd"] for row in unknown] == [None]
    partly = [row for row in demo if row["score"] not in {None, 0, 1}]
    assert len(partly) > 20
    assert all(row["timing_ms"]["agent"] == 600_000 for row in demo if row["outcome"] == "timeout")
    assert {(row["endpoint"], row["agent"]) for row in demo} == {("stand_in", "scripted")}


def test_arms_are_interleaved_in_order_of_start(demo: list[Row]) -> None:
    starts = [row["started_at"] for row in demo]
    assert starts == sorted(starts)
    invoices = [row["arm"] for row in demo if row["category"] == "invoice-extraction"]
    assert all(len(set(invoices[at : at + 15])) == 3 for at in range(0, 75, 15))


def test_only_the_seed_decides_and_times_multiplies_the_plan(tmp_path: Path) -> None:
    for name, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        assert generate("--out", tmp_path / name, "--seed", seed, "--times", "2").returncode == 0
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other
    dataset = benchdata.open(tmp_path / "a", "skill-run")
    assert dataset.sql("select max(planned_repeats) as n from rows").item() == 6
    ids = {row["run_id"] for row in parsed(tmp_path / "a")}
    assert not ids & {row["run_id"] for row in parsed(tmp_path / "c")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--times", "0"], "--times must be"), (["--out", "missing/rows"], "cannot write missing")],
)
def test_bad_arguments_give_one_message(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = generate("--out", tmp_path / "rows.ndjson", *arguments)
    assert result.returncode != 0
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_the_total_of_a_list_is_that_of_its_rows(demo: list[Row]) -> None:
    tokens = {
        row["run_id"]: [value for one in row["usage"] for value in list(one.values())[1:]]
        for row in demo
    }
    expected = {
        run: sum(parts) if parts and None not in parts else None for run, parts in tokens.items()
    }
    found = benchdata.open(FOLDER / "rows.ndjson").sql(
        "select row_id, value from measurements where metric = 'tokens'"
    )
    assert dict(found.iter_rows()) == expected
