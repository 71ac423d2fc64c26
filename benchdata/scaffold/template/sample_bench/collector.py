"""Runs every task with every arm, and writes a row for each attempt as soon as it ends.

The arms here are two ways to start Python, the tasks are questions with their right answers: put
your own in their place.
"""

import platform
import subprocess
import sys
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from benchdata.contracts.fields import instant_text
from benchdata.rows.writing import append, appended

from sample_bench.contract import CONTRACT

ARMS = {"baseline": ("-I",), "no-site": ("-I", "-S")}
TASKS = {
    "sum": ("sum(range(9))", "36"),
    "power": ("2**9", "512"),
    "length": ("len('abc')", "3"),
    "largest": ("max(3, 7, 5)", "7"),
    "order": ("sorted([2, 1])", "[1, 2]"),
    "text": ("'a' + 'b'", "ab"),
}
PROGRAM = "print(eval(input()))"
LIMIT_S = 10.0
COMPLETED_WITH_LOST = 2

Cell = tuple[str, str, int]
app = typer.Typer(add_completion=False, rich_markup_mode=None)


def main(arguments: Sequence[str]) -> int:
    """Run `benchdata collect sample-bench` and return the exit code."""
    code: int = app(
        list(arguments),
        prog_name="benchdata collect sample-bench",
        standalone_mode=False,
    )
    return code


@app.command()
def collect(
    out: Annotated[Path, typer.Option(help="The file of rows.")] = Path("results/rows.ndjson"),
    repeats: Annotated[int, typer.Option(min=1, help="Attempts of a task and arm.")] = 3,
) -> int:
    """Make the attempts of the plan that have no row yet; exit 2 when some were lost."""
    out.parent.mkdir(parents=True, exist_ok=True)
    lost = 0
    for cell in missing(out, repeats):
        row = attempt(*cell, repeats)
        append(out, row, CONTRACT)
        lost += row["outcome"] == "lost"
    return COMPLETED_WITH_LOST if lost else 0


def missing(out: Path, repeats: int) -> Iterator[Cell]:
    """Yield the cells without a scored row, the arms by turns: what drifts meets them all."""
    rows = [row for row in appended(out, CONTRACT) if row["outcome"] != "lost"]
    done = {(row["arm"], row["task"], row["repeat"]) for row in rows}
    plan = ((arm, task, n) for n in range(1, repeats + 1) for task in TASKS for arm in ARMS)
    yield from (cell for cell in plan if cell not in done)


def attempt(arm: str, task: str, repeat: int, repeats: int) -> dict[str, Any]:
    """Make one attempt and return its row."""
    started = datetime.now(UTC)
    outcome, wall_ms = run(arm, task)
    return {
        "schema_version": 1,
        "run_id": str(uuid.uuid4()),
        "python": platform.python_version(),
        "task": task,
        "arm": arm,
        "repeat": repeat,
        "planned_tasks": len(TASKS),
        "planned_repeats": repeats,
        "outcome": outcome,
        "passed": None if outcome == "lost" else outcome == "passed",
        "wall_ms": wall_ms,
        "started_at": instant_text(started),
    }


def run(arm: str, task: str) -> tuple[str, float | None]:
    """Return how an attempt ended, and its milliseconds where it ended by itself."""
    question, right = TASKS[task]
    command = [sys.executable, *ARMS[arm], "-c", PROGRAM]
    streams: dict[str, Any] = {"input": question, "capture_output": True, "text": True}
    before = perf_counter()
    try:
        done = subprocess.run(command, timeout=LIMIT_S, check=False, **streams)
    except subprocess.TimeoutExpired:
        return "timeout", None
    except OSError:
        return "lost", None
    wall_ms = round((perf_counter() - before) * 1000, 3)
    passed = done.returncode == 0 and done.stdout.strip() == right
    return ("passed" if passed else "failed"), wall_ms
