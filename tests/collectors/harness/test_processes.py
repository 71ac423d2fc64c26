"""Process trees by themselves: streams, codes, and what cannot be started."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from collectors.harness.failures import SetupFailed
from collectors.harness.processes import Running
from collectors.harness.program import Program
from tests.support.confined import SECONDS


def started(place: Path, text: str, *, stdin: bytes = b"", **changes: object) -> Running:
    settings: dict[str, object] = {
        "argv": ("/bin/sh", "-c", text),
        "environment": {"PATH": os.defpath},
        "folder": place,
        "most_output": 1_000_000,
        "rlimits": {},
    }
    program = Program(**(settings | changes))  # type: ignore[arg-type]
    return Running(program, stdin=stdin, stdout=place / "out", stderr=place / "err")


def outcome(
    folder: Path, text: str, *, stdin: bytes = b"", **changes: object
) -> tuple[object, ...]:
    with started(folder, text, stdin=stdin, **changes) as running:
        code = running.wait(SECONDS)
    return code, (folder / "out").read_bytes(), (folder / "err").read_bytes()


def test_streams_and_code_arrive(tmp_path: Path) -> None:
    text = "cat; echo problem >&2; pwd; exit 3"
    said = os.urandom(300_000)
    expected = said + f"{tmp_path}\n".encode()
    assert outcome(tmp_path, text, stdin=said) == (3, expected, b"problem\n")


def test_what_is_printed_is_appended(tmp_path: Path) -> None:
    outcome(tmp_path, "echo one")
    assert outcome(tmp_path, "echo two") == (0, b"one\ntwo\n", b"")


def test_output_is_there_while_the_program_runs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    with started(tmp_path, "echo first; read x < go; echo $x") as running:
        while (tmp_path / "out").read_text() != "first\n":
            assert running.wait(0.01) is None
        (tmp_path / "go").write_text("second\n")
        assert running.wait(SECONDS) == 0
    assert (tmp_path / "out").read_text() == "first\nsecond\n"


def test_a_full_disk_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("/dev/full")
    with (
        started(tmp_path, "echo one; sleep 600") as running,
        pytest.raises(SetupFailed, match="cannot be kept: No space left on device"),
    ):
        running.wait(SECONDS)
    assert running.ended
    assert not running.flooded


def test_only_the_given_descriptors_are_inherited(tmp_path: Path) -> None:
    with Path(os.devnull).open() as file:
        os.set_inheritable(file.fileno(), True)
        code, listed, _ = outcome(tmp_path, "ls /proc/$$/fd")
    assert (code, listed) == (0, b"0\n1\n2\n")


def test_a_limit_is_never_raised(tmp_path: Path) -> None:
    limits: Mapping[str, int] = {"RLIMIT_NOFILE": 64}
    assert outcome(tmp_path, "ulimit -n; ulimit -Hn", rlimits=limits) == (0, b"64\n64\n", b"")


def test_a_program_without_an_end_is_waited_for_no_longer_than_asked(tmp_path: Path) -> None:
    with started(tmp_path, "sleep 600") as running:
        assert running.wait(0.05) is None
        assert not running.ended
    assert running.ended
    assert running.wait() == 137


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"argv": ("/no/such/program",)}, "program does not start: .*No such file"),
        ({"folder": Path("/no/such/folder")}, "sh does not start: .*No such file"),
        ({"groups": ((Path("/proc/none"), {"x": "1"}),)}, "sh does not start: .*No such file"),
        ({"rlimits": {"RLIMIT_NOFILE": -5}}, "sh does not start"),
    ],
)
def test_what_cannot_be_started_says_why(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(SetupFailed, match=words):
        started(tmp_path, "true", **changes)


def test_many_at_once_do_not_disturb_one_another(tmp_path: Path) -> None:
    found: dict[int, tuple[object, ...]] = {}

    def one(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        found[number] = outcome(folder, f"echo {number}; exit {number}")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: (number, f"{number}\n".encode(), b"") for number in range(8)}


def test_descriptors_and_threads_are_given_back(tmp_path: Path) -> None:
    def held() -> tuple[int, int]:
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    outcome(tmp_path, "true")
    before = held()
    for _ in range(5):
        outcome(tmp_path, "true")
    assert held() == before
