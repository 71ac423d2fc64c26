"""A command of skill-eval that is killed, interrupted or not alone, and what goes on after it."""

from __future__ import annotations

import json
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import batches
from collectors.skill_eval import benchmark
from tests.support.benchmarks import SUM, collected, rows_of, written
from tests.support.collecting import wait_until
from tests.support.command import ended, refused, start

SLOW: Mapping[str, Any] = {
    "script": {"default": {"text": "42", "delay_s": 1.0}},
    "tasks": [SUM | {"id": f"sum-{number}"} for number in range(3)],
    "concurrency": 2,
}
CELLS = 6


def begun(file: Path, out: Path) -> subprocess.Popen[bytes]:
    """Start the command as a process that runs at once."""
    return start("collect", "skill-eval", file, "--yes", "--out", out)


def finished(out: Path) -> int:
    """Return how many executions have their row."""
    file = batches.rows_of(out)
    return file.read_bytes().count(b"\n") if file.exists() else 0


def assert_whole(out: Path) -> None:
    """See that every cell has one row and that of no run more is left than was recorded."""
    rows = rows_of(out)
    cells = Counter((row["arm"], row["task_id"], row["repeat"]) for row in rows)
    assert (len(cells), {*cells.values()}) == (CELLS, {1})
    assert {row["score"] for row in rows} == {1.0}
    assert [*(out / ".runs").rglob("agent")] == []


@pytest.mark.slow
def test_a_killed_command_is_gone_on_with(tmp_path: Path) -> None:
    file, out = written(tmp_path / "spec", **SLOW), tmp_path / "out"
    process = begun(file, out)
    wait_until(lambda: finished(out) >= 1)
    process.kill()
    process.communicate(timeout=30)
    assert not (out / benchmark.REPORT_HTML).exists()
    kept = batches.rows_of(out).read_bytes()
    done = collected(file, "--yes", "--out", out)
    assert done.code == 0, done.err
    assert "still to run" in done.err
    assert batches.rows_of(out).read_bytes().startswith(kept)
    assert_whole(out)
    lost = json.loads((out / "stage" / "stage.json").read_bytes())["lost"]
    assert {one["run_id"] for one in lost} & {row["run_id"] for row in rows_of(out)} == set()
    assert len([*(out / ".runs").glob("[!.]*")]) <= CELLS + len(lost)


@pytest.mark.slow
def test_an_interrupted_command_ends_in_order_and_is_gone_on_with(tmp_path: Path) -> None:
    file, out = written(tmp_path / "spec", **SLOW), tmp_path / "out"
    process = begun(file, out)
    wait_until(lambda: finished(out) >= 1)
    process.send_signal(signal.SIGINT)
    done = ended(process)
    assert done.code == 2, done.err
    assert "stopping: waiting for the" in done.err
    left = CELLS - finished(out)
    again = "still due; run the same command again to go on"
    assert f"stopped: {left} of {CELLS} executions {again}\n" in done.err
    assert [*(out / ".runs").rglob("agent")] == []
    assert (out / benchmark.REPORT_HTML).exists()
    assert "Leaderboard" in done.out
    assert collected(file, "--yes", "--out", out).code == 0
    assert_whole(out)
    assert json.loads((out / "stage" / "stage.json").read_bytes())["lost"] == []


@pytest.mark.slow
def test_only_one_command_works_in_a_folder(tmp_path: Path) -> None:
    file, out = written(tmp_path / "spec", **SLOW), tmp_path / "out"
    first = begun(file, out)
    wait_until((out / ".runs").exists)
    second = collected(file, "--yes", "--out", out)
    assert "another process works on this stage" in refused(second)
    assert ended(first).code == 0
    assert_whole(out)
