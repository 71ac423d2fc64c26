"""Pairs of runs that a judge saw in both orders: one sign a task, conflicts apart."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.contracts.gate import Judging
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.leaderboards.boards import leaderboards
from benchdata.leaderboards.preferences import Pair, Preference, pairs, preferences, seen
from tests.support.command import run
from tests.support.drawn import Row, write
from tests.support.planned import SKILL, rubric_plan, verdicts

JUDGING = Judging(of="skill-run", pins=("judge_model",), score="quality", tolerance=0.25)
ARMS = {f"{arm}{task}": arm for arm in "abc" for task in range(9)}


def said(one: str, two: str, order: str, winner: str | None, task: str = "t") -> dict[str, Any]:
    return {
        "run_id": one,
        "other_run_id": two,
        "order": order,
        "winner": winner,
        "kind": "pairwise",
        "row_task": task,
    }


def test_a_winner_is_the_run_that_wins_in_both_orders_however_they_are_written() -> None:
    (pair,) = pairs(seen([said("a1", "b1", "ab", "b"), said("a1", "b1", "ba", "b")], JUDGING))
    assert pair == Pair("t", ("a1", "b1"), "b1")
    (turned,) = pairs(seen([said("a1", "b1", "ab", "b"), said("b1", "a1", "ab", "a")], JUDGING))
    assert turned == pair
    (tie,) = pairs(seen([said("a1", "b1", "ab", "tie"), said("a1", "b1", "ba", "tie")], JUDGING))
    assert tie == Pair("t", ("a1", "b1"), "")


def test_orders_that_do_not_name_the_same_winner_are_a_conflict_one_tie_included() -> None:
    for winner in ("a", "tie"):
        (pair,) = pairs(
            seen([said("a1", "b1", "ab", "b"), said("a1", "b1", "ba", winner)], JUDGING)
        )
        assert (pair.conflict, pair.winner) == (True, "")
    (again,) = pairs(seen([said("a1", "b1", "ab", "b"), said("a1", "b1", "ab", "a")], JUDGING))
    assert again.conflict


def test_a_pair_in_one_order_has_no_winner_and_a_verdict_that_failed_is_none() -> None:
    (pair,) = pairs(seen([said("a1", "b1", "ab", "b"), said("a1", "b1", "ba", None)], JUDGING))
    assert (pair.single, pair.winner) == (True, "")


def test_every_task_has_one_sign_and_conflicts_are_apart() -> None:
    held = [
        *(Pair(f"t{n}", (f"a{n}", f"b{n}"), f"b{n}") for n in range(5)),
        Pair("t5", ("a5", "b5"), "a5"),
        # two repeats that go either way are a tie; a third agreeing pair would decide
        Pair("t6", ("a6", "b6"), "a6"),
        Pair("t6", ("a7", "b7"), "b7"),
        Pair("t8", ("a8", "b8"), "", conflict=True),
        Pair("t0", ("a1", "b0"), "", single=True),
        Pair("t0", ("a0", "a1"), "a0"),
        Pair("t0", ("a0", "elsewhere"), "a0"),
    ]
    (found,) = preferences(held, ARMS, "abc")
    assert found == Preference("b", "a", better=5, worse=1, tied=1, conflicts=1, single=1)
    assert found.test is not None
    assert found.test.p == 2 * 7 / 64


def test_without_a_task_that_has_a_winner_there_is_no_test() -> None:
    held = [Pair("t1", ("a1", "b1"), ""), Pair("t2", ("a2", "b2"), "", conflict=True)]
    (found,) = preferences(held, ARMS, "abc")
    assert (found.tied, found.test) == (1, None)


def test_all_arms_that_met_are_told_in_order() -> None:
    held = [Pair("t", ("b1", "c1"), "c1"), Pair("t", ("a1", "c1"), "a1")]
    found = preferences(held, ARMS, "cab")
    assert [(each.baseline, each.treatment) for each in found] == [("c", "a"), ("c", "b")]
    assert [(each.better, each.worse) for each in found] == [(1, 0), (0, 1)]


def judged(folder: Path, rows: Iterable[Row]) -> Path:
    return write(folder / "judged.ndjson", rows)


def winners(runs: list[Row]) -> list[Row]:
    """Return verdicts in which the skill wins every pair but the last, whose orders disagree."""
    skilled = {row["run_id"] for row in runs if row["arm"] == SKILL}
    made = verdicts(runs)
    for row in made:
        if row["kind"] == "pairwise":
            row["winner"] = "a" if row["run_id"] in skilled else "b"
    made[-1]["winner"] = "tie"
    return made


@pytest.mark.slow
def test_the_leaderboard_shows_who_is_preferred(tmp_path: Path) -> None:
    runs = rubric_plan()
    files = write(tmp_path / "runs.ndjson", runs), judged(tmp_path, winners(runs))
    given = benchdata.open(list(map(str, files)))
    (board,) = leaderboards(given.of(SKILL_RUN), given)
    assert board.preferences == (
        Preference(SKILL, "none", better=6, worse=0, tied=0, conflicts=1, single=0),
    )
    text = run("summarize", *files).out
    line = next(line for line in text.splitlines() if line.startswith(f"| {SKILL} | none |"))
    assert line == f"| {SKILL} | none | 6 | 0 | 0 | 0.031, raw | 1 | 0 |"
    assert '"conflicts": 1' in run("summarize", *files, "--format", "json").out


def test_a_judge_that_only_saw_pairs_has_a_board_too(tmp_path: Path) -> None:
    runs = rubric_plan()
    rows = [row for row in winners(runs) if row["kind"] == "pairwise"]
    given = benchdata.open(
        [str(write(tmp_path / "runs.ndjson", runs)), str(judged(tmp_path, rows))]
    )
    boards = leaderboards(given.of(SKILL_RUN), given)
    assert [len(board.preferences) for board in boards] == [1]
