"""What a program may use up, in either sandbox."""

from __future__ import annotations

import os

import pytest

from collectors.harness.sandbox.groups import places
from collectors.harness.sandbox.provider import Limits, Room
from tests.support.confined import PYTHON, Lab

MIB = 1024**2


def limited(lab: Lab, **limits: int) -> Room:
    return Room(lab.agent, limits=Limits(**limits))


def needs(controller: str) -> None:
    if controller not in places():
        pytest.skip(f"no control group with the controller `{controller}` can be made here")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_of_output_ends_the_run_and_is_cut(any_lab: Lab, stream: str) -> None:
    to = {"stdout": "", "stderr": " >&2"}[stream]
    done = any_lab.shell(f"yes 0123456789{to}", limited(any_lab, output_bytes=100_000))
    assert (done.flooded, done.code) == (True, 137)
    assert len(done.stdout) + len(done.stderr) == 100_000


def test_output_that_just_fits_is_no_flood(any_lab: Lab) -> None:
    done = any_lab.shell("head -c 100000 /dev/zero", limited(any_lab, output_bytes=100_000))
    assert (done.flooded, done.code, len(done.stdout)) == (False, 0, 100_000)


def test_a_file_is_no_larger_than_allowed(any_lab: Lab) -> None:
    done = any_lab.shell("head -c 9M /dev/zero > big", limited(any_lab, file_bytes=MIB))
    assert done.code != 0
    assert (any_lab.work / "big").stat().st_size == MIB


def test_open_files_are_counted(any_lab: Lab) -> None:
    done = any_lab.python(
        "files = []\ntry:\n  while True: files.append(open('/dev/null'))\n"
        "except OSError: print(len(files))",
        limited(any_lab, open_files=50),
    )
    assert 0 < int(done.stdout) <= 50


def test_memory_is_bounded(any_lab: Lab) -> None:
    needs("memory")
    done = any_lab.python(
        "x = b'x' * 600_000_000; print('had it')", limited(any_lab, memory_bytes=200 * MIB)
    )
    assert (done.code, done.stdout) == (137, "")


def test_files_in_memory_count_as_memory(lab: Lab) -> None:
    needs("memory")
    done = lab.shell(
        "head -c 200M /dev/zero > /tmp/x && echo had it", limited(lab, memory_bytes=100 * MIB)
    )
    assert "had it" not in done.stdout


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_temporary_files_are_bounded(lab: Lab, place: str) -> None:
    done = lab.shell(f"head -c 400M /dev/zero > {place}/x; stat -c %s {place}/x")
    assert int(done.stdout) == 256 * MIB


def test_processes_are_counted_and_a_fork_bomb_ends_with_the_run(any_lab: Lab) -> None:
    needs("pids")
    bomb = (
        "import os, time\n"
        "try:\n"
        "  while True: os.fork()\n"
        "except OSError: print('full', flush=True)\n"
        "time.sleep(600)"
    )
    room = limited(any_lab, processes=60)
    with any_lab.start((PYTHON, "-I", "-c", bomb), room) as running:
        any_lab.printed("full")
        assert len(any_lab.survivors()) <= 60
        assert running.wait(0.2) is None
        assert running.stop(0.1, ()) == 137
    assert any_lab.survivors() == []


def test_a_bomb_that_never_tires_is_killed(any_lab: Lab) -> None:
    needs("pids")
    bomb = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"
    room = limited(any_lab, processes=40)
    with any_lab.start((PYTHON, "-I", "-c", bomb), room) as running:
        assert running.wait(0.5) is None
        assert running.stop(0.1, ()) == 137
    assert any_lab.survivors() == []


def test_the_groups_are_removed(any_lab: Lab) -> None:
    assert any_lab.shell("true").code == 0
    name = f"benchdata-{os.getpid()}-*"
    assert [each for place, _ in places().values() for each in place.glob(name)] == []


def test_there_are_no_core_files(any_lab: Lab) -> None:
    assert any_lab.shell("ulimit -c").stdout == "0\n"
