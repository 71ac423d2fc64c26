"""The measured conformance of the references: valid, whole, described by what is in the rows."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import benchdata

FOLDER = Path(__file__).parents[2] / "datasets" / "build-conformance"
REPEATS = 10


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return benchdata.open(FOLDER).frame()


def test_every_lane_and_task_was_asked_ten_times_in_turn(rows: pl.DataFrame) -> None:
    cells = list(rows.sort("started_at").select("task_id", "lane").iter_rows())
    assert set(Counter(cells).values()) == {REPEATS}
    once = cells[: len(cells) // REPEATS]
    assert cells == once * REPEATS  # they go round, so that no lane has the machine's worst minutes


def test_each_reference_passes_every_probe_and_is_what_it_was(rows: pl.DataFrame) -> None:
    assert set(rows["kind"]) == {"conformance"}
    assert set(rows["test_pass_rate"]) == {1.0}
    pinned = ("task_digest", "suite_digest", "lockfile_digest", "framework_version")
    same = rows.group_by("task_id", "lane").agg(pl.col(*pinned).n_unique())
    assert set(same.select(pinned).unique().row(0)) == {1}


def test_the_datasheet_shows_what_the_rows_say() -> None:
    spec = importlib.util.spec_from_file_location("tables", FOLDER / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    sheet = (FOLDER / "datasheet.md").read_text("utf-8")
    assert tables.written(sheet) == sheet
    assert tables.written(sheet.replace("| 10 | 10 |", "| 10 | 9 |")) == sheet
