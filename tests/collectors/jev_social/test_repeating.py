"""A series: rows are added to a file until it has N of the group, whatever comes between."""

from __future__ import annotations

import json
import random
import re
import signal
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from tests.support.collecting import alive, collected, flags, started, wait_until, written_task
from tests.support.command import Done
from tests.support.decision_server import Server
from tests.support.intake import lines, rows_of
from tests.support.jev_social import numbered_row
from tests.support.socai_stand_in import calls, direct
from tests.support.stand_ins import stand_ins

HANGS = {"answers": [{"when": "tiktok search", "ignore_term": True, "spawn": 60, "sleep": 60}]}


class Place:
    """A folder with stand-ins, a task and a file of rows."""

    def __init__(self, folder: Path, server: Server, variables: dict[str, str]) -> None:
        self.bin = folder / "bin"
        self.task = written_task(folder)
        self.file = folder / "rows.ndjson"
        self.journal = folder / "rows.ndjson.journal"
        self.server = server
        self.variables = variables

    def arguments(self, count: int | str, **changes: str | None) -> list[str]:
        """Return the flags of a series of `count` rows; `_` for `-` in those that change."""
        more = {f"--{name.replace('_', '-')}": value for name, value in changes.items()}
        return flags(self.task, {"--repeat": str(count), "--append": str(self.file), **more})

    def collect(self, count: int | str, **changes: str | None) -> Done:
        """Run a series to its end."""
        return collected(self.variables, *self.arguments(count, **changes))

    def journalled(self) -> list[str]:
        """Return the run ids in the journal."""
        return [row["run_id"] for row in rows_of(self.journal)]

    def runs(self) -> list[str]:
        """Return the run ids of the file, each of whose rows is valid."""
        return [JEV_SOCIAL.validate(row)["run_id"] for row in rows_of(self.file)]

    def unwritten(self) -> set[str]:
        """Return the run ids in the journal without a row."""
        return set(self.journalled()) - set(self.runs() if self.file.exists() else [])

    def wait_for_journal(self, size: int) -> None:
        """Wait until the journal has more than `size` bytes."""
        wait_until(lambda: self.journal.exists() and self.journal.stat().st_size > size)

    def searching(self) -> list[int]:
        """Return the process ids of searches."""
        return [
            call["pid"]
            for call in calls(self.bin)
            if call["argv"][1:2] == ["search"] and "--help" not in call["argv"]
        ]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with stand_ins(tmp_path) as (server, variables):
        yield Place(tmp_path, server, variables)


def said(done: Done) -> list[str]:
    """Return what a series says, without the stages of its attempts."""
    lines = [line.removeprefix("[benchmark] ") for line in done.err.splitlines()]
    return [line for line in lines if " " in line]


def test_each_attempt_gets_a_row_and_is_journalled(place: Place) -> None:
    done = place.collect(2)
    assert (done.code, done.out) == (0, "")
    assert said(done) == [
        "0 of 2 rows of this group",
        "row 1 of 2: goal_satisfied",
        "row 2 of 2: goal_satisfied",
        "2 of 2 rows of this group",
    ]
    assert place.runs() == place.journalled()
    assert all(uuid.UUID(run).version == 4 for run in place.runs())


def test_the_same_command_goes_on_and_then_has_nothing_to_do(place: Place) -> None:
    assert place.collect(1).code == 0
    first = place.file.read_bytes()
    done = place.collect(2)
    assert done.code == 0
    assert said(done)[0] == "1 of 2 rows of this group"
    assert place.file.read_bytes().startswith(first)
    assert len(place.runs()) == 2
    asked = len(place.server.requests)
    done = place.collect(2)
    assert (done.code, said(done)) == (0, ["2 of 2 rows of this group"])
    assert len(place.server.requests) == asked


def test_rows_of_other_groups_and_a_torn_one_do_not_count(place: Place) -> None:
    others = lines([numbered_row(1), numbered_row(2, 1)])
    place.file.write_bytes(others + b'{"schema_version":2,"run_id":"')
    assert place.collect(1).code == 0
    assert place.file.read_bytes().startswith(others)
    assert len(place.runs()) == 3
    assert place.collect(1, region="synthetic-far").code == 0
    assert len(place.runs()) == 4


def test_a_failed_attempt_counts(place: Place) -> None:
    direct(place.bin, {"version": "socai 0.5.9"})
    done = place.collect(1)
    assert done.code == 0
    assert said(done)[1] == "row 1 of 1: capability_unavailable"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_row_and_ends_the_series(place: Place, number: int) -> None:
    direct(place.bin, HANGS)
    process = started(place.variables, *place.arguments(3))
    wait_until(lambda: place.searching() != [])
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, b"")
    (row,) = rows_of(place.file)
    assert (row["stop_reason"], row["run_id"]) == ("interrupted", *place.journalled())
    assert not any(map(alive, place.searching()))
    direct(place.bin, {})
    assert place.collect(2).code == 0


def test_a_killed_attempt_is_named_by_every_later_command(place: Place) -> None:
    direct(place.bin, HANGS)
    process = started(place.variables, *place.arguments(2))
    wait_until(lambda: place.searching() != [])
    process.kill()
    process.communicate(timeout=30)
    assert not place.file.exists()
    (lost,) = rows_of(place.journal)
    direct(place.bin, {})
    for _ in range(2):
        done = place.collect(2)
        assert done.code == 2
        name = f"no row: the attempt {lost['run_id']} begun at {lost['begun_at']}"
        assert said(done).index(name) == 1
    assert len(place.runs()) == 2
    assert place.journalled() == [lost["run_id"], *place.runs()]
    # its group is another's: that one has lost nothing
    assert place.collect(1, region="synthetic-far").code == 0


@pytest.mark.slow
def test_signals_at_any_moment_leave_no_attempt_unaccounted_for(place: Place) -> None:
    draw = random.Random(5)
    for _ in range(16):
        before = place.journal.stat().st_size if place.journal.exists() else 0
        lost = place.unwritten() if before else set()
        process = started(place.variables, *place.arguments(1000))
        place.wait_for_journal(before)
        time.sleep(draw.uniform(0, 1.5))
        number = draw.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
        assert process.returncode in {2, -signal.SIGKILL}, err
        assert len(place.unwritten() - lost) <= (number == signal.SIGKILL)
    lost = place.unwritten()
    done = place.collect(len(place.runs()) + 1)
    assert set(re.findall("no row: the attempt ([0-9a-f-]{36})", done.err)) == lost


def test_a_journal_torn_by_a_kill_names_no_attempt(place: Place) -> None:
    place.journal.write_bytes(b'{"run_id":"')
    assert place.collect(1).code == 0
    assert place.journalled() == place.runs()


def test_a_cold_series_restarts_the_session_before_each_attempt(place: Place) -> None:
    log = place.file.with_name("restarts")
    command = f"echo secret; echo secret >&2; wc -l < {place.journal} >> {log}"
    done = place.collect(2, condition="cold", between=command)
    assert done.code == 0
    assert log.read_text("utf-8").split() == ["0", "1"]
    assert "secret" not in done.err + done.out


def test_no_attempt_is_begun_after_a_restart_that_failed(place: Place) -> None:
    done = place.collect(2, condition="cold", between=f"test ! -s {place.journal}")
    assert done.code == 2
    assert len(place.runs()) == 1
    done = place.collect(2, condition="cold", between="exit 3")
    assert done.code == 1
    assert said(done)[-1].startswith("--between: the command failed")
    assert len(place.runs()) == len(place.journalled()) == 1


def test_a_signal_during_a_restart_ends_it_and_the_series(place: Place) -> None:
    pid = place.file.with_name("pid")
    command = f"trap '' TERM; sleep 60 & echo $! > {pid}; wait"
    process = started(place.variables, *place.arguments(2, condition="cold", between=command))
    wait_until(lambda: pid.exists() and pid.read_text("utf-8") != "")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 1
    assert not alive(int(pid.read_text("utf-8")))
    assert place.journal.read_bytes() == b""


def test_two_commands_do_not_collect_into_one_file(place: Place) -> None:
    direct(place.bin, HANGS)
    process = started(place.variables, *place.arguments(1))
    wait_until(lambda: place.searching() != [])
    done = place.collect(1)
    assert done.code == 1
    assert "--append: another command collects into this file" in done.err
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert len(place.runs()) == 1


def test_a_row_that_cannot_be_appended_is_on_standard_output(place: Place) -> None:
    direct(place.bin, {"answers": [{"when": "tiktok search", "sleep": 2}]})
    process = started(place.variables, *place.arguments(2))
    wait_until(lambda: place.searching() != [])
    place.file.mkdir()
    out, err = process.communicate(timeout=30)
    assert process.returncode == 2
    row = JEV_SOCIAL.validate(json.loads(out))
    assert [row["run_id"]] == place.journalled()
    assert str(place.file) not in err.decode()
    place.file.rmdir()
    place.file.write_bytes(out)
    assert place.collect(1).code == 0


REFUSED: dict[str, tuple[Callable[[Place], Any], dict[str, str | None], str]] = {
    "no file": (lambda _: None, {"append": None}, "--append: is missing"),
    "no number": (lambda _: None, {"repeat": None}, "--repeat: is missing"),
    "only between": (
        lambda _: None,
        {"repeat": None, "append": None, "between": "x"},
        "--repeat: is missing",
    ),
    "zero": (lambda _: None, {"repeat": "0"}, "--repeat: must be"),
    "many": (lambda _: None, {"repeat": "10001"}, "--repeat: must be"),
    "other digits": (lambda _: None, {"repeat": "\u0662"}, "--repeat: must be"),
    "cold": (lambda _: None, {"condition": "cold"}, "--repeat: only the first"),
    "warm": (lambda _: None, {"between": "x"}, "--between: restarts the session"),
    "suffix": (lambda _: None, {"append": "rows.ndjson.gz"}, "--append: must be a regular file"),
    "folder": (lambda place: place.file.mkdir(), {}, "--append: must be a regular file"),
    "nowhere": (lambda _: None, {"append": "no/where.ndjson"}, "--append: no journal"),
    "bad row": (
        lambda place: place.file.write_bytes(lines([numbered_row(1), numbered_row(2, region="-")])),
        {},
        "--append: line 2 is no valid row",
    ),
    "no row": (
        lambda place: place.file.write_bytes(b"note"),
        {},
        "--append: line 1 is no valid row",
    ),
    "journal": (
        lambda place: place.journal.write_bytes(b"{}\n"),
        {},
        "--append: line 1 of the jou",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_nothing_is_begun_when_the_flags_or_the_files_are_wrong(place: Place, case: str) -> None:
    prepare, changes, message = REFUSED[case]
    prepare(place)
    before = place.file.read_bytes() if place.file.is_file() else None
    done = place.collect(2, **changes)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"benchdata: {message}")
    assert str(place.file.parent) not in done.err
    assert calls(place.bin) == []
    assert before == (place.file.read_bytes() if place.file.is_file() else None)
