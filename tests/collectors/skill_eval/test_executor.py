"""A benchmark on the workers of a Dask cluster: the same rows, and nothing lost without a word."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.benchmarks import SUM, collected, rows_of, written
from tests.support.collecting import wait_until
from tests.support.command import ended, refused, start
from tests.support.dask_cluster import START_S, DaskCluster, dask_cluster, in_process

CELLS = 2
THINKS_S = 20.0
ENDED_S = 15.0
"""Less than an agent would take by itself."""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    """A cluster without workers."""
    with dask_cluster(tmp_path / "cluster") as found:
        yield found


def spec(folder: Path, delay_s: float = 0.0) -> Path:
    """Write a benchmark of two executions that run at once."""
    script = {"default": {"text": "42", "delay_s": delay_s}}
    return written(folder, script=script, tasks=[SUM], concurrency=2)


def begun(file: Path, out: Path, address: str) -> Any:
    """Start the command as a process, and wait until all agents are at work."""
    process = start("collect", "skill-eval", file, "--yes", "--out", out, "--executor", address)
    wait_until(lambda: process.poll() is not None or at_work(out) == CELLS, START_S)
    return process


def at_work(out: Path) -> int:
    """Return how many agents have a folder, which is removed when they have ended."""
    return len([*(out / ".runs").glob("*/agent/work")])


def lost(out: Path) -> set[str]:
    """Return the ids of the attempts that have no row."""
    return {one["run_id"] for one in json.loads((out / "stage/stage.json").read_bytes())["lost"]}


def assert_whole(out: Path) -> None:
    """See that every cell has one scored row, and that nothing an agent saw is left."""
    rows = rows_of(out)
    cells = Counter((row["arm"], row["task_id"], row["repeat"]) for row in rows)
    assert (len(cells), {*cells.values()}) == (CELLS, {1})
    assert {row["score"] for row in rows} == {1.0}
    assert [*(out / ".runs").rglob("agent")] == []


def test_the_workers_give_the_rows_that_this_machine_gives(tmp_path: Path) -> None:
    file = spec(tmp_path / "spec")
    with in_process(2) as address:
        there = collected(file, "--yes", "--out", tmp_path / "there", "--executor", address)
    assert there.code == 0, there.err
    assert f"Workers: those of {address}.\n" in there.err
    assert_whole(tmp_path / "there")
    assert not (tmp_path / "there" / ".workers").exists()


@pytest.mark.slow
def test_an_attempt_is_lost_with_its_worker_and_made_once_more(
    tmp_path: Path, cluster: DaskCluster
) -> None:
    file, out = spec(tmp_path / "spec", THINKS_S), tmp_path / "out"
    dying, _ = cluster.worker(), cluster.worker()
    process = begun(file, out, cluster.address)
    dying.kill()
    done = ended(process)
    assert done.code == 0, done.err
    assert "is gone; will be tried once more" in done.err
    assert_whole(out)
    (gone,) = lost(out)
    assert f"no row: the attempt {gone}" in done.err
    assert len([*(out / ".runs").glob("[!.]*")]) == CELLS + 1


@pytest.mark.slow
def test_the_workers_end_what_a_killed_command_began_and_it_is_gone_on_with(
    tmp_path: Path, cluster: DaskCluster
) -> None:
    file, out = spec(tmp_path / "spec", THINKS_S), tmp_path / "out"
    cluster.worker(), cluster.worker()
    process = begun(file, out, cluster.address)
    process.kill()
    process.communicate(timeout=30)
    wait_until(lambda: at_work(out) == 0, ENDED_S)
    done = collected(file, "--yes", "--out", out, "--executor", cluster.address)
    assert done.code == 0, done.err
    assert len(lost(out)) == CELLS
    assert_whole(out)


@pytest.mark.slow
def test_a_request_to_stop_ends_the_agents_on_the_workers_with_rows(
    tmp_path: Path, cluster: DaskCluster
) -> None:
    file, out = spec(tmp_path / "spec", THINKS_S), tmp_path / "out"
    cluster.worker(), cluster.worker()
    process = begun(file, out, cluster.address)
    process.send_signal(signal.SIGTERM)
    wait_until(lambda: at_work(out) == 0, ENDED_S)
    done = ended(process)
    assert done.code == 2, done.err
    assert done.err.count("cut short in") == CELLS
    assert (rows_of(out), lost(out)) == ([], set())


@pytest.mark.slow
def test_without_its_scheduler_the_command_ends_and_so_do_the_agents(
    tmp_path: Path, cluster: DaskCluster
) -> None:
    file, out = spec(tmp_path / "spec", 10 * THINKS_S), tmp_path / "out"
    cluster.worker(), cluster.worker()
    process = begun(file, out, cluster.address)
    cluster.scheduler.kill()
    done = ended(process)
    assert "has no worker" in refused(done).splitlines()[-1]
    assert len(lost(out)) >= CELLS
    wait_until(lambda: at_work(out) == 0, ENDED_S)


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused_before_anything_runs(
    tmp_path: Path, cluster: DaskCluster
) -> None:
    other = tmp_path / "other" / "benchdata-9.9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: benchdata\nVersion: 9.9.9\n")
    cluster.worker(PYTHONPATH=str(other.parent))
    file, out = spec(tmp_path / "spec"), tmp_path / "out"
    done = collected(file, "--yes", "--out", out, "--executor", cluster.address)
    assert "has benchdata 9.9.9, and here it is" in refused(done)
    assert [*(out / ".runs").glob("[!.]*")] == []
