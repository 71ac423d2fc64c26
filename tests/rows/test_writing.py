"""A row that was reported as written is there, whole and once, whatever happens beside it."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import InputError, RowError
from benchdata.rows.writing import append, whole_file
from tests.support.intake import frame, trials
from tests.support.jev_social import numbered_row, valid_row
from tests.support.trials import TRIAL, trial


def rows_of(file: Path) -> list[Any]:
    """Return the rows of a file, each of which must be one whole line."""
    data = file.read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def test_rows_are_appended_one_a_line_in_normal_form(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    append(file, numbered_row(1, region=" lab "), JEV_SOCIAL)
    append(file, numbered_row(2), JEV_SOCIAL)
    assert rows_of(file) == [numbered_row(1, region="lab"), numbered_row(2)]
    assert b" " not in file.read_bytes()


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (b"", b""),
        (b"\n", b"\n"),
        (trials(2), trials(2)),
        (trials(2) + b'{"a":', trials(2)),
        (trials(2) + '{"trial":"\u00e9'.encode()[:-1], trials(2)),
        (trials(2) + b"{" * 200_000, trials(2)),
        (trials(2) + b" " * 65_536, trials(2)),
        (b'{"trial"', b""),
        (b"\xff", b""),
        (trials(2)[:-1], trials(2)),
        (trials(1)[:-1], trials(1)),
        (trials(1) + b'"' + b"x" * 70_000 + b'"', trials(1) + b'"' + b"x" * 70_000 + b'"\n'),
    ],
    ids=lambda data: f"{len(data)} bytes",
)
def test_a_torn_last_line_is_cut_off_and_a_whole_one_is_ended(
    tmp_path: Path, before: bytes, kept: bytes
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(before)
    append(file, trial("new"), TRIAL)
    data = file.read_bytes()
    assert data.startswith(kept)
    assert json.loads(data[len(kept) :]) == trial("new")


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
    assert synced == [(str(file), file.stat().st_size), (str(tmp_path), 0)]


APPEND = """
import sys
from pathlib import Path
from benchdata.rows.writing import append
from tests.support.trials import TRIAL, trial
name, count = sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
for number in range(count):
    append(Path(sys.argv[1]), trial(f"{name}{number}", ms=number), TRIAL)
    print(number, flush=True)
"""


def writer(root: Path, file: Path, name: str, count: int) -> subprocess.Popen[str]:
    """Start a process that appends `count` rows and says so after each."""
    return subprocess.Popen(
        [sys.executable, "-c", APPEND, str(file), name, str(count)],
        env=os.environ | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_processes_append_without_losing_or_mixing_a_row(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b'{"torn":')
    writers = [writer(root, file, name, 200) for name in "ab"]
    for one in writers:
        one.communicate(timeout=60)
        assert one.returncode == 0
    found = rows_of(file)
    assert len(found) == 400
    for name in "ab":
        own = [row for row in found if row["trial"].startswith(name)]
        assert own == [trial(f"{name}{number}", ms=number) for number in range(200)]
    assert frame(tmp_path, file).height == 400


def test_a_writer_waits_for_another_to_end_its_line(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    with file.open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        other.write(trials(1)[:20])
        other.flush()
        waiting = threading.Thread(target=append, args=(file, trial("new"), TRIAL))
        waiting.start()
        waiting.join(0.2)
        assert file.read_bytes() == trials(1)[:20]
        other.write(trials(1)[20:])
    waiting.join(10)
    assert rows_of(file) == [trial("t0", ms=0), trial("new")]


@pytest.mark.parametrize("after", [0, 5, 20])
def test_a_killed_writer_leaves_whole_lines_and_what_it_reported(
    root: Path, tmp_path: Path, after: int
) -> None:
    file = tmp_path / "rows.ndjson"
    killed = writer(root, file, "a", 1_000_000)
    assert killed.stdout is not None
    reported = -1
    while reported < after:
        line = killed.stdout.readline()
        reported = int(line) if line.strip().isdigit() else reported
    time.sleep(after / 5000)
    killed.send_signal(signal.SIGKILL)
    rest = killed.communicate(timeout=60)[0].split()
    reported = max(reported, *(int(number) for number in rest if number.isdigit()), 0)
    append(file, trial("after"), TRIAL)
    found = rows_of(file)
    assert found[-1] == trial("after")
    assert found[:-1] == [trial(f"a{number}", ms=number) for number in range(len(found) - 1)]
    assert len(found) - 1 in {reported + 1, reported + 2}
    assert frame(tmp_path, file).height == len(found)


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


@pytest.mark.parametrize("place", ["missing/rows.ndjson", "", "/dev/full"])
def test_a_row_that_cannot_be_written_is_told_with_what_to_do(tmp_path: Path, place: str) -> None:
    with pytest.raises(InputError, match=r"the row is not safely written: .*append the row again"):
        append(tmp_path / place, trial(), TRIAL)


def test_validation_comes_before_the_file_is_touched(tmp_path: Path) -> None:
    with pytest.raises(RowError):
        append(tmp_path / "missing" / "rows.ndjson", valid_row(region="-"), JEV_SOCIAL)


def test_what_a_killed_writer_left_is_swept_and_what_is_written_is_not(tmp_path: Path) -> None:
    left = tmp_path / ".rows [1].abc.part"
    left.touch()
    with whole_file(tmp_path / "rows [1]") as first, whole_file(tmp_path / "rows [1]") as second:
        assert not left.exists()
        assert first != second
        assert {first, second} == set(tmp_path.iterdir())
