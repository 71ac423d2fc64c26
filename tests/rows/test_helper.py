"""A second process that reads parts of a large file changes nothing but the time it takes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchdata.contracts import Contract
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import InputError, RowsInvalid
from benchdata.rows import helper, parts, reading, sources
from tests.support.intake import invalid, lines, tables
from tests.support.jev_social import numbered_row

ROWS = [lines([numbered_row(number)]) for number in range(400)]
LARGE = """
import sys
from pathlib import Path
from benchdata import contracts
from benchdata.rows import helper, reading, sources
helper.WORTH, reading.PART = 0, 20_000
reading.read(sources.find(sys.argv[1:2]), contracts.get("jev-social"), Path(sys.argv[2]))
"""


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make any file worth a helper, in parts of some dozens of rows."""
    monkeypatch.setattr(reading, "PART", 20_000)
    monkeypatch.setattr(helper, "WORTH", 0)


def left_to_the_helper(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let this process do nothing until the helper is through; return how many tasks it leaves."""
    left: list[int] = []
    real = parts.work

    def late(*arguments: Any) -> None:
        left.append(len(arguments[2]))
        if len(left) % 2 == 0:
            real(*arguments)

    monkeypatch.setattr(reading, "work", late)
    return left


def read(folder: Path, file: Path, contract: Contract = JEV_SOCIAL) -> pl.DataFrame:
    """Return the rows of a file with their lines."""
    return pl.concat([one.scan().collect() for one in tables(folder, file, contract=contract)])


def test_the_helper_reads_what_this_process_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"\n\n".join(ROWS))
    with monkeypatch.context() as alone:
        alone.setattr(helper, "WORTH", 1 << 60)
        wanted = read(tmp_path, file)
    assert_frame_equal(read(tmp_path, file), wanted)
    left = left_to_the_helper(monkeypatch)
    assert_frame_equal(read(tmp_path, file), wanted)
    assert left[0] > 10
    assert left[1] == 0


def test_its_errors_are_those_of_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.ndjson"
    bad = [b"{}\n", b"\xff\n", b'{"a":"' + b"\xc3\xa9" * 300 + b'"}\n', b" \t\n"]
    file.write_bytes(b"".join(b"".join(pair) for pair in zip(ROWS, bad * 100, strict=True)))
    with monkeypatch.context() as alone:
        alone.setattr(helper, "WORTH", 1 << 60)
        wanted = invalid(tmp_path, file, contract=JEV_SOCIAL)
    assert wanted.count == 300
    assert len(wanted.errors) == 50
    assert str(invalid(tmp_path, file, contract=JEV_SOCIAL)) == str(wanted)
    left = left_to_the_helper(monkeypatch)
    assert str(invalid(tmp_path, file, contract=JEV_SOCIAL)) == str(wanted)
    assert left[1] == 0


@pytest.mark.parametrize("answers", [0, 1, 5])
def test_what_a_dead_helper_leaves_is_done_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: int
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"".join(ROWS))
    left = left_to_the_helper(monkeypatch)
    real = helper._answer
    given: list[object] = []

    def dying(child: helper.Child, request: object) -> object:
        if len(given) == answers:
            child.kill()
            child.wait()
        given.append(request)
        return real(child, request)

    monkeypatch.setattr(helper, "_answer", dying)
    assert read(tmp_path, file)["_line"].to_list() == list(range(1, 401))
    assert left[1] == left[0] - max(answers - 1, 0) > 0


def test_a_helper_that_cannot_be_started_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"".join(ROWS))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    assert read(tmp_path, file).height == 400


def test_a_contract_that_has_no_name_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helper, "_child", lambda: pytest.fail("a helper was started"))
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"".join(ROWS))
    assert read(tmp_path, file, replace(JEV_SOCIAL)).height == 400


def test_another_contract_of_the_same_name_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"".join(ROWS))
    monkeypatch.setattr(helper, "fingerprint", lambda _: "another")
    left = left_to_the_helper(monkeypatch)
    assert read(tmp_path, file).height == 400
    assert left[1] == left[0]


def test_a_file_that_changes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"".join(ROWS))
    real = parts.work

    def cutting(*arguments: Any) -> None:
        file.write_bytes(b"".join(ROWS[:30]))
        real(*arguments)

    monkeypatch.setattr(reading, "work", cutting)
    with pytest.raises(InputError, match="changed while it was read"):
        read(tmp_path, file)


def test_an_interrupt_ends_the_helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"".join(ROWS))
    children: list[helper.Child] = []
    real = helper._child

    def child() -> helper.Child:
        started = real()
        assert started
        children.append(started)
        return started

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(helper, "_child", child)
    monkeypatch.setattr(reading, "work", interrupted)
    with pytest.raises(KeyboardInterrupt):
        read(tmp_path, file)
    assert children[0].poll() is not None


def test_the_helper_dies_with_its_parent(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    with file.open("wb") as out:
        for _ in range(150):
            out.writelines(ROWS)
    command = [sys.executable, "-c", LARGE, str(file), str(tmp_path)]
    with subprocess.Popen(command) as parent:
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        while parent.poll() is None and not (found := children.read_text().split()):
            time.sleep(0.01)
        (pid,) = map(int, found)
        time.sleep(1)
        parent.send_signal(signal.SIGKILL)
        assert parent.wait() == -signal.SIGKILL
    until = time.monotonic() + 20
    while time.monotonic() < until and Path(f"/proc/{pid}/exe").exists():
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}/exe").exists()  # at most nobody has asked yet how it ended


def test_bad_rows_of_a_helper_are_never_kept(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"".join(ROWS) + b"{}\n")
    with pytest.raises(RowsInvalid):
        reading.read(sources.find([file]), JEV_SOCIAL, tmp_path)
