"""The worked example on the published rows: their authors' table, cell by cell."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

import benchdata
from benchdata import contracts, queries
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.errors import RowsInvalid
from benchdata.reports import formats
from benchdata.reports.summary import summarize_each

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="module")
def dispatch(root: Path) -> Contract:
    return contracts.get(f"{root}/docs/examples/dispatch.py:DISPATCH")


@pytest.fixture(scope="module")
def source(shared_data: Path) -> Path:
    return shared_data / "netscript-dispatch"


@pytest.fixture(scope="module")
def published_rows(source: Path, dispatch: Contract) -> Dataset:
    return benchdata.open(source / "raw", dispatch)


def one_decimal(value: float) -> str:
    """Round as the authors' `toFixed(1)` does: the exact binary value, halves away from zero."""
    return str(Decimal(value).quantize(Decimal("0.1"), ROUND_HALF_UP))


def table(dataset: Dataset) -> dict[str, Mapping[str, str]]:
    """Return the published table by series, made with the named queries alone."""
    groups = {row["group_id"]: row for row in dataset.sql(queries.text("groups")).to_dicts()}
    speed = {row["group_id"]: row for row in dataset.sql(queries.text("throughput")).to_dicts()}
    metrics = {
        (row["group_id"], row["metric"]): row
        for row in dataset.sql(queries.text("percentiles")).to_dicts()
    }
    ends = {
        (row["group_id"], row["outcome"]): row["n"]
        for row in dataset.sql(queries.text("outcomes")).to_dicts()
    }
    found: dict[str, Mapping[str, str]] = {}
    for id_, group in groups.items():
        end_to_end = metrics[id_, "end_to_end"]
        series = {name: str(group[name]) for name in ("mode", "subject", "workload", "concurrency")}
        found["".join(series.values())] = {
            **series,
            "n": str(ends[id_, "success"]),
            "failures": str(ends.get((id_, "failed"), 0)),
            **{f"e2e_{p}_ms": one_decimal(end_to_end[p]) for p in ("p50", "p95", "p99", "p999")},
            "executor_wall_p50_ms": one_decimal(metrics[id_, "executor_wall"]["p50"]),
            "adapter_duration_p50_ms": one_decimal(metrics[id_, "adapter_duration"]["p50"]),
            "tasks_per_s": one_decimal(speed[id_]["per_second"]),
        }
    return found


def test_every_published_cell_is_reproduced(source: Path, published_rows: Dataset) -> None:
    with (source / "published.csv").open(newline="") as file:
        expected = {
            row["mode"] + row["subject"] + row["workload"] + row["concurrency"]: row
            for row in csv.DictReader(file)
        }
    assert len(expected) == 32
    assert table(published_rows) == expected


def test_no_line_of_the_published_files_is_lost(source: Path, published_rows: Dataset) -> None:
    files = sorted((source / "raw").iterdir())
    lines = sum(len(file.read_bytes().splitlines()) for file in files)
    dropped: Counter[str] = Counter()
    for one in published_rows.provenance:
        dropped.update(one.dropped)
    assert dropped.pop("field kvPath") == len(files) == 32
    assert published_rows.rows + dropped.total() + len(files) == lines


def test_the_published_paths_are_nowhere(published_rows: Dataset) -> None:
    summary = summarize_each(published_rows)[0]
    printed = [form(summary) for form in formats.FORMATS.values()]
    told = "\n".join([published_rows.frame().write_ndjson(), *printed])
    assert not re.search("kv.?path|sqlite|bench-kv", told, re.IGNORECASE)


def test_a_broken_published_row_is_named(source: Path, tmp_path: Path, dispatch: Contract) -> None:
    whole = source / "raw" / "D-rust_short_queue_c64.jsonl"
    lines = whole.read_text("utf-8").splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines, 1) if '"seq":7,' in line)
    lines[number - 1] = lines[number - 1].replace('"status":"completed"', '"status":null')
    broken = tmp_path / whole.name
    broken.write_text("".join(lines), "utf-8")
    with pytest.raises(RowsInvalid) as raised:
        benchdata.open(broken, dispatch)
    (fault,) = raised.value.errors
    assert str(fault) == f"{broken}:{number}: status: must be a valid string"
