"""Executing a stage: some at once, every row kept, one retry of what the infrastructure lost."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError, RowError
from collectors.harness.running import GIVE_UP_AFTER, HALT
from collectors.harness.signals import Stop
from tests.support import staged
from tests.support.staged import AT_ONCE, EXECUTORS, EXPERIMENT, direct, go_on

CELLS = len(EXPERIMENT.arms) * len(EXPERIMENT.tasks) * EXPERIMENT.repeats


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "benchmark" / "stage"


@pytest.mark.parametrize("executor", EXECUTORS)
def test_every_cell_gets_its_row_and_lost_runs_one_retry(folder: Path, executor: str) -> None:
    direct(folder, lost=["task-2"])
    assert go_on(folder, executor) == 0
    staged.assert_whole(folder)
    retried = Counter(row["task_id"] for row in staged.rows(folder) if row["retry_of"])
    assert retried == {"task-2": 4}
    assert [row["outcome"] for row in staged.rows(folder)].count("infrastructure") == 4


def test_what_is_lost_twice_stays_lost_and_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    direct(folder, always_lost=["task-2"])
    assert go_on(folder) == 2
    staged.assert_whole(folder)
    assert len(staged.rows(folder)) == CELLS + 4
    said = capsys.readouterr().err
    assert said.count("rate_limited") == 8
    assert said.count("will be tried once more") == 4
    assert "[made-up] 12 of 12 cells done, 4 without a score\n" in said


def test_no_more_than_the_given_number_are_under_way(folder: Path) -> None:
    direct(folder, seconds=0.05)
    assert go_on(folder) == 0
    begun = sorted((row["started_at"], row["ended_at"]) for row in staged.rows(folder))
    at_once = [sum(start <= other <= end for start, end in begun) for other, _ in begun]
    assert 1 < max(at_once) <= AT_ONCE + 1  # milliseconds are rounded


def test_an_outage_does_not_use_up_the_cells(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    direct(folder, always_lost=EXPERIMENT.tasks)
    assert go_on(folder) == 2
    assert GIVE_UP_AFTER <= len(staged.rows(folder)) < GIVE_UP_AFTER + AT_ONCE
    assert "no more are begun; mend that" in capsys.readouterr().err
    direct(folder)
    assert go_on(folder) == 0
    staged.assert_whole(folder)


def test_a_fault_of_the_program_lets_the_others_end_first(folder: Path) -> None:
    direct(folder, raises=["task-1"], seconds=0.05)
    with pytest.raises(ValueError, match="a fault of the program"):
        go_on(folder)
    assert 0 < len(staged.calls(folder)) - len(staged.rows(folder)) <= AT_ONCE
    direct(folder)
    assert go_on(folder) == 0
    staged.assert_whole(folder)


def test_an_invalid_row_is_no_row(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    direct(folder, row={"score": 2})
    with pytest.raises(RowError, match="score"):
        go_on(folder)
    assert staged.rows(folder) == []
    assert "no row: the attempt" in capsys.readouterr().err


def test_a_worker_that_dies_is_said_without_a_traceback(folder: Path) -> None:
    direct(folder, dies=["task-1"], seconds=0.02)
    with pytest.raises(BenchdataError, match="a worker process died"):
        go_on(folder, "processes")
    direct(folder)
    assert go_on(folder, "processes") == 0
    staged.assert_whole(folder)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_request_to_stop_ends_what_runs_with_rows(folder: Path, executor: str) -> None:
    direct(folder, seconds=60)
    stop = Stop()
    threading.Timer(0.6, stop.request).start()
    assert go_on(folder, executor, stop) == 2
    assert [row["outcome"] for row in staged.cut_short(folder)] == ["interrupted"] * AT_ONCE
    assert staged.rows(folder) == []
    assert not (folder / "stop").exists()
    direct(folder)
    assert go_on(folder, executor) == 0
    staged.assert_whole(folder)


def test_nothing_is_begun_after_a_request_to_stop(folder: Path) -> None:
    direct(folder)
    stop = Stop()
    stop.request()
    assert go_on(folder, stop=stop) == 2
    assert staged.calls(folder) == []


def test_a_finished_stage_has_nothing_to_do(folder: Path) -> None:
    direct(folder)
    assert go_on(folder) == 0
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert go_on(folder) == 0
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_what_is_in_the_way_of_stopping_is_named(folder: Path) -> None:
    direct(folder)
    (folder / HALT).mkdir(parents=True)
    (folder / HALT).rename(folder.parent / HALT)
    folder.rmdir()
    assert go_on(folder) == 0
    (folder.parent / HALT).rename(folder / HALT)
    with pytest.raises(BenchdataError, match=f"{HALT}: is in the way"):
        go_on(folder)
