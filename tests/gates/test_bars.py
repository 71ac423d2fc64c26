"""The self-bench bar: repeats and medians of each task, and the spread that hides behind them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.errors import ContractError
from benchdata.gates.bars import BarAnswer, TaskBar, bar_of, hold
from tests.support import build_run
from tests.support.build_run import probe
from tests.support.drawn import Row, write
from tests.support.planned import lanes

STEADY = [5.0, 6.0, 7.0]


def held(folder: Path, rows: list[Row]) -> BarAnswer:
    return hold(benchdata.open(write(folder / "rows.ndjson", rows)), "self-bench")


def task_of(answer: BarAnswer, task: str) -> TaskBar:
    (arm,) = answer.arms
    return next(each for each in arm.tasks if each.task == task)


def lane(
    t1: Sequence[float | None], t2: Sequence[float | None] = STEADY, **fields: Any
) -> list[Row]:
    return lanes({"aster": {"t1": t1, "t2": t2}}, **fields)


def rated(row: Row, passed: int, failed: int) -> None:
    probes = [probe(f"p{n}", "pass" if n < passed else "fail") for n in range(passed + failed)]
    row.update({**build_run.RED, "probes": probes, "test_pass_rate": passed / (passed + failed)})


def test_a_lane_that_is_good_and_steady_meets_it(tmp_path: Path) -> None:
    answer = held(tmp_path, lane(STEADY))
    assert (answer.state, answer.left_out) == ("met", 0)
    assert [(arm.label, arm.state) for arm in answer.arms] == [("aster", "met")]
    assert task_of(answer, "t1") == TaskBar(
        "t1",
        (),
        (),
        (
            "median test_pass_rate 1 of 3 repeats",
            "3 of 3 at 0.90 or more (Wilson 0.44 to 1.00)",
            "turns_to_green p75/p25 1.4 of 3",
            "cost p75/p25 1 of 3",
            "wall p75/p25 1.01 of 3",
        ),
    )


@pytest.mark.parametrize("short", ["t1", "t2"])
def test_both_tasks_need_three_repeats(tmp_path: Path, short: str) -> None:
    turns = {"t1": STEADY, "t2": STEADY} | {short: STEADY[:2]}
    answer = held(tmp_path, lane(turns["t1"], turns["t2"]))
    assert answer.state == "not met"
    assert task_of(answer, short).failures == ("2 of 3 repeats",)


def test_a_task_that_was_not_run_is_not_met(tmp_path: Path) -> None:
    answer = held(tmp_path, lanes({"aster": {"t1": STEADY}}))
    assert (answer.state, task_of(answer, "t2").failures) == ("not met", ("0 of 3 repeats",))


def test_a_task_may_have_its_long_id(tmp_path: Path) -> None:
    long = {"t1": "t1-storefront-api", "t2": "t2-saga-queue-cron"}
    rows = [row | {"task_id": long[row["task_id"]]} for row in lane(STEADY)]
    other = lanes({"aster": {"t2-worker": [40.0] * 3}}, 100)
    answer = held(tmp_path, [*rows, *other])
    assert answer.state == "met"
    assert [task.task for task in answer.arms[0].tasks] == [*long.values()]


@pytest.mark.parametrize(
    ("rates", "state", "failures"),
    [
        (((9, 1), (1, 0), (0, 1)), "met", ()),
        (((8, 2), (1, 0), (0, 1)), "not met", ("median test_pass_rate 0.8, below 0.90",)),
        # of four the midpoint counts: (.8 + .9) / 2
        (
            ((8, 2), (9, 1), (1, 0), (0, 1)),
            "not met",
            ("median test_pass_rate 0.85, below 0.90",),
        ),
        (((8, 2), (1, 0), (1, 0), (0, 1)), "met", ()),
    ],
)
def test_the_median_of_a_task_decides(
    tmp_path: Path, rates: tuple[tuple[int, int], ...], state: str, failures: tuple[str, ...]
) -> None:
    rows = lane([5.0] * len(rates))
    for row, (passed, failed) in zip(rows, rates, strict=False):
        rated(row, passed, failed)
    for row in rows[: len(rates)]:  # one green run keeps the spread of turns known
        if row["test_pass_rate"] == 1:
            row |= {"stop_cause": "green", "turns_to_green": 5}
    answer = held(tmp_path, rows)
    assert (answer.state, task_of(answer, "t1").failures) == (state, failures)


def test_tasks_are_never_pooled(tmp_path: Path) -> None:
    rows = lane(STEADY, [5.0] * 9)
    for row in rows[:3]:
        rated(row, 1, 1)
    assert held(tmp_path, rows).state == "not met"  # 9 of 12 rows are at 1


def test_a_run_that_nothing_decided_has_the_lowest_rate(tmp_path: Path) -> None:
    rows = lane(STEADY)
    for row in rows[:2]:
        row.update({**build_run.RED, "probes": [], "test_pass_rate": None})
    (failure,) = task_of(held(tmp_path, rows), "t1").failures
    assert failure.startswith("median test_pass_rate not ")
    assert failure.endswith(", below 0.90")


@pytest.mark.parametrize(
    ("turns", "state"),
    [
        ([5.0, 6.0, 10.0], "met"),  # exactly 2
        ([5.0, 6.0, 11.0], "unstable"),
        ([5.0, 6.0, 7.0, 8.0, 40.0], "met"),  # p75 is the fourth of five
    ],
)
def test_the_spread_of_turns_alone_makes_it_unstable(
    tmp_path: Path, turns: list[float], state: str
) -> None:
    assert held(tmp_path, lane(turns)).state == state


@pytest.mark.parametrize(
    ("field", "values", "swing"),
    [
        ("total_cost_usd", [0.1, 0.2, 0.3], "cost: p75/p25 3, above 2"),
        ("total_cost_usd", [0.0, 0.2, 0.3], "cost: minimum 0 and maximum above it"),
        ("total_cost_usd", [None] * 3, "cost: no values, so its spread is not known"),
        ("wall_s", [100.0, 150.0, 201.0], "wall: p75/p25 2.01, above 2"),
    ],
)
def test_the_spread_of_cost_and_wall(
    tmp_path: Path, field: str, values: list[float | None], swing: str
) -> None:
    rows = lane(STEADY)
    for row, value in zip(rows, values, strict=False):
        row[field] = value
    answer = held(tmp_path, rows)
    assert (answer.state, task_of(answer, "t1").swings) == ("unstable", (swing,))


def test_nulls_stand_beside_the_spread(tmp_path: Path) -> None:
    answer = held(tmp_path, lane([5.0, 6.0, 7.0, 8.0, None]))
    assert answer.state == "met"
    assert "turns_to_green p75/p25 1.4 of 4, 1 null" in task_of(answer, "t1").measured


def test_failing_medians_outweigh_the_spread(tmp_path: Path) -> None:
    rows = lane([5.0, 6.0, 40.0])
    for row in rows[3:]:
        rated(row, 1, 1)
    assert held(tmp_path, rows).state == "not met"


def test_each_lane_and_version_is_held_to_it(tmp_path: Path) -> None:
    rows = lane(STEADY) + lane([5.0, 6.0, 20.0], first=100, framework_version="2.0.0")
    rows += lanes({"birch": {"t1": STEADY, "t2": STEADY[:1]}}, first=200)
    answer = held(tmp_path, rows)
    assert [(arm.label, arm.state) for arm in answer.arms] == [
        ("aster 1.4.0", "met"),
        ("aster 2.0.0", "unstable"),
        ("birch 1.4.0", "not met"),
    ]
    assert answer.state == "not met"


def test_a_stand_in_meets_nothing(tmp_path: Path) -> None:
    assert held(tmp_path, lane(STEADY, endpoint="stand_in")).state == "none (pipeline proof)"


def test_reference_runs_are_left_out_and_counted(tmp_path: Path) -> None:
    reference = build_run.valid_row(build_run.CONFORMANCE)
    answer = held(tmp_path, [*lane(STEADY), reference])
    assert (answer.state, answer.left_out) == ("met", 1)
    alone = held(tmp_path / "alone", [reference])
    assert (alone.state, alone.arms, alone.left_out) == ("not met", (), 1)


def test_a_run_that_the_machine_lost_counts_nowhere(tmp_path: Path) -> None:
    rows = lane([*STEADY, 5.0], **build_run.PLAIN)
    rows[3] |= build_run.LOST
    assert "median test_pass_rate 1 of 3 repeats" in task_of(held(tmp_path, rows), "t1").measured


def test_an_unknown_bar_is_refused() -> None:
    with pytest.raises(ContractError, match="build-run has no bar self-bank; those are self-bench"):
        bar_of(BUILD_RUN, "self-bank")
