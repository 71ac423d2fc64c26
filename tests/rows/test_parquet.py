"""Exported rows read back as they were, and are trusted only while a digest vouches for them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import benchdata
from benchdata.errors import BenchdataError, InputError, RowsInvalid
from benchdata.rows import parquet, reading
from tests.support.command import run
from tests.support.intake import lines
from tests.support.jev_social import numbered_row

ROWS = [numbered_row(number, 1 + number % 2) for number in range(12)]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Rows of both schema versions."""
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines(ROWS))
    return file


@pytest.fixture
def exported(tmp_path: Path, rows: Path) -> Path:
    """The same rows as Parquet."""
    file = tmp_path / "rows.parquet"
    assert run("export", rows, "-o", file).code == 0
    return file


def frame(file: Path) -> pl.DataFrame:
    """Return the rows of a file."""
    return benchdata.open(file).frame()


def test_rows_come_back_as_they_were(rows: Path, exported: Path) -> None:
    assert frame(exported).equals(frame(rows))


def test_a_vouched_file_is_not_validated(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_validated", None)
    assert frame(exported).height == len(ROWS)


@pytest.mark.parametrize("missing", [True, False])
def test_without_a_note_that_fits_every_row_is_validated(
    rows: Path, exported: Path, *, missing: bool
) -> None:
    note = parquet.sidecar(exported)
    text = note.read_text("utf-8")
    note.unlink()
    if not missing:
        note.write_text(text.replace('"fingerprint": "', '"fingerprint": "0'), "utf-8")
    [table] = benchdata.open(exported).tables
    assert not table.trusted
    assert frame(exported).equals(frame(rows))


def test_a_changed_row_is_found(exported: Path) -> None:
    changed = pl.read_parquet(exported).with_columns(timing_ms_jev_total=pl.lit(1))
    changed.write_parquet(exported, metadata={parquet.CONTRACT: "jev-social"})
    with pytest.raises(RowsInvalid, match=r"rows\.parquet:1: timing_ms\.jev_total: must equal"):
        benchdata.open(exported)


def test_a_column_of_another_kind_is_found(exported: Path) -> None:
    changed = pl.read_parquet(exported).with_columns(pl.col("result_limit").cast(pl.Float64))
    changed.write_parquet(exported, metadata={parquet.CONTRACT: "jev-social"})
    with pytest.raises(RowsInvalid, match="result_limit: must be"):
        benchdata.open(exported)


@pytest.mark.parametrize("size", [10, 500, -20])
def test_a_damaged_file_is_named(exported: Path, size: int) -> None:
    exported.write_bytes(exported.read_bytes()[:size])
    with pytest.raises(BenchdataError, match=r"rows\.parquet.* is damaged"):
        benchdata.open(exported)


def test_a_file_of_no_contract_needs_one(tmp_path: Path) -> None:
    file = tmp_path / "other.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(file)
    with pytest.raises(InputError, match="name one with --contract"):
        benchdata.open(file)
    with pytest.raises(RowsInvalid, match=r"other\.parquet:1: "):
        benchdata.open(file, "jev-social")


def test_rows_that_others_were_set_aside_from_need_a_word(tmp_path: Path, rows: Path) -> None:
    dirty, good, bad = (tmp_path / f"{name}.ndjson" for name in ("dirty", "good", "bad"))
    dirty.write_bytes(rows.read_bytes() + b"{}\n")
    assert run("validate", dirty, "--keep-valid", good, "--rejects", bad).code == 0
    done = run("export", good, "-o", tmp_path / "x.parquet")
    assert done.code == 1
    assert "1 row of these inputs set aside" in done.err
    assert run("export", good, "-o", tmp_path / "x.parquet", "--accept-rejects", "1").code == 0
