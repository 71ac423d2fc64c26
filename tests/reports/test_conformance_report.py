"""The report of references: green or not in the first line, every time in a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import ContractError
from benchdata.reports import open_conformance
from tests.support import subjects
from tests.support.drawn import write
from tests.support.sized import DATASETS

MEASURED = DATASETS / "build-conformance" / "rows.ndjson"
Row = dict[str, Any]


@pytest.fixture(scope="module")
def measured() -> list[Row]:
    """Return two attempts of each lane at one task."""
    rows = [json.loads(line) for line in MEASURED.read_text("utf-8").splitlines()]
    return [row for row in rows if row["task_id"] == "t1-storefront-api" and row["repeat"] < 3]


def test_all_green_is_one_line_and_every_time_is_in_a_table(
    tmp_path: Path, measured: list[Row]
) -> None:
    report = open_conformance([str(write(tmp_path / "rows.ndjson", measured))])
    assert report.first_lines() == (
        "Every probe of every reference passed (8 attempts, lanes: 4, tasks: 1).",
    )
    shown = subjects.parts(report, "conformance")
    assert subjects.charts(shown) == ["heatmap", "strip"]
    *_, boots = report.boots()
    node = [row for row in measured if row["lane"] == "node"]
    first = sorted(row["boot_ms"][0] for row in node)
    assert ("t1-storefront-api", "node", "fresh store", "2", *map(str, (first[0], *first))) in [
        (*row[:4], row[4], row[5], row[6]) for row in boots.rows
    ]
    (probes,) = report.probe_times()
    names = [probe["id"] for probe in node[0]["probes"]]
    assert [row[0] for row in probes.rows] == names
    taken = [row["probes"][0]["duration_ms"] for row in node]
    column = probes.headers.index("node")
    assert probes.rows[0][column] == f"{min(taken)} / {max(taken)}"


def test_a_red_probe_and_a_lane_that_does_not_boot_come_first(
    tmp_path: Path, measured: list[Row]
) -> None:
    changed = json.loads(json.dumps(measured))
    red = next(row for row in changed if row["lane"] == "node")
    red["probes"][3]["verdict"] = "fail"
    red["test_pass_rate"] = 20 / 21
    red["stop_cause"] = "completed"
    still = next(row for row in changed if row["lane"] == "deno")
    still["boot_ms"] = []
    report = open_conformance([str(write(tmp_path / "rows.ndjson", changed))])
    table = report.attempts()
    lanes = {row[1]: row[table.headers.index("All green")] for row in table.rows}
    assert lanes == {"deno": "2", "fastapi": "2", "nestjs": "2", "node": "1"}
    boots, probes = report.first_lines()
    assert boots == "Did not boot: 1 of 8 attempts, lanes: 4, tasks: 1."
    assert "update-product of t1-storefront-api in node ×1" in probes


def test_rows_of_agents_alone_are_refused(tmp_path: Path) -> None:
    demo = (DATASETS / "build-run-demo" / "rows.ndjson").read_text("utf-8").splitlines()
    agents = [row for row in map(json.loads, demo) if row["kind"] != "conformance"][:3]
    with pytest.raises(ContractError, match="no row is of the kind conformance"):
        open_conformance([str(write(tmp_path / "rows.ndjson", agents))])


def test_rows_of_another_contract_are_refused() -> None:
    with pytest.raises(ContractError, match="conformance is in build-run rows, not jev-social"):
        open_conformance([str(DATASETS / "jev-social-demo")])


@pytest.mark.slow
def test_the_measured_report_is_made_by_one_command(demo_of: Callable[[str], Path]) -> None:
    page = (demo_of("conformance") / "report.html").read_text("utf-8")
    assert "Every probe of every reference passed (110 attempts, lanes: 4, tasks: 4)." in page
    assert "SYNTHETIC" not in page
