"""Rows validated once are read again without validation, and never when anything has changed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import benchdata
from benchdata.contracts.fingerprint import fingerprint
from benchdata.errors import RowsInvalid
from benchdata.rows import cache, reading
from tests.support.intake import lines, tables, trials
from tests.support.jev_social import numbered_row
from tests.support.trials import TRIAL

ROWS = lines(numbered_row(number) for number in range(20))


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache that is on."""
    folder = tmp_path / "cache"
    monkeypatch.delenv(cache.OFF)
    monkeypatch.setenv(cache.FOLDER, str(folder))
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of valid rows."""
    path = tmp_path / "rows.ndjson"
    path.write_bytes(trials(30))
    return path


def never(*_: object) -> None:
    """Stand in for validation where none may happen."""
    raise AssertionError("rows were validated again")


def test_the_second_time_nothing_is_validated(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [first] = tables(tmp_path, file)
    monkeypatch.setattr(reading, "_validated", never)
    [second] = tables(tmp_path, file)
    assert second.trusted
    assert not first.trusted
    assert second.rows == first.rows == 30
    (one,), (two,) = first.parts, second.parts
    assert two.file.read_bytes() == one.file.read_bytes()


def test_a_copy_elsewhere_is_the_same_input(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables(tmp_path, file)
    copy = tmp_path / "copy.ndjson"
    copy.write_bytes(file.read_bytes())
    monkeypatch.setattr(reading, "_validated", never)
    assert tables(tmp_path, copy)[0].rows == 30


def test_one_changed_byte_is_another_input(tmp_path: Path, file: Path) -> None:
    tables(tmp_path, file)
    file.write_bytes(file.read_bytes().replace(b'"t7"', b'"t8"'))
    with pytest.raises(RowsInvalid, match="already"):
        tables(tmp_path, file)


def test_bad_rows_are_never_kept(tmp_path: Path, file: Path, kept: Path) -> None:
    file.write_bytes(file.read_bytes() + b"{}\n")
    for _ in "12":
        with pytest.raises(RowsInvalid):
            tables(tmp_path, file)
    assert not kept.exists()


def test_repeated_identities_are_never_kept(tmp_path: Path, file: Path, kept: Path) -> None:
    file.write_bytes(trials(3) + trials(3))
    for _ in "12":
        with pytest.raises(RowsInvalid):
            tables(tmp_path, file)
    assert not kept.exists()


def test_two_kept_inputs_with_one_identity_are_still_refused(tmp_path: Path, file: Path) -> None:
    other = tmp_path / "other.ndjson"
    other.write_bytes(trials(5, 100).replace(b'"t100"', b'"t4"'))
    tables(tmp_path, file)
    tables(tmp_path, other)
    with pytest.raises(RowsInvalid, match="already"):
        tables(tmp_path, file, other)


@pytest.mark.parametrize("damage", ["parquet", "json", "short", "note"])
def test_a_damaged_cache_costs_time_and_nothing_else(
    tmp_path: Path, file: Path, kept: Path, damage: str
) -> None:
    [first] = tables(tmp_path, file)
    [table] = kept.glob("*.parquet")
    [note] = kept.glob("*.json")
    good = table.read_bytes()
    table.unlink()  # the spool of the first reading has the same file under another name
    table.write_bytes(good)
    match damage:
        case "parquet":
            table.write_bytes(good[:-40] + bytes([good[-40] ^ 1]) + good[-39:])
        case "short":
            table.write_bytes(good[:100])
        case "json":
            note.write_text("{", "utf-8")
        case "note":
            note.write_text(json.dumps({"rows": 1}), "utf-8")
    [again] = tables(tmp_path, file)
    assert not again.trusted
    assert again.rows == first.rows


def test_another_contract_is_another_entry(tmp_path: Path, file: Path, kept: Path) -> None:
    tables(tmp_path, file)
    assert fingerprint(TRIAL)[:32] in next(kept.glob("*.json")).name
    changed = replace(TRIAL, synthetic="True")
    assert fingerprint(changed) != fingerprint(TRIAL)


def test_the_least_used_go_when_it_is_full(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    for number in range(4):
        files.append(tmp_path / f"{number}.ndjson")
        files[-1].write_bytes(trials(50, 100 * number))
        tables(tmp_path, files[-1])
        for table in kept.glob("*.parquet"):  # clocks of file systems are coarse
            os.utime(table, (table.stat().st_mtime - 10, table.stat().st_mtime - 10))
    size = max(table.stat().st_size for table in kept.glob("*.parquet"))
    monkeypatch.setattr(cache, "SIZE_LIMIT", 2 * size + 10)
    tables(tmp_path, files[0])  # used last
    extra = tmp_path / "extra.ndjson"
    extra.write_bytes(trials(50, 900))
    tables(tmp_path, extra)
    assert len(list(kept.glob("*.parquet"))) == len(list(kept.glob("*.json"))) == 2
    assert tables(tmp_path, files[0])[0].trusted
    assert tables(tmp_path, extra)[0].trusted


def test_rows_in_use_survive_their_removal_from_the_cache(tmp_path: Path, kept: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(ROWS)
    benchdata.open(file)
    dataset = benchdata.open(file)
    for entry in kept.iterdir():
        entry.unlink()
    assert dataset.frame().height == 20
    assert dataset.sql("select count(*) as n from rows")["n"].to_list() == [20]


def test_it_can_be_turned_off(
    tmp_path: Path, file: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.OFF, "1")
    assert not any(table.trusted for _ in "12" for table in tables(tmp_path, file))
    assert not kept.exists()


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").write_text("no folder", "utf-8")
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "plain" / "cache"))
    assert tables(tmp_path, file)[0].rows == 30


def test_two_processes_and_kills_leave_a_cache_that_is_right(tmp_path: Path, kept: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines(numbered_row(number) for number in range(3000)))
    command = [sys.executable, "-m", "benchdata", "validate", str(file)]
    for delay in (0.5, 0.7, 0.9, 1.1):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in "12"]
    assert all(b"3,000 rows" in one.communicate()[0] for one in both)
    assert [one.returncode for one in both] == [0, 0]
    assert tables(tmp_path, file, contract=None)[0].trusted
    assert len(list(kept.glob("*.parquet"))) == 1
