"""A series that is interrupted: what began has a row or is named, and nothing is left running."""

from __future__ import annotations

import random
import re
import signal
import time

import pytest

from tests.collectors.jev_social.conftest import Series
from tests.support.collecting import alive, in_groups, said, started, wait_until
from tests.support.intake import rows_of
from tests.support.proven import Proven
from tests.support.socai_stand_in import direct

SIGNALS = 100


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_row_and_ends_the_series(series: Series, number: int) -> None:
    series.hang()
    process = started(series.variables, *series.arguments(3))
    wait_until(lambda: series.searching() != [])
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, b"")
    (row,) = rows_of(series.file)
    assert (row["stop_reason"], row["run_id"]) == ("interrupted", *series.journalled())
    assert not any(map(alive, series.searching()))
    direct(series.bin, {})
    assert series.collect(2).code == 0


def test_a_killed_attempt_is_named_by_every_later_command(series: Series) -> None:
    series.hang()
    process = started(series.variables, *series.arguments(2))
    wait_until(lambda: series.searching() != [])
    process.kill()
    process.communicate(timeout=30)
    wait_until(lambda: in_groups(set(series.searching())) == [], 10)
    assert not series.file.exists()
    (lost,) = rows_of(series.journal)
    direct(series.bin, {})
    for _ in range(2):
        done = series.collect(2)
        assert done.code == 2
        name = f"no row: the attempt {lost['run_id']} begun at {lost['begun_at']}"
        assert said(done).index(name) == 1
    assert len(series.runs()) == 2
    assert series.journalled() == [lost["run_id"], *series.runs()]
    # its group is another's: that one has lost nothing
    assert series.collect(1, region="synthetic-far").code == 0


@pytest.mark.faults
@pytest.mark.slow
def test_signals_at_any_moment_leave_no_attempt_unaccounted_for(
    series: Series, proven: Proven
) -> None:
    draw = random.Random(5)
    for _ in range(SIGNALS):
        before = series.journal.stat().st_size if series.journal.exists() else 0
        lost = series.unwritten() if before else set()
        process = started(series.variables, *series.arguments(1000))
        series.wait_for_journal(before)
        time.sleep(draw.uniform(0, 1.5))
        number = draw.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
        assert process.returncode in {2, -signal.SIGKILL}, err
        assert len(series.unwritten() - lost) <= (number == signal.SIGKILL)
    lost = series.unwritten()
    done = series.collect(len(series.runs()) + 1)
    assert set(re.findall("no row: the attempt ([0-9a-f-]{36})", done.err)) == lost
    held = f"{len(series.runs()):,} valid rows; {len(lost):,} lost attempts, each named"
    proven("SIGKILL, SIGTERM, SIGINT: collect jev-social", SIGNALS, held)


def test_a_signal_during_a_restart_ends_it_and_the_series(series: Series) -> None:
    pid = series.file.with_name("pid")
    command = f"trap '' TERM; sleep 60 & echo $! > {pid}; wait"
    process = started(series.variables, *series.arguments(2, condition="cold", between=command))
    wait_until(lambda: pid.exists() and pid.read_text("utf-8") != "")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 1
    assert not alive(int(pid.read_text("utf-8")))
    assert series.journal.read_bytes() == b""


def test_a_second_signal_during_a_restart_ends_it_too(series: Series) -> None:
    pid = series.file.with_name("pid")
    command = f"trap '' TERM; sleep 60 & echo $! > {pid}; wait; sleep 60"
    process = started(series.variables, *series.arguments(2, condition="cold", between=command))
    wait_until(lambda: pid.exists() and pid.read_text("utf-8") != "")
    process.send_signal(signal.SIGTERM)
    time.sleep(0.2)  # two that come at once are one
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGTERM
    wait_until(lambda: not alive(int(pid.read_text("utf-8"))), 10)
