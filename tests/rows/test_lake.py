"""A lake takes each row once, keeps it for good, and is whole whatever happens to a writer."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import benchdata
from benchdata.contracts.fields import Count, Label, Row
from benchdata.errors import InputError
from benchdata.rows import lake, manifest
from tests.support.command import run
from tests.support.intake import lines
from tests.support.jev_social import numbered_row
from tests.support.trials import bare


def write(file: Path, numbers: range, version: int = 2) -> Path:
    """Write rows of these numbers."""
    file.write_bytes(lines(numbered_row(number, version) for number in numbers))
    return file


def freeze(folder: Path, *files: Path) -> tuple[int, int]:
    """Freeze files into a lake."""
    dataset = benchdata.open(files)
    return lake.freeze(dataset.tables, folder)


def test_rows_are_appended_once(tmp_path: Path) -> None:
    first = write(tmp_path / "a.ndjson", range(8))
    second = write(tmp_path / "b.ndjson", range(5, 12))
    into = tmp_path / "lake"
    assert freeze(into, first) == (8, 0)
    assert freeze(into, first) == (0, 8)
    assert freeze(into, second) == (4, 3)
    dataset = benchdata.open(into)
    assert dataset.rows == 12
    assert all(table.trusted for table in dataset.tables)
    direct = benchdata.open([first, write(tmp_path / "c.ndjson", range(8, 12))]).frame()
    assert dataset.frame().sort("run_id").equals(direct.sort("run_id"))


def test_an_older_version_beside_a_newer_one_is_one_dataset(tmp_path: Path) -> None:
    into = tmp_path / "lake"
    freeze(into, write(tmp_path / "new.ndjson", range(4)))
    freeze(into, write(tmp_path / "old.ndjson", range(4, 9), 1))
    found = benchdata.open(into).sql(
        "select schema_version, count(*) as n, count(jev_social_commit) as pinned"
        " from rows group by schema_version order by schema_version"
    )
    assert found.rows() == [(1, 5, 0), (2, 4, 4)]


def test_a_row_with_other_values_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    into = tmp_path / "lake"
    freeze(into, write(tmp_path / "a.ndjson", range(3)))
    before = (into / manifest.NAME).read_bytes()
    other = tmp_path / "b.ndjson"
    other.write_bytes(lines([numbered_row(1, region="elsewhere"), numbered_row(9)]))
    with pytest.raises(InputError, match=r"1 row.* other values, such as"):
        freeze(into, other)
    assert (into / manifest.NAME).read_bytes() == before
    assert benchdata.open(into).rows == 3


class Billed(Row):
    """A row with a field of the name that the folders of a lake have."""

    name: Label
    month: Count


def test_a_field_called_month_keeps_its_values(tmp_path: Path) -> None:
    billed, into = bare(Billed), tmp_path / "lake"
    for first in (1, 2):
        rows = [{"name": f"n{number}", "month": 5} for number in range(first)]
        (tmp_path / "rows.ndjson").write_bytes(lines(rows))
        dataset = benchdata.open(tmp_path / "rows.ndjson", billed)
        lake.freeze(dataset.tables, into)
    assert benchdata.open(into, billed).frame()["month"].to_list() == [5, 5]


def test_what_no_manifest_names_does_not_count_and_is_swept(tmp_path: Path) -> None:
    into = tmp_path / "lake"
    freeze(into, write(tmp_path / "a.ndjson", range(3)))
    [part] = manifest.read(into)
    stray = (into / part.file).with_name("part-00007.parquet")
    stray.write_bytes((into / part.file).read_bytes())
    assert benchdata.open(into).rows == 3
    freeze(into, write(tmp_path / "b.ndjson", range(3, 4)))
    assert not stray.exists()


def test_a_damaged_part_is_not_trusted(tmp_path: Path) -> None:
    into = tmp_path / "lake"
    freeze(into, write(tmp_path / "a.ndjson", range(3)))
    [part] = manifest.read(into)
    data = (into / part.file).read_bytes()
    (into / part.file).write_bytes(data[:60] + bytes([data[60] ^ 255]) + data[61:])
    with pytest.raises(InputError, match="damaged"):
        benchdata.open(into)


@pytest.mark.parametrize("text", ["{", "[]", '{"parts": [{"file": "../x"}]}', '{"parts": [1]}'])
def test_a_manifest_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    into = tmp_path / "lake"
    freeze(into, write(tmp_path / "a.ndjson", range(3)))
    (into / manifest.NAME).write_text(text, "utf-8")
    done = run("validate", into)
    assert done.code == 1
    assert "_manifest.json cannot be read" in done.err


def test_no_part_leads_out_of_the_lake() -> None:
    with pytest.raises(ValueError, match="outside"):
        manifest.Part("a/../../x", "c", "m", (1,), 1, "d")


@pytest.mark.slow
def test_kills_leave_the_lake_whole_and_two_writers_take_turns(tmp_path: Path) -> None:
    into = tmp_path / "lake"
    files = [write(tmp_path / f"{n}.ndjson", range(400 * n, 400 * n + 400)) for n in range(4)]

    def started(file: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "benchdata", "freeze", str(file), "--into", str(into)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    for file, delay in zip(files, (0.6, 0.9, 1.2, 1.5), strict=True):
        process = started(file)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if manifest.is_lake(into):
            assert benchdata.open(into).rows % 400 == 0
    processes = [started(file) for file in files]
    assert [(process.communicate(), process.returncode)[1] for process in processes] == [0] * 4
    assert benchdata.open(into).rows == 1600
    assert (
        sum(part["rows"] for part in json.loads((into / manifest.NAME).read_text())["parts"])
        == 1600
    )
