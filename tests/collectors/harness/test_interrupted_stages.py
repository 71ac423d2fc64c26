"""Stages that are killed or interrupted: gone on with, no cell loses its row or gets a second."""

from __future__ import annotations

import json
import random
import signal
import time
from pathlib import Path

import pytest

from collectors.harness import stages
from tests.support import staged
from tests.support.collecting import in_groups, wait_until
from tests.support.proven import Proven
from tests.support.staged import AT_ONCE, direct, go_on, start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "benchmark" / "stage"


def size(file: Path) -> int:
    """Return how long a file is, 0 where it is not there."""
    return file.stat().st_size if file.exists() else 0


def kill_once(folder: Path, seconds: float) -> bool:
    """Kill a process so long after its first attempt began; return whether it still ran."""
    before = size(folder / stages.JOURNAL)
    process = start(folder)
    wait_until(lambda: size(folder / stages.JOURNAL) > before or process.poll() is not None)
    time.sleep(seconds)
    process.kill()
    _, said = process.communicate(timeout=30)
    assert process.returncode in {0, 2, -signal.SIGKILL}, said
    assert b"Traceback" not in said
    wait_until(lambda: in_groups({process.pid}) == [], 10)
    return process.returncode == -signal.SIGKILL


MANY = pytest.param(100, marks=[pytest.mark.slow, pytest.mark.faults])


@pytest.mark.parametrize("kills", [8, MANY])
def test_kills_at_any_moment_lose_no_cell_and_double_none(
    tmp_path: Path, kills: int, proven: Proven
) -> None:
    draw = random.Random(kills)
    killed = whole = lost = 0
    folder = tmp_path / "0" / "stage"
    while killed < kills:
        direct(folder, seconds=0.05, lost=["task-2"])
        killed += kill_once(folder, draw.uniform(0, 0.25))
        if len(staged.rows(folder)) == 16:
            lost += finished(folder)
            whole += 1
            folder = tmp_path / str(whole) / "stage"
    lost += finished(folder)
    assert lost > 0
    held = f"{whole + 1:,} benchmarks whole, no cell twice; {lost:,} lost attempts named"
    proven("SIGKILL: collect, an agent benchmark", kills, held)


def finished(folder: Path) -> int:
    """Go on to the end, check the whole, and return how many attempts were lost."""
    assert go_on(folder) == 0
    staged.assert_whole(folder)
    return len(json.loads((folder / "stage.json").read_bytes())["lost"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_the_rows_of_what_runs(folder: Path, number: signal.Signals) -> None:
    direct(folder, seconds=60)
    process = start(folder)
    wait_until(lambda: len(staged.calls(folder)) == AT_ONCE)
    process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 2, said
    assert said.count(b": cut short in ") == said.count(b"; still due") == AT_ONCE
    assert b"[made-up] 0 of 12 cells done\n" in said
    assert [row["outcome"] for row in staged.cut_short(folder)] == ["interrupted"] * AT_ONCE
    assert in_groups({process.pid}) == []
    direct(folder)
    assert go_on(folder) == 0
    staged.assert_whole(folder)
    assert json.loads((folder / "stage.json").read_bytes())["lost"] == []


def test_a_second_signal_ends_it_at_once(folder: Path) -> None:
    direct(folder, seconds=60, deaf=True)
    process = start(folder)
    wait_until(lambda: len(staged.calls(folder)) == AT_ONCE)
    process.send_signal(signal.SIGINT)
    assert process.stderr
    assert b"stopping: waiting for the 3 attempts under way" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    direct(folder)
    assert go_on(folder) == 0
    staged.assert_whole(folder)


def test_a_second_process_on_a_stage_is_refused(folder: Path) -> None:
    direct(folder, seconds=60)
    first = start(folder)
    wait_until(lambda: len(staged.calls(folder)) == AT_ONCE)
    second = start(folder)
    _, said = second.communicate(timeout=30)
    assert (second.returncode, len(staged.calls(folder))) == (1, AT_ONCE)
    assert said.decode() == f"{folder}: another process works on this stage; wait for its end\n"
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=30)
    assert len(staged.cut_short(folder)) == AT_ONCE
