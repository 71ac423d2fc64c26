"""Rows of planned experiments that a gate lets pass, from which tests take away or change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from tests.support import build_run, judgment, skill_run
from tests.support.armed import uuid
from tests.support.drawn import Row

SKILL = "acme/skills@reader"
BATCH = uuid(900_000)
CHECK = uuid(800_000)


def plan(
    *, arms: tuple[str, ...] = ("none", SKILL), tasks: int = 6, repeats: int = 2, **fields: Any
) -> list[Row]:
    """Return one completed run of every cell, arms interleaved."""
    rows = []
    cells = product(range(1, repeats + 1), range(1, tasks + 1), enumerate(arms))
    for number, (repeat, task, (place, arm)) in enumerate(cells):
        at = f"2026-03-02T{number // 60:02d}:{number % 60:02d}"
        skill = arm != "none"
        changes = {
            "run_id": uuid(number),
            "benchmark_id": BATCH,
            "arm": arm,
            "skill_digest": f"{place + 10:02d}" * 32 if skill else None,
            "skill_installed": skill,
            "task_id": f"task-{task}",
            "task_digest": f"{task:02d}" * 32,
            "repeat": repeat,
            "planned_tasks": tasks,
            "planned_repeats": repeats,
            "position": number,
            "started_at": f"{at}:00.000Z",
            "ended_at": f"{at}:59.000Z",
            "timing_ms": {"agent": 58000, "grading": 900, "total": 59000},
        }
        rows.append(skill_run.valid_row(changes, **fields))
    return rows


def cell(rows: list[Row], arm: str, task: int, repeat: int) -> int:
    """Return the place of the row of a cell."""
    wanted = (arm, f"task-{task}", repeat)
    return next(
        place
        for place, row in enumerate(rows)
        if (row["arm"], row["task_id"], row["repeat"]) == wanted
    )


def lost(row: Row) -> Row:
    """Return a row as it is when the machine lost it."""
    return {**row, **skill_run.INFRASTRUCTURE}


def rubric_plan() -> list[Row]:
    """Return a plan whose runs a judge scores."""
    return plan(**skill_run.RUBRIC)


def verdicts(runs: list[Row]) -> list[Row]:
    """Return a passing check on two artefacts, a verdict of each run, each pair in both orders."""
    found: list[Row] = []

    def add(run: Row, **fields: Any) -> None:
        number = len(found)
        about = {
            "judgment_id": uuid(700_000 + number),
            "judged_at": f"2026-03-05T{number // 60:02d}:{number % 60:02d}:00.000Z",
            "run_id": run["run_id"],
            "task_id": run["task_id"],
            "task_digest": run["task_digest"],
            "artefact_digest": artefact(run),
        }
        found.append(judgment.valid_row(about | fields))

    for run in runs[:2]:
        check = {"check_id": CHECK, "stage": "check"}
        bare = {"kind": "stripped", "artefact_digest": "ba" * 32, "craft": 0, "quality": 1.5}
        blank = {"kind": "blank", "artefact_digest": "00" * 32, **judgment.CRITICAL}
        for fields in ({"kind": "repeat"}, blank, bare):
            add(run, **{**check, **fields})
    for run in runs:
        add(run)
    for first, second in zip(runs[::2], runs[1::2], strict=True):
        for order in ("ab", "ba"):
            other = {
                "other_run_id": second["run_id"],
                "other_artefact_digest": artefact(second),
            }
            add(first, **{**judgment.PAIRWISE, **other, "order": order})
    return found


def artefact(run: Row) -> str:
    """Return the digest of what a run left."""
    return str(run["run_id"]).replace("-", "") * 2


def lanes(
    values: Mapping[str, Mapping[str, Sequence[float | None]]], first: int = 0, **fields: Any
) -> list[Row]:
    """Return build runs by lane and task with these numbers of turns to green, None for red."""
    rows: list[Row] = []
    for lane, by_task in values.items():
        for task, turns in by_task.items():
            for repeat, green in enumerate(turns, 1):
                changes = {
                    "run_id": uuid(first + len(rows)),
                    "lane": lane,
                    "task_id": task,
                    "task_digest": ("1" if task == "t1" else "2") * 64,
                    "suite_digest": ("3" if task == "t1" else "4") * 64,
                    "repeat": repeat,
                    "planned_repeats": len(turns),
                    "wall_s": 200.0 + repeat,
                }
                ended = {} if green else build_run.RED
                shape = _turned(int(green)) if green else {}
                rows.append(build_run.valid_row({**changes, **ended, **shape}, **fields))
    return rows


def _turned(turns: int) -> dict[str, Any]:
    return {
        "turns": turns,
        "best_turn": turns,
        "turns_to_green": turns,
        "turn_pass_rates": [1.0] * turns,
    }
