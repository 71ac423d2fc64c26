"""A series: rows are added to a file until it has N of the group, whatever comes between."""

from __future__ import annotations

import json
import os
import signal
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from tests.collectors.jev_social.conftest import Series
from tests.support.collecting import said, started, wait_until
from tests.support.intake import lines
from tests.support.jev_social import numbered_row
from tests.support.socai_stand_in import calls, direct


def test_each_attempt_gets_a_row_and_is_journalled(series: Series) -> None:
    done = series.collect(2)
    assert (done.code, done.out) == (0, "")
    assert said(done) == [
        "0 of 2 rows of this group",
        "row 1 of 2: goal_satisfied",
        "row 2 of 2: goal_satisfied",
        "2 of 2 rows of this group",
    ]
    assert series.runs() == series.journalled()
    assert all(uuid.UUID(run).version == 4 for run in series.runs())


def test_the_same_command_goes_on_and_then_has_nothing_to_do(series: Series) -> None:
    assert series.collect(1).code == 0
    first = series.file.read_bytes()
    done = series.collect(2)
    assert done.code == 0
    assert said(done)[0] == "1 of 2 rows of this group"
    assert series.file.read_bytes().startswith(first)
    assert len(series.runs()) == 2
    asked = len(series.server.requests)
    done = series.collect(2)
    assert (done.code, said(done)) == (0, ["2 of 2 rows of this group"])
    assert len(series.server.requests) == asked


def test_rows_of_other_groups_and_a_torn_one_do_not_count(series: Series) -> None:
    others = lines([numbered_row(1), numbered_row(2, 1)])
    series.file.write_bytes(others + b'{"schema_version":2,"run_id":"')
    assert series.collect(1).code == 0
    assert series.file.read_bytes().startswith(others)
    assert len(series.runs()) == 3
    assert series.collect(1, region="synthetic-far").code == 0
    assert len(series.runs()) == 4


def test_a_failed_attempt_counts(series: Series) -> None:
    direct(series.bin, {"version": "socai 0.5.9"})
    done = series.collect(1)
    assert done.code == 0
    assert said(done)[1] == "row 1 of 1: capability_unavailable"


def test_a_journal_torn_by_a_kill_names_no_attempt(series: Series) -> None:
    series.journal.write_bytes(b'{"run_id":"')
    assert series.collect(1).code == 0
    assert series.journalled() == series.runs()


def test_a_cold_series_restarts_the_session_before_each_attempt(series: Series) -> None:
    log = series.file.with_name("restarts")
    command = f"echo secret; echo secret >&2; wc -l < {series.journal} >> {log}"
    done = series.collect(2, condition="cold", between=command)
    assert done.code == 0
    assert log.read_text("utf-8").split() == ["0", "1"]
    assert "secret" not in done.err + done.out


def test_no_attempt_is_begun_after_a_restart_that_failed(series: Series) -> None:
    done = series.collect(2, condition="cold", between=f"test ! -s {series.journal}")
    assert done.code == 2
    assert len(series.runs()) == 1
    done = series.collect(2, condition="cold", between="exit 3")
    assert done.code == 1
    assert said(done)[-1].startswith("--between: the command failed")
    assert len(series.runs()) == len(series.journalled()) == 1


def test_two_commands_do_not_collect_into_one_file(series: Series) -> None:
    series.hang()
    process = started(series.variables, *series.arguments(1))
    wait_until(lambda: series.searching() != [])
    done = series.collect(1)
    assert done.code == 1
    assert "--append: another command collects into this file" in done.err
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert len(series.runs()) == 1


def test_a_row_that_cannot_be_appended_is_on_standard_output(series: Series) -> None:
    direct(series.bin, {"answers": [{"when": "tiktok search", "sleep": 2}]})
    process = started(series.variables, *series.arguments(2))
    wait_until(lambda: series.searching() != [])
    series.file.mkdir()
    out, err = process.communicate(timeout=30)
    assert process.returncode == 2
    row = JEV_SOCIAL.validate(json.loads(out))
    assert [row["run_id"]] == series.journalled()
    assert str(series.file) not in err.decode()
    series.file.rmdir()
    series.file.write_bytes(out)
    assert series.collect(1).code == 0


def test_a_row_that_nothing_takes_is_said_to_be_lost(series: Series) -> None:
    direct(series.bin, {"answers": [{"when": "tiktok search", "sleep": 2}]})
    with Path("/dev/full").open("wb") as full:
        process = started(series.variables, *series.arguments(2), stdout=full)
        wait_until(lambda: series.searching() != [])
        series.file.mkdir()
        _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "--append: the row cannot be written, nor to standard output: it is lost" in err.decode()
    assert "Traceback" not in err.decode()


def test_a_link_to_the_file_has_its_journal(series: Series) -> None:
    link = series.file.with_name("link.ndjson")
    link.symlink_to(series.file)
    assert series.collect(1, append=str(link)).code == 0
    assert series.journalled() == series.runs()
    assert not link.with_name("link.ndjson.journal").exists()


ENTRY = b'{"run_id":"c0ffee00-0000-4000-8000-000000000000","begun_at":"2026-01-01T00:00:00.000Z"}'
DAMAGED = "--append: line 1 of the journal"

REFUSED: dict[str, tuple[Callable[[Series], Any], str]] = {
    "nowhere": (
        lambda series: series.file.symlink_to("no/where.ndjson"),
        "--append: no journal can be kept beside it",
    ),
    "bad row": (
        lambda series: series.file.write_bytes(
            lines([numbered_row(1), numbered_row(2, region="-")])
        ),
        "--append: line 2 is no valid row",
    ),
    "no row": (lambda series: series.file.write_bytes(b"note"), "--append: line 1 is no valid row"),
    "journal": (lambda series: series.journal.write_bytes(b"{}\n"), DAMAGED),
    "journal of lists": (lambda series: series.journal.write_bytes(b"[]\n"), DAMAGED),
    "journal without pins": (lambda series: series.journal.write_bytes(ENTRY + b"\n"), DAMAGED),
    "journal in a pipe": (
        lambda series: os.mkfifo(series.journal),
        "--append: the journal beside the file cannot be read",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_nothing_is_begun_when_the_files_are_wrong(series: Series, case: str) -> None:
    prepare, message = REFUSED[case]
    prepare(series)
    before = series.file.read_bytes() if series.file.is_file() else None
    done = series.collect(2)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"[benchmark] invalid_input\nbenchdata: {message}")
    assert str(series.file.parent) not in done.err
    assert calls(series.bin) == []
    assert before == (series.file.read_bytes() if series.file.is_file() else None)
