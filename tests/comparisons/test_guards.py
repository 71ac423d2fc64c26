"""Guards: rows that follow each other, and swings."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from benchdata.comparisons.arms import Arm, Run
from benchdata.comparisons.findings import compare
from benchdata.comparisons.guards import NO_ORDER, dependent, drift, swing
from tests.support.arms import FIXED_TIME, SCORE, TIME, arm, one_task

START = datetime(2026, 3, 1, tzinfo=UTC)


def timed(values: list[float], order: list[int] | None = None) -> Arm:
    places = order or list(range(len(values)))
    runs = [
        Run("t", i, value, start=START + timedelta(seconds=places[i]))
        for i, value in enumerate(values)
    ]
    return Arm("b", runs)


def test_a_drift_is_seen_in_start_order_whatever_the_order_of_rows() -> None:
    drift = [float(i) for i in range(20)]
    words = dependent(timed(drift), FIXED_TIME)
    assert words.startswith("the rows of b follow each other, lag-1 autocorrelation 0.8")
    shuffled = list(range(20))
    random.Random(1).shuffle(shuffled)
    assert dependent(timed([float(i) for i in shuffled], shuffled), FIXED_TIME) == words
    assert not dependent(timed(drift, shuffled), FIXED_TIME)


def test_one_row_without_a_start_turns_the_guard_off_and_is_said() -> None:
    drift = timed([float(i) for i in range(20)])
    some = Arm("b", [*drift.runs, Run("t", 21, 1.0)])
    assert not dependent(some, FIXED_TIME)
    assert NO_ORDER in compare(some, drift, FIXED_TIME).notes
    assert NO_ORDER not in compare(drift, drift, FIXED_TIME).notes


def test_tasks_that_ran_one_after_the_other_are_not_taken_for_dependence() -> None:
    rng = random.Random(5)
    runs = [
        Run(f"t{task}", repeat, task + rng.random(), start=float(10 * task + repeat))
        for task in range(6)
        for repeat in range(10)
    ]
    assert not dependent(Arm("b", runs), TIME)


def test_a_drift_through_interleaved_tasks_is_seen() -> None:
    rng = random.Random(5)
    runs = [
        Run(f"t{task}", repeat, 100 * task + repeat + rng.random(), start=float(6 * repeat + task))
        for task in range(6)
        for repeat in range(10)
    ]
    assert dependent(Arm("b", runs), TIME)


def test_rows_that_are_not_scored_have_no_part_in_the_guard() -> None:
    drift = timed([float(i) for i in range(20)])
    lost = [Run(r.task, r.repeat, r.value, scored=False, start=r.start) for r in drift.runs]
    assert not dependent(Arm("b", lost), FIXED_TIME)


def test_swings_are_those_of_amounts_inside_one_task() -> None:
    cells = {"t": [0, 1, 1, 1]}
    found = swing(cells, FIXED_TIME, "one task")
    assert (found.words, found.unstable) == ("minimum 0", True)
    assert not swing(cells, SCORE, "one task").unstable
    assert not swing(cells, TIME, "paired tasks").unstable


def test_both_arms_at_one_end_have_no_headroom() -> None:
    full, empty = arm("a", [1, 1, 1]), arm("b", [0, 0, 0])
    assert compare(full, full, SCORE).at_bound
    assert compare(empty, empty, SCORE).at_bound
    assert not compare(empty, full, SCORE).at_bound
    mixed = arm("a", [0, 1, 1])
    assert not compare(mixed, mixed, SCORE).at_bound
    assert not compare(one_task("a", [1, 1]), one_task("b", [1, 1]), FIXED_TIME).at_bound


def test_repeats_of_independent_rows_seldom_look_dependent() -> None:
    # Ranks inside a task sum to the same in every one: a null of all orders flags 2 to 3% of these.
    chance = random.Random(7)
    flagged = 0
    for _ in range(150):
        runs = [
            Run(f"t{task}", repeat, chance.gauss(task, 1), start=float(repeat * 10 + task))
            for repeat in range(3)
            for task in range(10)
        ]
        flagged += bool(dependent(Arm("b", runs), SCORE))
    assert flagged <= 5


def test_passes_over_all_tasks_that_drift_are_seen() -> None:
    runs = [
        Run(f"t{task}", repeat, float(task * 7 % 10 + repeat), start=float(repeat * 10 + task))
        for repeat in range(3)
        for task in range(10)
    ]
    assert dependent(Arm("b", runs), SCORE)


def test_arms_that_did_not_take_turns_cannot_be_told_from_drift() -> None:
    first, second = timed([1.0, 2.0], [0, 1]), timed([1.0, 2.0], [2, 3])
    between = timed([1.0, 2.0], [1, 2])
    assert drift(first, second)
    assert drift(second, first)
    assert not drift(first, between)
    note = "drift cannot be separated: all runs of one arm started before the first of the other"
    assert note in compare(first, second, FIXED_TIME).notes
    assert note not in compare(first, between, FIXED_TIME).notes


def test_drift_is_known_of_times_alone() -> None:
    second = timed([1.0, 2.0], [2, 3])
    placed = Arm("a", [Run("t", place, 1.0, start=float(place)) for place in range(2)])
    blank = Arm("a", [Run("t", 1, 1.0, start=START), Run("t", 2, 1.0)])
    for other in (placed, blank, Arm("a", [])):
        assert not drift(other, second)
