"""The harness on the whole: a benchmark of real agents, whose every number is that of a script.

What an agent may do to a run is shown on the whole too, under bubblewrap by way of the gateway, for
the real programs and the scripted agent alike. Only what no run allows is shown at a part.

| behaviour | where |
|---|---|
| arms: installed, listed, read; usage, turns, cost; a stop | here |
| two tools in a message, thinking, a hold of 3 s and of 60 s | `test_whole_turns` |
| killed while held; another model answers | `test_whole_turns` |
| errors (429, 500, 529, 400), repeated requests, a stream that breaks off | `test_whole_turns` |
| side requests: codex that sums up | `test_whole_turns` |
| side requests: claude that searches or sums up, which no run allows | `test_claude_through` |
| subagents: in no tool list of a run (`test_whole_turns`), so at the gateway | `test_*_through` |
| a daemon, a flood, no end, deaf to signals, hidden files, network | `test_whole_hostility` |
| ways out of the sandbox, its limits, its end | `sandbox/test_*` |
| the harness is killed: nothing left, the stage goes on | `test_end`, `test_interrupted_stages` |
"""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.skill_run import SKILL_RUN
from collectors.harness.signals import Stop
from tests.support import command, staged, tiny_benchmark
from tests.support.collecting import wait_until
from tests.support.tiny_benchmark import ARM, AT_ONCE, BASELINE, REPEATS, SPENT, STAGE, TASKS
from tests.support.whole import Whole

FACTS = {
    BASELINE: {"skill_installed": False, "skill_listed": False, "skill_read": False},
    ARM: {"skill_installed": True, "skill_listed": True, "skill_read": True},
}
FAILS = (BASELINE, "odd-title")


@pytest.fixture(scope="module")
def stage(whole: Whole, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stage of the benchmark, executed by one agent."""
    folder = tmp_path_factory.mktemp("tiny")
    assert tiny_benchmark.run(whole, folder) == 0
    return folder / STAGE


def assert_exact(whole: Whole, row: dict[str, Any]) -> None:
    """Every number and fact of a row is that of the script."""
    assert SKILL_RUN.validate(row) == row
    given, made, cached = map(sum, zip(*SPENT[row["arm"]], strict=True))
    assert row["usage"] == [whole.tokens(given, made, cached).model_dump()]
    assert row["total_cost_usd"] == pytest.approx(whole.cost(given, made, cached), abs=1e-12)
    assert (row["outcome"], row["turns"]) == ("completed", len(SPENT[row["arm"]]))
    assert row["passed"] is ((row["arm"], row["task_id"]) != FAILS)
    silent = whole.driver.name == "codex"  # it does not tell which skills it was shown
    facts = FACTS[row["arm"]] | ({"skill_listed": None} if silent else {})
    assert {name: row[name] for name in facts} == facts
    assert row["other_skills"] == (None if silent else 0)
    assert (row["sandbox"], row["endpoint"], row["billing"]) == ("bubblewrap", "stand_in", "none")


def test_every_row_is_exactly_that_of_the_script(whole: Whole, stage: Path) -> None:
    rows = staged.rows(stage)
    staged.assert_whole(stage)
    assert len(rows) == len(FACTS) * len(TASKS) * REPEATS
    for row in rows:
        assert_exact(whole, row)


def test_the_summary_shows_the_lift_of_the_script(stage: Path) -> None:
    done = command.run("summarize", stage, "--format", "json")
    assert done.code == 0, done.err
    (board,) = json.loads(done.out)["leaderboards"]
    means = {entry["arm"]: entry["mean"] for entry in board["entries"]}
    assert means == {ARM: 1.0, BASELINE: 0.5}
    assert "scored 50 points more in score" in board["firstLines"][0]


def test_stopped_and_gone_on_with_it_is_the_same(whole: Whole, tmp_path: Path) -> None:
    stop, place = Stop(), tmp_path / STAGE

    def stop_early() -> None:
        wait_until(lambda: len(staged.rows(place)) > 1)
        stop.request()

    watching = threading.Thread(target=stop_early)
    watching.start()
    assert tiny_benchmark.run(whole, tmp_path, stop) == 2
    watching.join()
    cut = staged.cut_short(place)
    assert len(cut) <= AT_ONCE  # none, when all under way ended as they were told to
    assert tiny_benchmark.run(whole, tmp_path) == 0
    staged.assert_whole(place)
    assert staged.cut_short(place) == cut
    for row in staged.rows(place):
        assert_exact(whole, row)
