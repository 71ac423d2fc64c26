"""A stage of made-up skill runs, executed here or by a process of its own that tests may kill.

`python -m tests.support.staged FOLDER` goes on with the stage in FOLDER; what each attempt does, it
reads from `script.json` beside the stage.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchdata.contracts.fields import instant_text
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import BenchdataError
from benchdata.rows.writing import appended
from collectors.harness import running, stages
from collectors.harness.progress import Progress
from collectors.harness.running import Halt
from collectors.harness.schedule import Attempt, Cell
from collectors.harness.signals import Stop
from collectors.harness.stage_file import Experiment
from collectors.harness.stages import Stage
from tests.support import skill_run
from tests.support.skill_run import BASELINE, INFRASTRUCTURE, NOT_GRADED

ROOT = Path(__file__).parents[2]
AT_ONCE = 3
SEED = 0
"""Its order ends with other tasks than `task-2`: lost runs of that are then no outage."""
EXECUTORS: dict[str, Callable[[], Executor]] = {
    "threads": lambda: ThreadPoolExecutor(AT_ONCE),
    "processes": lambda: ProcessPoolExecutor(AT_ONCE),
}
EXPERIMENT = Experiment(
    arms=("none", "acme/skills@reader"),
    tasks=("task-1", "task-2", "task-3"),
    repeats=2,
    spec={"agent": "scripted", "agent_version": "1.0.0", "skills": {"acme/skills@reader": "a1"}},
)


@dataclass(frozen=True, slots=True)
class Made:
    """Executes a cell by the script: how long it takes, and what comes of which task."""

    folder: Path
    stage_id: str
    spec_digest: str

    def __call__(self, cell: Cell, attempt: Attempt, halt: Halt) -> dict[str, Any]:
        """Return the row of an attempt."""
        script = json.loads((self.folder.parent / "script.json").read_bytes())
        began = time.time()
        with (self.folder.parent / "calls").open("a", encoding="utf-8") as calls:
            calls.write(f"{attempt.run_id} {os.getpid()}\n")
        deaf = script.get("deaf", False)
        while time.time() < began + script.get("seconds", 0) and (deaf or not halt()):
            time.sleep(0.005)
        if cell.task in script.get("raises", ()):
            raise ValueError("a fault of the program")
        if cell.task in script.get("dies", ()):
            os._exit(9)
        changes = {**(BASELINE if cell.arm == "none" else {"arm": cell.arm})}
        if halt():
            changes |= {**NOT_GRADED, "outcome": "interrupted"}
        elif cell.task in script.get("always_lost", ()) or (
            cell.task in script.get("lost", ()) and attempt.retry_of is None
        ):
            changes |= INFRASTRUCTURE
        changes |= {
            "run_id": attempt.run_id,
            "retry_of": attempt.retry_of,
            "benchmark_id": self.stage_id,
            "spec_digest": self.spec_digest,
            "task_id": cell.task,
            "repeat": cell.repeat,
            "position": cell.position,
            "planned_tasks": len(EXPERIMENT.tasks),
            "planned_repeats": EXPERIMENT.repeats,
            **_timing(began, time.time()),
        }
        return skill_run.valid_row(changes, **script.get("row", {}))


def _timing(began: float, ended: float) -> dict[str, Any]:
    times = [instant_text(datetime.fromtimestamp(at, UTC)) for at in (began, ended)]
    took = round((ended - began) * 1000)
    timing = {"agent": took, "grading": 0, "total": took}
    return {"started_at": times[0], "ended_at": times[1], "timing_ms": timing}


def opened(
    folder: Path, experiment: Experiment = EXPERIMENT, seed: int | None = None
) -> AbstractContextManager[Stage]:
    """Open the stage in a folder."""
    return stages.opened(folder, SKILL_RUN, experiment, plan={"executions": 12}, seed=seed)


def direct(folder: Path, **script: Any) -> None:
    """Say what the attempts of a stage do from now on."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    (folder.parent / "script.json").write_text(json.dumps(script), "utf-8")


def go_on(folder: Path, executor: str = "threads", stop: Stop | None = None) -> int:
    """Execute here what is due, and return the exit code."""
    with opened(folder, seed=SEED) as stage, EXECUTORS[executor]() as pool:
        return _execute(stage, pool, stop or Stop())


def _execute(stage: Stage, pool: Executor, stop: Stop) -> int:
    made = Made(stage.folder, stage.facts.stage_id, stage.facts.spec_digest)
    progress = Progress("made-up")
    running.run(stage, made, executor=pool, concurrency=AT_ONCE, stop=stop, progress=progress)
    account = stage.account()
    for line in account.lines():
        progress(line)
    return account.code


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Go on with a stage in a process that leads a group of its own."""
    command = [sys.executable, "-W", "error", "-m", "tests.support.staged", str(folder)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True)


def calls(folder: Path) -> list[str]:
    """Return the run id of every attempt that was really made, in order."""
    file = folder.parent / "calls"
    return (
        [line.split()[0] for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    )


def rows(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of a stage."""
    return list(appended(folder / stages.ROWS, SKILL_RUN))


def cut_short(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of the runs that a stop cut short."""
    return list(appended(folder / stages.INTERRUPTED, SKILL_RUN))


def assert_whole(folder: Path) -> None:
    """Every cell has its one row or a lost one and its retry; what has none is named as lost."""
    facts = json.loads((folder / "stage.json").read_bytes())
    found = rows(folder)
    by_id = {row["run_id"]: row for row in found}
    assert len(by_id) == len(found)
    cells = [(cell["arm"], cell["task"], cell["repeat"]) for cell in facts["order"]]
    first = Counter(_cell(row) for row in found if row["retry_of"] is None)
    assert first == Counter(cells)
    again = {row["retry_of"]: row for row in found if row["retry_of"] is not None}
    lost = {row["run_id"] for row in found if row["outcome"] == "infrastructure"}
    assert again.keys() == {run for run in lost if by_id[run]["retry_of"] is None}
    assert all(_cell(by_id[run]) == _cell(row) for run, row in again.items())
    assert all(cells[row["position"]] == _cell(row) for row in found)
    named = {attempt["run_id"] for attempt in facts["lost"]}
    cut = {row["run_id"] for row in cut_short(folder)}
    assert not named & by_id.keys()
    assert not cut & (named | by_id.keys())
    assert set(calls(folder)) <= named | cut | by_id.keys()


def _cell(row: dict[str, Any]) -> tuple[str, str, int]:
    return row["arm"], row["task_id"], row["repeat"]


def main() -> int:
    """Go on with the stage named on the command line; the first signal ends it with rows."""
    try:
        with Stop() as stop:
            return go_on(Path(sys.argv[1]), stop=stop)
    except BenchdataError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
