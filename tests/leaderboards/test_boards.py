"""Boards: sorted by mean, ranks as ranges from all pairs, lifts in one family or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import benchdata
from benchdata.comparisons import claims, tables
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.leaderboards.accounts import Ending, TaskCell
from benchdata.leaderboards.boards import Board, leaderboards
from benchdata.stats.families import RankRange
from benchdata.verdicts import decide
from tests.support.armed import attempts, builds, skills, uuid
from tests.support.drawn import Row, write

ARMS = {"none": 0.2, "a/b@c": 0.8, "local:mine": 0.21}


def opened(folder: Path, rows: Sequence[Row]) -> tuple[Board, ...]:
    return leaderboards(benchdata.open(write(folder / "rows.ndjson", rows)))


@pytest.fixture
def board(tmp_path: Path) -> Board:
    (one,) = opened(tmp_path, skills(ARMS))
    return one


def test_the_best_mean_stands_first_and_means_are_those_of_tasks(board: Board) -> None:
    assert [entry.label for entry in board.entries] == ["a/b@c", "local:mine", "none"]
    # a task adds 0 to 7 hundredths, the second arm's place one more
    assert board.entries[0].summary.estimate == pytest.approx(0.8 + 0.035 + 0.01)
    assert board.baseline is board.entries[2]


def test_ranks_are_ranges_from_all_pairs(board: Board) -> None:
    # 8 tasks of 8 move for each pair: p 1/128, after Holm over 3 pairs at most 3/128
    assert [entry.ranks for entry in board.entries] == [
        RankRange(1, 1),
        RankRange(2, 3),
        RankRange(2, 3),
    ]
    small = board.entries[1].lift
    assert small is not None
    assert decide(small.finding).kind == "no difference shown"  # all move, by less than M


def test_the_lifts_of_a_board_are_one_family_and_those_of_compare(
    tmp_path: Path, board: Board
) -> None:
    dataset = benchdata.open(tmp_path / "rows.ndjson")
    table = tables.by_field(dataset, claims.of_contract(dataset.contract), "arm")
    ours = {entry.label: entry.lift.finding for entry in board.lifts if entry.lift}
    for finding in table.findings:
        mine = ours[finding.treatment.label]
        assert (mine.result.estimate, mine.p, mine.placed.adjusted_p) == (
            *(finding.result.estimate, finding.p, finding.placed.adjusted_p),
        )
        assert mine.placed.size == 2
    assert ours["a/b@c"].p == Fraction(2, 256)


def test_tasks_endings_and_other_metrics_are_counted_by_hand(tmp_path: Path) -> None:
    rows = skills({"none": 0.2, "a/b@c": 0.8}, tasks=2)
    rows[1] |= {"score": 1.0, "passed": True}
    late = {"outcome": "timeout", "failure_reason": "agent_timeout"}
    lost = {"outcome": "infrastructure", "failure_reason": "rate_limited"}
    rows[2] |= late
    rows[3] |= lost | {"score": None, "passed": None}
    for number, row in enumerate(rows):
        row["timing_ms"] = {"agent": 10_000 * (number + 1), "grading": 0, "total": 59_000}
        row["skill_read"] = number == 1
    (board,) = opened(tmp_path, rows)
    skill, none = board.entries
    assert [row.task for row in board.tasks] == ["task-0", "task-1"]
    assert board.tasks[0].cells == (TaskCell(1, 1, 1, 1.0), TaskCell(1, 1, 0, 0.2))
    assert board.tasks[1].cells == (TaskCell(1, 0, 0, None), TaskCell(1, 1, 0, 0.25))
    assert skill.account.endings == (Ending("unscored", "rate_limited", 1),)
    assert none.account.endings == (
        Ending("partial", "agent_timeout", 1),
        Ending("partial", "not given", 1),
    )
    assert (skill.excluded, none.excluded) == (1, 0)
    assert (skill.account.skill_read, none.account.skill_read) == ((1, 1), (0, 2))
    time = none.account.means["agent_time"]
    assert (time.value, time.tasks, time.n) == (20_000, 2, 2)
    assert skill.account.means["agent_time"].value == 20_000


def test_repeats_count_once_in_their_task(tmp_path: Path) -> None:
    rows = skills({"none": 0.0, "a/b@c": 0.0}, tasks=2)
    more = [row | {"run_id": uuid(900 + n), "repeat": n + 2} for n, row in enumerate([rows[0]] * 2)]
    for row, turns in zip([*rows, *more], [3, 1, 9, 1, 6, 9], strict=True):
        row["turns"] = turns
    (board,) = opened(tmp_path, [*rows, *more])
    found = next(e for e in board.entries if e.label == "none").account.means["turns"]
    assert (found.value, found.tasks, found.n) == ((6 + 9) / 2, 2, 4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": "acme/other-1"}, "none ran under another model"),
        ({"agent_version": "9.9.9"}, "none ran under another agent_version"),
    ],
)
def test_no_lift_over_a_baseline_of_another_model_or_version(
    tmp_path: Path, change: Row, words: str
) -> None:
    other = skills({"none": 0.2, "a/b@c": 0.8}, first=100)
    rows = [*skills(ARMS), *(row | change for row in other if row["arm"] != "none")]
    boards = opened(tmp_path, rows)
    assert sorted(len(board.entries) for board in boards) == [1, 3]
    (alone,) = (board for board in boards if len(board.entries) == 1)
    assert (alone.refused, alone.lifts, alone.baseline) == (words, (), None)
    assert alone.entries[0].ranks == RankRange(1, 1)


def test_no_lift_over_a_baseline_that_ran_other_tasks(tmp_path: Path) -> None:
    rows = skills({"none": 0.2, "a/b@c": 0.8})
    for row in rows:
        if row["arm"] != "none":
            row["task_id"] += "-other"
    (board,) = opened(tmp_path, rows)
    assert board.lifts == ()
    assert board.entries[0].refused == "ran other tasks than the baseline"


def test_no_lift_without_the_baseline_arm(tmp_path: Path) -> None:
    (board,) = opened(tmp_path, skills({"a/b@c": 0.8, "local:mine": 0.3}))
    assert (board.refused, board.lifts) == ("no rows of none or base", ())


def test_lanes_have_no_baseline_and_still_a_rank_range(tmp_path: Path) -> None:
    walls = {"t1": [9.0, 9.1], "t2": [8.0, 8.2]}
    rows = [*builds("aster", walls, 0), *builds("birch", walls, 50)]
    (board,) = opened(tmp_path, rows)
    assert board.refused == "the contract names no baseline arm"
    assert {entry.ranks for entry in board.entries} == {RankRange(1, 2)}
    assert BUILD_RUN.design.baselines == ()


def test_a_contract_that_compares_nothing_has_no_board(tmp_path: Path) -> None:
    assert opened(tmp_path, attempts(0, [10000, 12000])) == ()


def test_a_primary_metric_without_a_better_direction_has_no_board(tmp_path: Path) -> None:
    turns = replace(SKILL_RUN.metric("turns"), better="neither")
    undirected = replace(SKILL_RUN, metrics=(turns,), primary="turns")
    file = write(tmp_path / "rows.ndjson", skills(ARMS))
    assert leaderboards(benchdata.open(file, undirected)) == ()


def test_synthetic_arms_get_no_verdict_and_every_rank(tmp_path: Path) -> None:
    rows = skills(ARMS, endpoint="stand_in", billing="none")
    (board,) = opened(tmp_path, rows)
    assert board.synthetic
    assert {entry.ranks for entry in board.entries} == {RankRange(1, 3)}
    assert {str(entry.lift.verdict) for entry in board.lifts if entry.lift} == {
        "none (pipeline proof)"
    }
