"""The command: its plan, what it refuses, its order, and how it goes on after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import benchdata
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.errors import BenchdataError
from collectors.build_bench import lanes, scripts
from collectors.build_bench.cli import AGENTS, VARIANTS, main
from collectors.build_bench.prompts import VARIANTS as TOLD
from collectors.harness.agents.registry import DRIVERS
from collectors.harness.batches import RUNS
from tests.collectors.build_bench.attempts import T1, bash, made, scripted, start, turn
from tests.support.whole import processes_with

NODE = ("self", "--lane", "node", "--task", T1, "--agent", "scripted")


def test_the_options_are_those_that_there_are() -> None:
    assert VARIANTS == TOLD
    assert tuple(DRIVERS) == AGENTS


@pytest.mark.usefixtures("node")
def test_the_plan_and_its_worst_cost_come_first_and_nobody_runs_it_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "batch"
    options = ("--repeats", "3", "--max-turns", "10", "--max-wall", "600", "--model")
    with pytest.raises(BenchdataError, match="--yes"):
        main([*NODE, *options, "claude-opus-4-5", "--out", str(out)])
    said = capsys.readouterr().err
    assert "1 arm × 1 task × 3 repeats = 3 executions" in said
    assert "at most 10 min each, so 0.5 agent-hours at worst" in said
    # 10 turns of 500, 1,500, 2,500 and 60,000 tokens at 5, 25, 6.25 and 0.5 USD per million
    assert "about 2.57 USD" in said
    assert "at worst, 10 turns" in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--lane", "nod"), "did you mean `node`"),
        (("--task", "t9"), "no task is named so"),
        (("--lane", "encore"), "lane encore"),
        (("--lane", "hono", "--task", "t2-worker"), "has no reference of t1-storefront-api"),
        (("--lane", "node", "--task", "t2-worker"), "has no script for t2-worker in lane node"),
        (("--max-turns", "0"), "whole number from 1"),
        (("--agent", "gemini"), "invalid choice"),
    ],
)
def test_what_cannot_be_run_is_refused(options: tuple[str, ...], words: str) -> None:
    with pytest.raises(BenchdataError, match=words):
        main(["self", "--agent", "scripted", "--yes", *options])


@pytest.mark.parametrize("command", [("conformance", "--task", T1), (*NODE, "--yes")])
def test_without_the_extra_it_says_what_to_install(command: tuple[str, ...]) -> None:
    program = (
        "import sys; sys.modules.update(dict.fromkeys(('httpx', 'uvicorn')));"
        " from benchdata.cli import main; main()"
    )
    argv = [sys.executable, "-c", program, "collect", "build-bench", *command]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    said = "benchdata: uvicorn is not installed: pip install 'benchdata[agents]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


@pytest.mark.usefixtures("node")
def test_a_folder_of_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "batch").mkdir()
    (tmp_path / "batch" / "mine.txt").touch()
    with pytest.raises(BenchdataError, match="holds files and nothing to go on with"):
        made(tmp_path)
    (tmp_path / "batch" / "mine.txt").unlink()
    scripted(tmp_path, monkeypatch, [start("exit 1")])
    made(tmp_path)
    with pytest.raises(BenchdataError, match=r"variant was \"plain\" and is \"hardening\""):
        made(tmp_path, "--variant", "hardening")


@pytest.mark.usefixtures("node")
def test_repeats_are_rows_of_one_batch_in_the_order_of_their_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(tmp_path, monkeypatch, [start("exit 1")])
    batch = made(tmp_path, "--repeats", "2", "--seed", "3", "--variant", "context")
    assert batch.code == 0
    rows = batch.rows
    assert [row["position"] for row in rows] == [0, 1]
    assert {row["repeat"] for row in rows} == {1, 2}
    assert {row["variant"] for row in rows} == {"context"}
    assert len({row["suite_id"] for row in rows}) == 1
    assert {row["planned_repeats"] for row in rows} == {2}
    told = (batch.run(rows[0]) / "prompt.md").read_text("utf-8")
    assert lanes.lane("node").context in told
    whole = benchdata.open([str(batch.folder)])
    assert whole.rows == 2  # what is kept of the runs is not taken for rows


@pytest.mark.usefixtures("node")
def test_killed_while_the_agent_is_held_nothing_is_left_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = f"29{os.getpid()}"
    scripted(tmp_path, monkeypatch, [turn(bash(f"(sleep {mark}1 &) ")), start(f"sleep {mark}2")])
    out = tmp_path / "batch"
    program = (
        "import sys; from pathlib import Path; from collectors.build_bench import cli, scripts;"
        f" scripts.FOLDER = Path({str(scripts.FOLDER)!r}); cli.main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", program, *NODE, "--yes", "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        give_up = time.monotonic() + 60
        while not processes_with(f"{mark}2"):
            assert time.monotonic() < give_up, "the service did not start"
            time.sleep(0.05)
        assert processes_with(f"{mark}1")  # of the agent, which is held
        process.send_signal(signal.SIGKILL)
    give_up = time.monotonic() + 10
    while processes_with(mark):
        assert time.monotonic() < give_up, "something is left"
        time.sleep(0.05)
    (lost,) = (path for path in (out / RUNS).iterdir() if path.is_dir())
    assert (lost / "turns/0001/suite.json").exists()
    scripted(tmp_path / "again", monkeypatch, [start("exit 1")])
    batch = made(tmp_path)
    assert batch.code == 0
    assert batch.row["stop_cause"] == "agent_ended"
    stage = json.loads((out / "stage/stage.json").read_text("utf-8"))
    assert [one["run_id"] for one in stage["lost"]] == [lost.name]
    assert not (lost / "agent").exists()
    assert not (lost / "scratch").exists()
    assert (lost / "turns/0001/suite.json").exists()
    assert BUILD_RUN.validate(batch.row)
