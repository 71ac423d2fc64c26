"""Rows of the contract build-run: what all of them pin, and those of references."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from benchdata import __version__
from benchdata.contracts.fields import instant_text
from collectors.build_bench import references
from collectors.build_bench.evaluation import SUITE_S, Evaluation
from collectors.build_bench.lanes import Lane
from collectors.build_bench.starters import Starter
from collectors.build_bench.tasks import Task, rubric_digest, suite_digest, task_digest

NO_AGENT = dict.fromkeys(("agent", "agent_version", "model", "endpoint", "billing"))
NO_TURNS: dict[str, Any] = {
    "seed": 0,
    "max_turns": 0,
    "max_wall_s": 0,
    "turns": 0,
    "best_turn": None,
    "turns_to_green": None,
    "turn_pass_rates": [],
    "usage": [],
    "total_cost_usd": 0,
    "wall_s": 0,
    "rubric": None,
    "rubric_judge": None,
    "rubric_pass_rate": None,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One service to be judged, and its place in the batch."""

    lane: Lane
    task: Task
    repeat: int
    planned_repeats: int
    position: int


def conformance_row(
    cell: Cell,
    starter: Starter,
    evaluation: Evaluation | None,
    checked: Evaluation | None,
    *,
    suite_id: str,
    span: tuple[datetime, datetime],
) -> dict[str, Any]:
    """Return the row of an attempt; without an evaluation it was interrupted.

    `checked` is what the checks of the page said, where they were made.
    """
    stop_cause: Literal["completed", "interrupted"] = "completed" if evaluation else "interrupted"
    return {
        "run_id": str(uuid.uuid4()),
        "suite_id": suite_id,
        "kind": "conformance",
        "variant": "plain",
        "task_digest": task_digest(cell.task, cell.lane),
        "retry_of": None,
        **NO_AGENT,
        "sandbox": "workspace",
        **pins(cell, starter, span),
        **probes(evaluation),
        "boot_ms": list(evaluation.boot_ms) if evaluation else [],
        "suite_ms": [evaluation.suite_ms] if evaluation else [],
        "lines_of_code": added_lines(cell.lane, cell.task),
        **NO_TURNS,
        "extended": extended(cell.task, checked),
        "stop_cause": stop_cause,
    }


def pins(cell: Cell, starter: Starter, span: tuple[datetime, datetime]) -> dict[str, Any]:
    """Return the fields that say what was judged, with what, and when."""
    started_at, ended_at = span
    return {
        "schema_version": 1,
        "started_at": instant_text(started_at),
        "ended_at": instant_text(ended_at),
        "task_id": cell.task.id,
        "lane": cell.lane.id,
        "suite_digest": suite_digest(cell.task.suite),
        "rubric_digest": rubric_digest(cell.task),
        "repeat": cell.repeat,
        "planned_repeats": cell.planned_repeats,
        "position": cell.position,
        "framework_version": starter.framework_version,
        "runtime_version": starter.runtime_version,
        "lockfile_digest": starter.lockfile_digest,
        "harness_version": __version__,
        "suite_timeout_s": SUITE_S,
    }


def probes(evaluation: Evaluation | None) -> dict[str, Any]:
    """Return the verdicts of an evaluation and their rate; without one there is none."""
    return {
        "probes": _verdicts(evaluation) if evaluation else [],
        "test_pass_rate": _pass_rate(evaluation) if evaluation else None,
    }


def extended(task: Task, checked: Evaluation | None) -> dict[str, Any] | None:
    """Return the verdicts of the checks of a page, which have a suite of their own."""
    if task.browser is None or checked is None:
        return None
    return {
        "suite_digest": suite_digest(task.browser),
        "probes": _verdicts(checked),
        "pass_rate": _pass_rate(checked),
    }


def _pass_rate(evaluation: Evaluation) -> float:
    return evaluation.passed / len(evaluation.results)


def _verdicts(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        {
            "id": result.id,
            "set": result.set,
            "verdict": result.verdict,
            "duration_ms": result.duration_ms,
        }
        for result in evaluation.results
    ]


def added_lines(lane: Lane, task: Task) -> int:
    """Return the non-blank lines that a reference has over the one that its task starts from."""
    seed = _lines(lane, task.seed) if task.seed is not None else 0
    return _lines(lane, task.id) - seed


def _lines(lane: Lane, task: str) -> int:
    texts = (path.read_text("utf-8") for path in references.files(lane.id, task).values())
    return sum(bool(line.strip()) for text in texts for line in text.splitlines())
