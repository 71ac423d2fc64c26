"""A row that was reported as written is there, whole and once, whatever happens beside it."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from benchdata.contracts.fields import Count, Label, Row
from benchdata.rows.writing import append
from tests.support.intake import frame, rows_of, trials
from tests.support.proven import Proven
from tests.support.trials import TRIAL, bare, trial


class Long(Row):
    """A row of some 35 kB: long enough for a kill to cut its write short."""

    writer: Label
    number: Count
    numbers: list[Count]


LONG = bare(Long)
NUMBERS = [2**53 - 1] * 2_000

APPEND = """
import sys
from pathlib import Path
from benchdata.rows.writing import append
from tests.support.trials import TRIAL, trial
name, count = sys.argv[2], int(sys.argv[3])
for number in range(count):
    append(Path(sys.argv[1]), trial(f"{name}{number}", ms=number), TRIAL)
"""

# Forks its writers: a hundred interpreters would take a minute to start.
KILLED = """
import json, os, random, select, signal, sys, time
from pathlib import Path
from benchdata.rows.writing import append
from tests.rows.test_appending_crashes import LONG, NUMBERS
file, rounds = Path(sys.argv[1]), int(sys.argv[2])
draw = random.Random(rounds)

def writer(name, told):
    for number in range(10**9):
        append(file, {"writer": name, "number": number, "numbers": NUMBERS}, LONG)
        os.write(told, b"%d\\n" % number)

for round in range(rounds):
    reads, children = [], []
    for name in "ab":
        read, told = os.pipe()
        child = os.fork()
        if child == 0:
            writer(f"{name}{round}", told)
        os.close(told)
        reads.append((name, read))
        children.append(child)
    if round % 2:
        select.select([read for _, read in reads], [], [])
    time.sleep(draw.uniform(0.001, 0.012))
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    for name, read in reads:
        with open(read) as said:
            print(json.dumps([f"{name}{round}", len(said.read().split())]))
"""


def program(root: Path, text: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start a program in Python."""
    return subprocess.Popen(
        [sys.executable, "-c", text, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_processes_append_without_losing_or_mixing_a_row(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b'{"torn":')
    writers = [program(root, APPEND, file, name, "150") for name in "abc"]
    for one in writers:
        one.communicate(timeout=60)
        assert one.returncode == 0
    found = rows_of(file)
    assert len(found) == 450
    for name in "abc":
        own = [row for row in found if row["trial"].startswith(name)]
        assert own == [trial(f"{name}{number}", ms=number) for number in range(150)]
    assert frame(tmp_path, file).height == 450


@pytest.mark.faults
@pytest.mark.slow
def test_writers_killed_a_hundred_times_lose_no_row_that_they_reported(
    root: Path, tmp_path: Path, proven: Proven
) -> None:
    file = tmp_path / "rows.ndjson"
    out, _ = program(root, KILLED, file, "100").communicate(timeout=120)
    reported = [json.loads(line) for line in out.splitlines()]
    assert len(reported) == 200
    assert sum(count for _, count in reported) >= 50
    append(file, {"writer": "after", "number": 0, "numbers": NUMBERS}, LONG)
    rows = rows_of(file)
    assert {tuple(row["numbers"]) for row in rows} == {tuple(NUMBERS)}
    for name, count in [*reported, ["after", 1]]:
        own = [row["number"] for row in rows if row["writer"] == name]
        assert own == list(range(len(own)))
        # what was written and not yet reported when the signal came is whole, or gone
        assert len(own) in {count, count + 1}
    told = sum(count for _, count in reported)
    proven("SIGKILL: append, two writers", 100, f"{told:,} rows reported, all there, none half")


@pytest.mark.parametrize("size", range(1, len(trials(1)), 7))
def test_a_row_cut_short_anywhere_is_gone_with_the_next(tmp_path: Path, size: int) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(trials(2) + trials(1)[:size])
    append(file, trial("new"), TRIAL)
    kept = [trial("t0", ms=0)] if size == len(trials(1)) - 1 else []
    assert rows_of(file)[2:] == [*kept, trial("new")]


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


def test_a_file_replaced_while_a_writer_waits_gets_the_row(tmp_path: Path) -> None:
    file, other = tmp_path / "rows.ndjson", tmp_path / "other"
    file.write_bytes(trials(2))
    other.write_bytes(trials(1))
    with file.open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = threading.Thread(target=append, args=(file, trial("new"), TRIAL))
        waiting.start()
        waiting.join(0.1)
        other.replace(file)
    waiting.join(10)
    assert rows_of(file) == [trial("t0", ms=0), trial("new")]


FULL = """
import resource, sys
from pathlib import Path
from benchdata.errors import InputError
from benchdata.rows.writing import append
from tests.support.trials import TRIAL, trial
file, room = Path(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + room,) * 2)
try:
    append(file, trial("new"), TRIAL)
except InputError:
    print("refused", end="")
"""


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("room", [0, 1, 20])
def test_a_row_that_does_not_fit_leaves_the_file_as_it_was(
    root: Path, tmp_path: Path, room: int, end: bytes
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(before := trials(2)[:-1] + end)
    assert program(root, FULL, file, str(room)).communicate(timeout=60)[0] == "refused"
    assert file.read_bytes() == before
