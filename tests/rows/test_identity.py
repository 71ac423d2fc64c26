"""Two rows of one identity are an error that names both places, wherever they stand."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from benchdata.contracts.fields import flat_row
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.contracts.meaning import Metric
from tests.support.intake import frame, invalid, lines, trials
from tests.support.jev_social import numbered_row
from tests.support.trials import Trial, bare, trial


def test_within_a_file(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(2) + b"\n" + trials(1, 1) + trials(1, 7) + trials(1, 1))
    error = invalid(tmp_path, file)
    assert [str(each) for each in error.errors] == [
        f"{file}:4: trial: stands in {file}:2 already",
        f"{file}:6: trial: stands in {file}:2 already",
    ]
    assert error.count == 2


def test_across_files_and_packed_ones(tmp_path: Path) -> None:
    one, two = tmp_path / "1.ndjson.gz", tmp_path / "2.ndjson"
    one.write_bytes(gzip.compress(trials(3)))
    two.write_bytes(b"\n" + trials(2, 2))
    assert [str(each) for each in invalid(tmp_path, one, two).errors] == [
        f"{two}:2: trial: stands in {one}:3 already"
    ]
    assert [str(each) for each in invalid(tmp_path, two, one).errors] == [
        f"{one}:3: trial: stands in {two}:2 already"
    ]


def test_a_file_named_twice_repeats_itself(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(2))
    error = invalid(tmp_path, file, tmp_path)
    assert [str(each) for each in error.errors] == [
        f"{file}:1: trial: stands in {file}:1 already",
        f"{file}:2: trial: stands in {file}:2 already",
    ]


def test_the_normal_form_is_what_must_be_unlike(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    row = numbered_row(0xAB)
    file.write_bytes(lines([row, row | {"run_id": f" {row['run_id'].upper()}\n"}]))
    (error,) = invalid(tmp_path, file, contract=JEV_SOCIAL).errors
    assert (error.line, error.path) == (2, "run_id")


def test_fields_of_any_name_can_be_an_identity(tmp_path: Path) -> None:
    names = ("file", "first", "nth")
    model, file = flat_row({" ".join(names): int}), tmp_path / "rows.ndjson"
    file.write_bytes(lines([dict.fromkeys(names, number) for number in (1, 2, 1)]))
    (error,) = invalid(tmp_path, file, contract=bare(model, identity=names)).errors
    assert (error.line, error.path) == (3, "file and first and nth")


def test_another_spelling_is_another_identity(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines([trial("a"), trial("A"), trial("a.0"), trial("a0"), trial("00a")]))
    assert frame(tmp_path, file).height == 5


def test_identity_may_be_several_fields(tmp_path: Path) -> None:
    contract = bare(Trial, identity=("trial", "arm"), metrics=(Metric("ms", "ms", "ms"),))
    file = tmp_path / "rows.ndjson"
    rows = [trial("a"), trial("a", arm="b"), trial("b"), trial("a", ms=9)]
    file.write_bytes(lines(rows))
    (error,) = invalid(tmp_path, file, contract=contract).errors
    assert str(error) == f"{file}:4: trial and arm: stands in {file}:1 already"
    file.write_bytes(lines(rows[:3]))
    assert frame(tmp_path, file, contract=contract).height == 3


def test_fifty_are_told_and_the_rest_counted(tmp_path: Path) -> None:
    one, two = tmp_path / "1.ndjson", tmp_path / "2.ndjson"
    one.write_bytes(trials(12_000))
    two.write_bytes(trials(12_000))
    error = invalid(tmp_path, one, two)
    assert [each.line for each in error.errors] == list(range(1, 51))
    assert {str(each.source) for each in error.errors} == {str(two)}
    assert error.count == 12_000
    assert "... and 11,950 more" in str(error)


def test_invalid_rows_are_told_before_repeated_ones(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(1) + trials(1) + b"{}\n")
    assert [error.line for error in invalid(tmp_path, file).errors] == [3]


@pytest.mark.parametrize("files", [1, 40])
def test_the_first_place_is_the_first_in_the_order_of_the_inputs(
    tmp_path: Path, files: int
) -> None:
    paths = []
    for number in range(files):
        paths.append(tmp_path / f"{number:02d}.ndjson")
        paths[-1].write_bytes(trials(50, number * 50))
    last = tmp_path / "zz.ndjson"
    last.write_bytes(trials(files * 50))
    error = invalid(tmp_path, *paths, last)
    assert error.count == files * 50
    assert [str(each).split(" stands in ")[1] for each in error.errors] == [
        f"{paths[0]}:{line} already" for line in range(1, 51)
    ]
