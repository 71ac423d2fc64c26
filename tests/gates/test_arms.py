"""The gate of arms: enough tasks and repeats, the same ones, no cell unexplained, few unfilled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.gates import GroupGate, judge
from tests.support.drawn import Row, write
from tests.support.planned import SKILL, cell, lost, plan

Change = Callable[[list[Row]], None]


def gate_of(folder: Path, rows: list[Row]) -> GroupGate:
    (group,) = judge(benchdata.open(write(folder / "rows.ndjson", rows))).groups
    return group


def test_a_full_plan_is_ready_and_says_how_far_it_reaches(tmp_path: Path) -> None:
    group = gate_of(tmp_path, plan())
    assert (group.status, group.ready, group.reasons) == ("READY", True, ())
    assert group.notes == (
        f"{SKILL}: 0 of 12 rows lost to the infrastructure (0.0%)",
        "none: 0 of 12 rows lost to the infrastructure (0.0%)",
    )
    (shows,) = group.shows
    assert shows == (
        "READY allows publication, not a verdict: 6 tasks reach p 0.031 only when all of them move"
        " one way, and never for 2 comparisons or more (7 tasks for 2 to 3, 8 tasks for 4 to 6)"
    )


def test_more_arms_than_the_tasks_reach_are_told(tmp_path: Path) -> None:
    group = gate_of(tmp_path, plan(arms=("none", SKILL, "local:own")))
    assert group.ready
    assert group.shows[1:] == ("2 comparisons here: every one is `cannot tell`",)


def test_one_arm_alone_shows_no_lift(tmp_path: Path) -> None:
    assert gate_of(tmp_path, plan(arms=(SKILL,))).shows == ("one arm alone: a score, and no lift",)


def test_too_few_tasks_and_repeats_are_told_of_each_arm(tmp_path: Path) -> None:
    group = gate_of(tmp_path, plan(tasks=5, repeats=1))
    assert group.status == "INCOMPLETE"
    assert group.reasons == (
        f"{SKILL}: 5 of 6 tasks with a scored row",
        f"{SKILL}: 5 tasks with fewer than 2 repeats (such as task-1)",
        "none: 5 of 6 tasks with a scored row",
        "none: 5 tasks with fewer than 2 repeats (such as task-1)",
    )
    assert group.shows == ()


def test_a_lost_row_explains_its_cell_and_is_counted(tmp_path: Path) -> None:
    rows = plan()
    place = cell(rows, SKILL, 3, 2)
    rows[place] = lost(rows[place])
    group = gate_of(tmp_path, rows)
    assert group.ready
    assert f"{SKILL}: 1 of 12 rows lost to the infrastructure (8.3%)" in group.notes


def test_a_lost_row_and_its_retry_fill_one_cell(tmp_path: Path) -> None:
    rows = plan()
    place = cell(rows, SKILL, 3, 2)
    again = rows[place] | {"run_id": "f" * 8 + "-0000-4000-8000-000000000000"}
    rows[place] = lost(rows[place])
    group = gate_of(tmp_path, [*rows, again | {"retry_of": rows[place]["run_id"]}])
    assert group.ready
    assert f"{SKILL}: 1 of 13 rows lost to the infrastructure (7.7%)" in group.notes


UNSCORED = {
    **dict.fromkeys(("passed", "score", "fields_correct", "fields_total")),
    "outcome": "grading_error",
    "failure_reason": "verifier_failed",
}


@pytest.mark.parametrize("gone", [True, False])
def test_a_cell_that_nothing_lost_is_unexplained(tmp_path: Path, gone: bool) -> None:
    rows = plan(tasks=6)
    place = cell(rows, "none", 4, 1)
    if gone:
        del rows[place]
    else:
        rows[place] |= UNSCORED
    words = (
        "none: 1 of 12 planned cells without a scored row, and no infrastructure row says why"
        " (such as task-4)"
    )
    group = gate_of(tmp_path, rows)
    assert words in group.reasons
    assert not group.ready


def test_a_planned_task_that_no_arm_ran_is_unexplained_in_both(tmp_path: Path) -> None:
    rows = [row for row in plan(tasks=7) if row["task_id"] != "task-7"]
    words = [reason for reason in gate_of(tmp_path, rows).reasons if "says why" in reason]
    assert words == [
        f"{arm}: 2 of 14 planned cells without a scored row, and no infrastructure row says why"
        " (such as a task that no arm ran)"
        for arm in (SKILL, "none")
    ]


@pytest.mark.parametrize(("gone", "ready"), [(2, True), (3, False)])
def test_more_than_a_tenth_unfilled_fails_even_when_explained(
    tmp_path: Path, gone: int, ready: bool
) -> None:
    rows = plan(tasks=10)
    for task in range(1, gone + 1):
        place = cell(rows, SKILL, task, 1)
        rows[place] = lost(rows[place])
    group = gate_of(tmp_path, rows)
    assert group.ready is ready
    if not ready:
        assert group.reasons == (f"{SKILL}: 3 of 20 planned cells unfilled, more than 10%",)


def test_unfilled_cells_that_differ_between_arms_fail(tmp_path: Path) -> None:
    # 6 of 60 against 0 of 60: Fisher's p is 0.0272; 10% is not exceeded
    rows = plan(tasks=30)
    for task in range(1, 7):
        place = cell(rows, SKILL, task, 1)
        rows[place] = lost(rows[place])
    group = gate_of(tmp_path, rows)
    assert group.reasons == (
        f"unfilled cells differ between {SKILL} (6 of 60) and none (0 of 60): p 0.027",
    )


def test_arms_must_run_the_same_tasks(tmp_path: Path) -> None:
    rows = plan(tasks=7)
    rows = [row for row in rows if (row["arm"], row["task_id"]) != (SKILL, "task-2")]
    reasons = gate_of(tmp_path, rows).reasons
    assert reasons[0] == f"{SKILL}: lacks 1 task that other arms ran (such as task-2)"


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("timeout_ms", 5, "timeout_ms is not the same in all arms: {skill} 5; none 600000"),
        ("other_skills", 3, "other_skills is not the same in all arms: {skill} 3; none 0"),
        ("other_skills", None, "other_skills is null in {skill} and 0 in other arms"),
        ("mode", "agent", "mode is not the same in all arms: {skill} agent; none document"),
    ],
)
def test_arms_must_have_the_same_budget_and_company(
    tmp_path: Path, field: str, value: object, reason: str
) -> None:
    rows = plan()
    for row in rows:
        if row["arm"] == SKILL:
            row[field] = value
    assert gate_of(tmp_path, rows).reasons == (reason.format(skill=SKILL),)


def test_a_task_must_be_one_task(tmp_path: Path) -> None:
    rows = plan()
    rows[cell(rows, "none", 2, 1)]["task_digest"] = "ff" * 32
    assert gate_of(tmp_path, rows).reasons == (
        "task_digest is not the same in all rows of 1 task (such as task-2)",
    )


@pytest.mark.parametrize("fields", [{"endpoint": "stand_in"}, {"agent": "scripted"}])
def test_a_pipeline_proof_is_never_ready(tmp_path: Path, fields: dict[str, Any]) -> None:
    group = gate_of(tmp_path, plan(**fields))
    assert (group.status, group.ready) == ("SYNTHETIC", False)
    assert group.reasons == ("the rows are synthetic: no measurement",)


def test_each_batch_has_its_own_plan(tmp_path: Path) -> None:
    first = plan()
    second = [
        row | {"benchmark_id": "b" * 8 + "-0000-4000-8000-000000000000", "run_id": run}
        for row, run in zip(
            plan(), (f"{n:08x}-0000-4000-8000-00000000abcd" for n in range(24)), strict=True
        )
    ]
    assert gate_of(tmp_path, first + second).ready
    place = cell(second, "none", 1, 1)
    del second[place]
    (reason,) = gate_of(tmp_path / "short", first + second).reasons
    assert reason.startswith("none: 1 of 24 planned cells without a scored row, and no infra")


def test_a_lane_of_two_skills_of_one_name_is_told_apart(tmp_path: Path) -> None:
    rows = plan(arms=("none", SKILL))
    twins = [
        row
        | {
            "skill_digest": "77" * 32,
            "run_id": f"{n:08x}-0000-4000-8000-00000000abcd",
            "repeat": row["repeat"] + 2,
        }
        for n, row in enumerate(rows)
        if row["arm"] == SKILL
    ]
    notes = gate_of(tmp_path, rows + twins).notes
    assert [note.partition(":")[0] for note in notes] == [
        f"{SKILL} (111111111111)",
        f"{SKILL} (777777777777)",
        "none",
    ]


def test_runs_beyond_the_plan_are_said_of_each_arm(tmp_path: Path) -> None:
    rows = plan()
    for row in rows:
        row.update(planned_tasks=2, planned_repeats=1)
    words = "12 runs of 2 planned: looks not known, p is not corrected for them"
    assert gate_of(tmp_path, rows).notes[2:] == (f"{SKILL}: {words}", f"none: {words}")


def test_rows_that_disagree_on_the_plan_are_said(tmp_path: Path) -> None:
    rows = plan()
    rows[0]["planned_tasks"] = 5
    notes = gate_of(tmp_path, rows).notes
    assert "none: the rows disagree on the plan: looks not known" in "; ".join(notes)
