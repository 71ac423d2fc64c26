"""Rows of the shipped contracts that make arms to compare, of endpoint `vendor`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from tests.support import build_run, jev_social, skill_run
from tests.support.drawn import Row


def uuid(number: int) -> str:
    """Return a UUIDv4 made of a number."""
    return f"{number:08x}-0000-4000-8000-{number:012x}"


def skills(scores: dict[str, float], *, tasks: int = 8, first: int = 0, **fields: Any) -> list[Row]:
    """Return one run of each arm on each task, arms interleaved; a task adds a little."""
    rows = []
    for task, (place, (arm, score)) in product(range(tasks), enumerate(scores.items())):
        number = first + task * len(scores) + place
        at = f"2026-03-02T{number // 60:02d}:{number % 60:02d}"
        changes = {
            "run_id": uuid(number),
            "benchmark_id": uuid(10_000 + first),
            "arm": arm,
            "skill_digest": None if arm == "none" else f"{place + 10:02d}" * 32,
            "task_id": f"task-{task}",
            "repeat": 1,
            "planned_tasks": tasks,
            "planned_repeats": 1,
            "position": number,
            "score": min(1.0, score + (task * 5 % 8 + place) / 100),
            "started_at": f"{at}:00.000Z",
            "ended_at": f"{at}:59.000Z",
            "timing_ms": {"agent": 58000, "grading": 900, "total": 59000},
            "fields_correct": None,
            "fields_total": None,
            "grader": "exact",
        }
        rows.append(skill_run.valid_row(changes, **fields))
    return rows


def builds(lane: str, walls: Mapping[str, Sequence[float]], first: int, **fields: Any) -> list[Row]:
    """Return green runs of a lane by task, one for each wall time."""
    rows: list[Row] = []
    for task, times in walls.items():
        for repeat, wall in enumerate(times, 1):
            number = first + len(rows)
            rows.append(
                build_run.valid_row(
                    run_id=uuid(number),
                    lane=lane,
                    task_id=task,
                    repeat=repeat,
                    planned_repeats=len(times),
                    wall_s=wall,
                    **({"task_digest": ("1" if task == "t1" else "2") * 64} | fields),
                )
            )
    return rows


def attempts(first: int, totals: Sequence[int], **fields: Any) -> list[Row]:
    """Return successful attempts with these total times."""
    return [
        jev_social.numbered_row(
            first + number,
            started_at=f"2026-03-02T08:{number * 7 % 60:02d}:00.000Z",
            ended_at=f"2026-03-02T08:{number * 7 % 60:02d}:{total // 1000:02d}.000Z",
            timing_ms={"jev_total": 3000, "socai_browser": 10, "media": 10, "total": total},
            **{"region": "lab-eu"} | fields,
        )
        for number, total in enumerate(totals)
    ]
