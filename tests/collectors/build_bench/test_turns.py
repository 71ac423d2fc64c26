"""The turns of an attempt: what is judged again, what is the best, and what a service cannot do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collectors.build_bench import starters
from collectors.build_bench.lanes import lane
from collectors.build_bench.suites.api import Api
from collectors.build_bench.suites.probes import Probe, Suite
from collectors.build_bench.turns import Judge, Turns
from collectors.harness.sandbox.probe import choose

pytestmark = pytest.mark.usefixtures("node")
SERVICE = """
import { createServer } from "node:http";
createServer((request, response) => {
  const status = request.url === "/health" || PATHS.includes(request.url) ? 200 : 404;
  response.writeHead(status).end();
}).listen(process.env.PORT, "127.0.0.1");
"""


def asked(path: str) -> Probe:
    async def check(api: Api) -> None:
        (await api.get(path)).expect(200)

    return Probe(path.strip("/"), "core", check)


PROBES = Suite("t", (asked("/a"), asked("/b"), asked("/c")), ())


@pytest.fixture
def turns(tmp_path: Path) -> Turns:
    (tmp_path / "work").mkdir()
    judge = Judge(PROBES, starters.prepare(lane("node")), choose(), lambda: False)
    return Turns.of(tmp_path / "work", tmp_path, judge)


def answering(turns: Turns, *paths: str, before: str = "") -> None:
    """Let the work folder hold a service that knows some paths."""
    told = f"const PATHS = {json.dumps(list(paths))};{SERVICE}"
    (turns.work / "server.mjs").write_text(told, "utf-8")
    start = turns.work / "start.sh"
    start.write_text(f"#!/bin/sh\n{before}\nexec node server.mjs\n", "utf-8")
    start.chmod(0o755)


def rates(turns: Turns) -> list[int]:
    return [turn.evaluation.passed for turn in turns.done]


def test_the_first_of_the_best_turns_scores_and_its_copy_outlives_the_others(
    turns: Turns,
) -> None:
    for number, paths in enumerate((["/a"], ["/a", "/b"], [], ["/b", "/c"]), 1):
        answering(turns, *paths)
        assert turns.over(number) == "go"
    assert rates(turns) == [1, 2, 0, 2]
    assert turns.best is turns.done[1]
    assert turns.green is None
    assert {path.name for path in turns.scratch.iterdir()} == {"seed", "0002", "0004"}
    answering(turns, "/a", "/b", "/c")
    assert turns.over(5) == "stop"
    assert turns.green is turns.best is turns.done[4]


def test_a_turn_that_changes_nothing_has_the_result_of_the_one_before(turns: Turns) -> None:
    answering(turns, "/a")
    turns.over(1)
    (turns.work / "__pycache__").mkdir()
    (turns.work / "__pycache__" / "x.pyc").write_text("x", "utf-8")
    turns.over(2)
    first, second = turns.done
    assert (first.fresh, second.fresh) == (True, False)
    assert second.evaluation is first.evaluation
    told = json.loads((turns.kept / "0002" / "suite.json").read_text("utf-8"))
    assert (told["turn"], told["fresh"]) == (2, False)


@pytest.mark.parametrize(("paths", "passed"), [(["/a", "/b"], 2), ([], 1)])
def test_what_is_left_beside_a_turn_counts_when_it_is_better(
    turns: Turns, paths: list[str], passed: int
) -> None:
    answering(turns, "/a")
    turns.over(1)
    answering(turns, *paths)
    turns.end(1)
    assert rates(turns) == [passed]
    assert (turns.kept / "end" / "suite.json").exists()


def test_what_is_left_without_any_turn_is_judged_and_counts_for_none(turns: Turns) -> None:
    turns.end(0)
    assert turns.done == []
    assert turns.best is not None
    assert turns.best.evaluation.passed == 0


def test_the_end_of_an_attempt_cuts_an_evaluation_short(turns: Turns) -> None:
    answering(turns, before="sleep 60")
    judge = Judge(PROBES, turns.judge.starter, turns.judge.sandbox, lambda: True)
    turns = Turns(turns.work, turns.kept, turns.scratch, judge, turns.seed)
    assert turns.over(1) == "stop"
    assert turns.cut
    assert turns.done == []
    assert not (turns.scratch / "evaluation").exists()


def test_nothing_that_a_service_leaves_ends_the_attempt(turns: Turns) -> None:
    deep = "d=$DATA_DIR; for i in $(seq 400); do mkdir $d/x && cd $d/x && d=.; done; cd /agent/work"
    shut = "mkdir $HOME/shut && touch $HOME/shut/file && chmod 0 $HOME/shut; mkfifo $DATA_DIR/pipe"
    answering(turns, "/a", before=f"({deep}); {shut}; echo x > /agent/work/written")
    assert turns.over(1) == "go"
    assert rates(turns) == [1]
    assert not (turns.scratch / "evaluation").exists()
    assert not (turns.work / "written").exists()
