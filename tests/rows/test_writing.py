"""What is appended is a valid row in normal form; what is replaced is replaced whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import InputError, RowError
from benchdata.rows.strict_json import encode
from benchdata.rows.writing import append, appended, appending, is_torn, lines_of, whole_file
from tests.support.intake import rows_of, trials
from tests.support.jev_social import numbered_row, valid_row
from tests.support.trials import TRIAL, trial


def test_rows_are_appended_one_a_line_in_normal_form(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    append(file, numbered_row(1, region=" lab "), JEV_SOCIAL)
    append(file, numbered_row(2), JEV_SOCIAL)
    assert rows_of(file) == [numbered_row(1, region="lab"), numbered_row(2)]
    assert b" " not in file.read_bytes()


@pytest.mark.parametrize(
    "torn",
    [
        b"{",
        b'{"a":',
        '{"trial":"\u00e9'.encode()[:-1],
        b'{"a":"}',
        b'{"a":"\\',
        b'{"a":"\\"}',
        b'{"a":{"b":[1,2]}',
        b'{"a":[{}',
        b"{" * 200_000,
        b'{"a":"' + b"x" * 200_000,
    ],
    ids=lambda data: repr(data[:16]),
)
@pytest.mark.parametrize("before", [b"", trials(2), b"\n"], ids=["empty", "rows", "blank"])
def test_an_object_that_begins_and_does_not_end_is_cut_off(
    tmp_path: Path, before: bytes, torn: bytes
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(before + torn)
    append(file, trial("new"), TRIAL)
    assert file.read_bytes() == before + encode(trial("new"))


@pytest.mark.parametrize(
    "whole",
    [
        trials(1)[:-1],
        b'"' + b"x" * 70_000 + b'"',
        b"{}",
        b'{"trial":"a","trial":"a"}',
        b'{"a":NaN}',
        b'{"a":1} {"b":',
        b"{'a': 1}",
        b"[" * 100 + b"]" * 100,
        b'["a"',
        b"a note",
        b'tru"{',
        b"\xff",
        b"\0" * 10,
        b" " * 65_536,
    ],
    ids=lambda data: repr(data[:16]),
)
def test_what_no_crash_of_a_writer_leaves_is_ended_and_kept(tmp_path: Path, whole: bytes) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(2) + whole)
    append(file, trial("new"), TRIAL)
    assert file.read_bytes() == trials(2) + whole + b"\n" + encode(trial("new"))


OBJECTS = st.dictionaries(
    st.text(),
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)


@given(st.data())
def test_every_row_cut_short_is_torn_and_no_whole_one_is(drawn: st.DataObject) -> None:
    line = encode(drawn.draw(OBJECTS)).removesuffix(b"\n")
    size = drawn.draw(st.integers(1, len(line)))
    assert is_torn(line[:size]) == (size < len(line))


def test_what_was_appended_is_read_back_without_what_a_crash_tore(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    assert list(appended(file, TRIAL)) == []
    file.write_bytes(trials(2) + b"\n" + encode(trial("torn"))[:-5])
    kept = list(appended(file, TRIAL))
    file.write_bytes(trials(2))
    assert kept == rows_of(file)


@pytest.mark.parametrize("line", [b"note\n", b"{}\n", b"note", b"\xff\n"])
def test_a_line_that_is_no_row_is_named_when_rows_are_read_back(
    tmp_path: Path, line: bytes
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(2) + line)
    with pytest.raises(RowError, match=r"^rows\.ndjson:3: ") as refused:
        list(appended(file, TRIAL))
    assert refused.value.line == 3


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"{}\n[]\n", [b"{}", b"[]"]),
        (b"{}\nnote", [b"{}", b"note"]),
        (b'{}\n{"a":', [b"{}"]),
    ],
)
def test_lines_are_read_back_without_what_a_crash_tore(
    tmp_path: Path, content: bytes, lines: list[bytes]
) -> None:
    file = tmp_path / "rows.ndjson.journal"
    file.write_bytes(content)
    with appending(file) as held:
        assert lines_of(held) == lines


@pytest.mark.parametrize("row", [trial("-"), {}, trial(score=float("nan")), trial("\ud800")])
def test_an_invalid_row_is_not_written(tmp_path: Path, row: dict[str, Any]) -> None:
    file = tmp_path / "rows.ndjson"
    with pytest.raises(RowError):
        append(file, row, TRIAL)
    assert not file.exists()
    append(file, trial("a"), TRIAL)
    with pytest.raises(RowError):
        append(file, row, TRIAL)
    assert rows_of(file) == [trial("a")]


@pytest.mark.parametrize("place", ["missing/rows.ndjson", "", "/dev/full"])
def test_a_row_that_cannot_be_written_is_told_with_what_to_do(tmp_path: Path, place: str) -> None:
    with pytest.raises(InputError, match=r"the row is not safely written: .*append the row again"):
        append(tmp_path / place, trial(), TRIAL)


def test_validation_comes_before_the_file_is_touched(tmp_path: Path) -> None:
    with pytest.raises(RowError):
        append(tmp_path / "missing" / "rows.ndjson", valid_row(region="-"), JEV_SOCIAL)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_packed_file_is_left_alone(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"rows.ndjson{suffix}"
    file.write_bytes(b"\x1f\x8b\nrest")
    with pytest.raises(InputError, match="uncompressed"):
        append(file, trial(), TRIAL)
    assert file.read_bytes() == b"\x1f\x8b\nrest"


def test_the_row_is_on_disk_before_it_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.ndjson"
    synced: list[tuple[str, int]] = []
    fsync = os.fsync

    def watch(descriptor: int) -> None:
        name = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        synced.append((name, os.fstat(descriptor).st_size if name == str(file) else 0))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watch)
    append(file, trial(), TRIAL)
    assert synced == [(str(tmp_path), 0), (str(file), file.stat().st_size)]
    append(file, trial("t2"), TRIAL)
    assert synced[2:] == [(str(file), file.stat().st_size)]


def test_a_file_takes_its_place_in_one_step(tmp_path: Path) -> None:
    file = tmp_path / "new" / "out.txt"
    with whole_file(file) as part:
        part.write_text("one", "utf-8")
        assert not file.exists()
        assert part.parent == file.parent
    assert file.read_text("utf-8") == "one"
    with whole_file(file) as part:
        part.write_text("two", "utf-8")
        assert file.read_text("utf-8") == "one"
    assert file.read_text("utf-8") == "two"
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_body_that_fails_leaves_what_was_there(
    tmp_path: Path, fault: type[BaseException]
) -> None:
    file = tmp_path / "out.txt"
    file.write_text("one", "utf-8")

    def fail() -> None:
        with whole_file(file) as part:
            part.write_text("two", "utf-8")
            raise fault

    with pytest.raises(fault):
        fail()
    assert file.read_text("utf-8") == "one"
    assert list(tmp_path.iterdir()) == [file]


def test_what_a_killed_writer_left_is_swept_and_what_is_written_is_not(tmp_path: Path) -> None:
    left = tmp_path / ".rows [1].abc.part"
    left.touch()
    with whole_file(tmp_path / "rows [1]") as first, whole_file(tmp_path / "rows [1]") as second:
        assert not left.exists()
        assert first != second
        assert {first, second} == set(tmp_path.iterdir())
