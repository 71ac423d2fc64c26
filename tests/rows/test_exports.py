"""Rows as CSV and NDJSON: no value is changed, null is no empty text, formulas are counted."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import benchdata
from benchdata.contracts.fields import Count, Label, Row, Timestamp
from benchdata.rows import exports
from tests.support.command import ROOT
from tests.support.drawn import write
from tests.support.trials import bare

NOTE = "rows.csv"


class Part(Row):
    """An object with one field."""

    ms: Count


class Note(Row):
    """Fields of every kind that CSV has a way of its own for."""

    name: Label
    text: str | None
    size: float | None
    flag: bool | None
    at: Timestamp
    part: Part
    words: list[str] | None


CONTRACT = bare(Note)
TEXTS = ["", None, "=1+1", "-2", "+a", "@b", " =no", "a,b", 'say "x"', "é — ü", "'quoted"]


def note(number: int, text: str | None, **fields: Any) -> dict[str, Any]:
    """Return one row."""
    return {
        "name": f"n{number}",
        "text": text,
        "size": 0.1 + number,
        "flag": None if number % 2 else True,
        "at": "2026-03-02T08:00:00.120Z",
        "part": {"ms": number},
        "words": [text or "", "b"],
    } | fields


@pytest.fixture
def rows(tmp_path: Path) -> benchdata.Dataset:
    made = [note(number, text) for number, text in enumerate(TEXTS)]
    return benchdata.open(write(tmp_path / "rows.ndjson", made), CONTRACT)


def test_every_value_comes_back_from_csv(tmp_path: Path, rows: benchdata.Dataset) -> None:
    file = tmp_path / NOTE
    written = exports.write_csv(rows.tables, file, CONTRACT)
    assert written.rows == len(TEXTS)
    again = pl.read_csv(file)
    assert again["text"].to_list() == TEXTS
    with file.open(encoding="utf-8", newline="") as lines:
        cells = list(csv.DictReader(lines))
    assert [cell["text"] for cell in cells] == [text or "" for text in TEXTS]
    assert [float(cell["size"]) for cell in cells] == [0.1 + n for n in range(len(TEXTS))]
    assert {cell["flag"] for cell in cells} == {"true", ""}
    assert {cell["at"] for cell in cells} == {"2026-03-02T08:00:00.120Z"}
    assert [json.loads(cell["words"]) for cell in cells] == [[text or "", "b"] for text in TEXTS]
    assert [cell["part_ms"] for cell in cells] == [str(n) for n in range(len(TEXTS))]


def test_null_is_nothing_and_an_empty_text_is_quoted(
    tmp_path: Path, rows: benchdata.Dataset
) -> None:
    file = tmp_path / NOTE
    exports.write_csv(rows.tables, file, CONTRACT)
    _, empty, null, *_ = file.read_text("utf-8").splitlines()
    assert empty.startswith('n0,"",')
    assert null.startswith("n1,,")


def test_what_a_spreadsheet_would_run_is_counted_and_kept(
    tmp_path: Path, rows: benchdata.Dataset
) -> None:
    written = exports.write_csv(rows.tables, tmp_path / NOTE, CONTRACT)
    assert written.formulas == {"text": 4}


def test_the_columns_are_those_of_the_view_of_rows(tmp_path: Path, rows: benchdata.Dataset) -> None:
    file = tmp_path / NOTE
    exports.write_csv(rows.tables, file, CONTRACT)
    assert pl.read_csv(file).columns == rows.sql("select * from rows limit 0").columns


@pytest.mark.parametrize("demo", ["skill-run-demo", "build-run-demo"])
def test_rows_in_normal_form_come_back_byte_for_byte(tmp_path: Path, demo: str) -> None:
    source = ROOT / "datasets" / demo / "rows.ndjson"
    rows = benchdata.open(source)
    file = tmp_path / "again.ndjson"
    assert exports.write_lines(rows.tables, file, rows.contract) == rows.rows
    assert file.read_bytes() == source.read_bytes()


def test_several_inputs_become_one_file(tmp_path: Path) -> None:
    for number in (1, 2):
        write(tmp_path / "in" / f"{number}.ndjson", [note(number, "x")])
    rows = benchdata.open(tmp_path / "in", CONTRACT)
    file = tmp_path / "out.ndjson"
    assert exports.write_lines(rows.tables, file, CONTRACT) == 2
    assert_frame_equal(benchdata.open(file, CONTRACT).frame(), rows.frame())
