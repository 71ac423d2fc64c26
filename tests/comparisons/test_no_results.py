"""Reference runs beside results: no comparison and no history judges them, and both say so."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchdata
from benchdata.comparisons import claims, tables
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError
from benchdata.histories.series import history
from benchdata.reports import comparison, comparison_formats
from tests.support import build_run
from tests.support.drawn import Row, write
from tests.support.planned import lanes

CLAIM = claims.of_contract(BUILD_RUN)
FIVE = {"t1": [5.0] * 5}
LEFT = "2 rows of kind conformance"


def references(*lines: Row) -> list[Row]:
    return [
        build_run.valid_row(
            build_run.CONFORMANCE, run_id=f"{number:08x}-0000-4000-8000-00000000c0de", **line
        )
        for number, line in enumerate(lines)
    ]


def opened(folder: Path, rows: list[Row], name: str = "rows") -> Dataset:
    return benchdata.open(write(folder / f"{name}.ndjson", rows))


def test_a_comparison_leaves_reference_runs_out_and_says_so(tmp_path: Path) -> None:
    rows = lanes({"aster": FIVE, "birch": FIVE}) + references({"lane": "aster"}, {"lane": "birch"})
    table = tables.by_field(opened(tmp_path, rows), CLAIM, "lane")
    assert [finding.treatment.label for finding in table.findings] == ["birch"]
    assert table.no_results == (LEFT,)
    shown = comparison_formats.as_markdown([comparison.report("build-run", table)])
    assert f"- {LEFT}: no result, in no comparison" in shown


def test_synthetic_rows_of_another_kind_stay_and_have_their_own_verdict(tmp_path: Path) -> None:
    rows = lanes({"aster": FIVE, "birch": FIVE}, kind="scripted")
    table = tables.by_field(opened(tmp_path, rows), CLAIM, "lane")
    made = comparison.report("build-run", table)
    assert [line.verdict.kind for line in made.lines] == ["none"]
    assert table.no_results == ()


def test_an_input_of_reference_runs_alone_has_nothing_to_compare(tmp_path: Path) -> None:
    a = opened(tmp_path, references({"lane": "aster"}, {"lane": "birch"}), "a")
    b = opened(tmp_path, lanes({"aster": FIVE}), "b")
    for one, other in ((a, b), (b, a)):
        with pytest.raises(BenchdataError, match=f"nothing to compare: {LEFT}, no result"):
            tables.of_inputs(one, other, CLAIM)


def test_a_history_judges_no_reference_run(tmp_path: Path) -> None:
    rows = lanes({"aster": FIVE}) + lanes(
        {"aster": FIVE}, first=100, framework_version="1.5.0", lockfile_digest="11" * 32
    )
    rows += references({"framework_version": "1.4.0"}, {"framework_version": "1.5.0"})
    found = history(opened(tmp_path, rows), CLAIM)
    assert [one.context for one in found.series] == [""]
    assert found.alone == (f"{LEFT}, no result",)
