"""The warnings above a report: which rows get which, in the page and in the notebook."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import benchdata
from benchdata.dataset import Dataset
from benchdata.reports import standing
from benchdata.reports.subjects.rows import RowsReport
from tests.support import drawn
from tests.support.drawn import Row
from tests.support.probe import PROBE, probe_row

READY = (10, 10)


def opened(folder: Path, rows: Sequence[Row]) -> Dataset:
    return benchdata.open(drawn.write(folder / "rows.ndjson", rows))


def review(folder: Path, digest: str) -> None:
    note = f"---\ndate: 2026-03-10\nreviewer: A. Reader\ndigest: {digest}\n---\n"
    (folder / "review.md").write_text(note, "utf-8")


def set_aside(folder: Path, rows: int) -> None:
    note = {"source": "dirty.ndjson", "source_digest": "0" * 64, "rejected": rows}
    (folder / "rows.ndjson.set-aside.json").write_text(json.dumps(note), "utf-8")


def labels(dataset: Dataset, accept_rejects: int = 0) -> list[str]:
    """Return the labels of the page's banners, after looking that the notebook has each too."""
    report = RowsReport(dataset, accept_rejects=accept_rejects)
    headline = report.headline().text
    for banner in report.banners:
        assert f"**{banner.label}** {banner.text}" in headline
    assert headline.count("**") == 2 * len(report.banners)
    return [banner.label for banner in report.banners]


def test_ready_and_reviewed_rows_have_no_banner(tmp_path: Path) -> None:
    dataset = opened(tmp_path, drawn.drawn(READY))
    review(tmp_path, dataset.digest)
    assert labels(dataset) == []


def test_rows_without_a_review_are_unreviewed(tmp_path: Path) -> None:
    assert labels(opened(tmp_path, drawn.drawn(READY))) == ["UNREVIEWED"]


def test_a_review_of_other_rows_does_not_count(tmp_path: Path) -> None:
    review(tmp_path, opened(tmp_path, drawn.drawn((10,))).digest)
    assert labels(opened(tmp_path, drawn.drawn(READY))) == ["UNREVIEWED"]


def test_too_few_rows_are_incomplete(tmp_path: Path) -> None:
    dataset = opened(tmp_path, drawn.drawn((10, 9)))
    assert labels(dataset) == ["INCOMPLETE", "UNREVIEWED"]
    banner = RowsReport(dataset).banners[0]
    assert banner.text == "1 of 2 groups may not be published yet."


def test_synthetic_rows_are_a_pipeline_proof(tmp_path: Path) -> None:
    made = drawn.drawn((10,), region="synthetic-lab")
    assert labels(opened(tmp_path, made)) == ["SYNTHETIC", "INCOMPLETE", "UNREVIEWED"]
    (banner, *_) = RowsReport(opened(tmp_path, made)).banners
    assert banner.text == "All rows are synthetic: a pipeline proof, not a measurement."
    mixed = [*drawn.drawn((10,), seed=6), *made]
    assert (
        RowsReport(opened(tmp_path, mixed))
        .banners[0]
        .text.startswith("10 of 20 rows are synthetic")
    )


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [(0, ["INCOMPLETE", "SET ASIDE"]), (3, ["SET ASIDE"]), (2, ["INCOMPLETE", "SET ASIDE"])],
)
def test_rows_set_aside_are_said_even_when_accepted(
    tmp_path: Path, accepted: int, expected: list[str]
) -> None:
    set_aside(tmp_path, 3)
    dataset = opened(tmp_path, drawn.drawn(READY))
    review(tmp_path, dataset.digest)
    assert labels(dataset, accepted) == expected
    texts = " ".join(banner.text for banner in RowsReport(dataset, accept_rejects=accepted).banners)
    assert "3 rows of the source set aside as invalid, not shown here." in texts


def test_a_contract_without_a_gate_clears_nothing(tmp_path: Path) -> None:
    file = drawn.write(
        tmp_path / "rows.ndjson", [probe_row(seq, skipped=seq == 2) for seq in range(3)]
    )
    dataset = benchdata.open(file, PROBE)
    assert labels(dataset) == ["NO GATE", "UNREVIEWED"]
    line = standing.headline(RowsReport(dataset).summary)
    assert line == (
        "Of 2 attempts in 1 group, 2 succeeded, 0 succeeded in part, 0 failed."
        " 1 row besides are not scored."
    )


def test_the_first_line_counts_every_outcome() -> None:
    line = standing.headline(RowsReport(benchdata.open(drawn.DEMO_ROWS)).summary)
    assert line == (
        "Of 122 attempts in 10 groups, 100 succeeded, 11 succeeded in part, 11 failed;"
        " READY: 0 of 10 groups."
    )


def test_regions_are_explained_by_the_datasheets(tmp_path: Path) -> None:
    sheets = {"one": "a lab in Oslo", "two": "a lab in Bergen", "three": "a lab in Oslo"}
    for number, (name, meaning) in enumerate(sheets.items()):
        drawn.write(tmp_path / name / "rows.ndjson", drawn.drawn((2,), seed=number))
        text = f"---\ntitle: {name}\nregions:\n  lab-eu: {meaning}\n---\n"
        (tmp_path / name / "datasheet.md").write_text(text, "utf-8")
    table = RowsReport(benchdata.open(tmp_path)).regions()
    # two datasets may call different things by one label: no meaning hides the other
    assert sorted(table.rows) == [("lab-eu", "a lab in Bergen"), ("lab-eu", "a lab in Oslo")]


def test_regions_without_a_datasheet_are_said_to_be_unexplained(tmp_path: Path) -> None:
    table = RowsReport(opened(tmp_path, drawn.drawn((2,)))).regions()
    assert table.rows == (("—", "no datasheet beside the rows says"),)
