"""The samples report of the published rows, made with the example contract: the authors' table."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from benchdata.reports import cells
from benchdata.reports.tables import Table
from tests.support.command import run
from tests.support.rendered import files

pytestmark = pytest.mark.shared_data

RANKS = {"p50": "e2e_p50_ms", "p95": "e2e_p95_ms", "p99": "e2e_p99_ms", "p99.9": "e2e_p999_ms"}
MEDIANS = {
    "Executor wall ms": "executor_wall_p50_ms",
    "Adapter duration ms": "adapter_duration_p50_ms",
}


@pytest.fixture(scope="module")
def source(shared_data: Path) -> Path:
    return shared_data / "netscript-dispatch"


@pytest.fixture(scope="module")
def report(source: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the report."""
    contract = f"{root}/docs/examples/dispatch.py:DISPATCH"
    out = tmp_path_factory.mktemp("out")
    done = run("report", "samples", source / "raw", "--contract", contract, "--out", out)
    assert done.code == 0, done
    return Path(done.out.removesuffix("\n"))


@pytest.fixture(scope="module")
def tables(report: Path) -> dict[str, Table]:
    """The tables of the executed notebook by caption."""
    notebook = nbformat.read(report / "report.ipynb", as_version=4)
    found = (block for block in cells.blocks(notebook) if isinstance(block, Table))
    return {table.caption.partition(" (")[0]: table for table in found}


def records(table: Table) -> Iterator[dict[str, str]]:
    """Yield the rows of a table by heading: numbers without their commas and marks."""
    for row in table.rows:
        yield {
            head: re.sub(r"[,†](?!\s)", "", cell)
            for head, cell in zip(table.headers, row, strict=True)
        }


def published(tables: dict[str, Table]) -> dict[str, dict[str, str]]:
    """Return the published table by group, read off the report alone."""
    found: dict[str, dict[str, str]] = {}
    names = {"Mode": "mode", "Subject": "subject", "Workload": "workload"}
    names["Concurrency"] = "concurrency"
    for row in records(tables["Results"]):
        found[row["Group"]] = {name: row[head] for head, name in names.items()}
    for row in records(tables["Nearest-rank percentiles"]):
        group = found[row["Group"].split()[0]]
        if row["Metric"] in MEDIANS:
            group[MEDIANS[row["Metric"]]] = row["p50"]
            continue
        assert row["Metric"] == "End to end ms"
        group |= {name: row[head] for head, name in RANKS.items()}
        group |= {"n": row["n"], "failures": row["Failed"]}
    for row in records(tables["Throughput"]):
        group = found[row["Group"].split()[0]]
        assert row["Completed"] == group["n"]
        group["tasks_per_s"] = row["Completed a second"]
    return found


@pytest.mark.slow
def test_the_report_shows_every_published_cell(source: Path, tables: dict[str, Table]) -> None:
    with (source / "published.csv").open(newline="") as file:
        expected = list(csv.DictReader(file))
    found = list(published(tables).values())
    assert len(found) == len(expected) == 32
    order = ("mode", "subject", "workload", "concurrency")
    key = [tuple(row[name] for name in order) for row in expected]
    by_series = {tuple(row[name] for name in order): row for row in found}
    assert [by_series[series] for series in key] == expected


@pytest.mark.slow
def test_the_page_shows_the_same_tables(report: Path, tables: dict[str, Table]) -> None:
    page = files(report)["report.html"].decode().replace("<wbr>", "")
    for caption in ("Results", "Nearest-rank percentiles", "Throughput"):
        for row in tables[caption].rows:
            cells_of_row = "".join(f"<td[^>]*>{re.escape(cell)}</td>" for cell in row)
            assert re.search(cells_of_row, page), row


def test_the_report_names_no_path_of_the_machine_that_measured(report: Path) -> None:
    for name, data in files(report).items():
        assert not re.search(rb"sqlite|bench-kv", data), name
