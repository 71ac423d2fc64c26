"""Small benchmarks of skills, on the scripted agent: written, resolved, executed, run."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.rows.writing import appended
from collectors.harness import batches
from collectors.harness.batches import RUNS
from collectors.harness.running import Halt
from collectors.harness.schedule import Attempt, Cell
from collectors.skill_eval import request, spec
from collectors.skill_eval.engine import Engine
from collectors.skill_eval.resolved import Resolved
from collectors.skill_eval.resolving import resolve
from tests.support.command import ROOT, Done, run

SPECS = ROOT / "collectors" / "skill_eval" / "specs"
ARM = "local:mine"
SUM: dict[str, Any] = {"id": "sum", "prompt": "6 x 7?", "grader": "exact", "expected": "42"}
BENCHMARK_ID = str(uuid.UUID(int=7, version=4))
SPEC_DIGEST = "7" * 64


class Executed(NamedTuple):
    """The valid row of one execution, and the folder of what was kept of it."""

    row: Mapping[str, Any]
    kept: Path

    @property
    def ended(self) -> tuple[Any, ...]:
        """Outcome, reason, whether it passed, and its score."""
        return tuple(self.row[name] for name in ("outcome", "failure_reason", "passed", "score"))

    def left(self) -> list[str]:
        """Return the names of what was kept."""
        return sorted(path.name for path in self.kept.iterdir())


def skill(folder: Path, body: str = "Do it well.") -> Path:
    """Write a skill of the folder's name."""
    folder.mkdir(parents=True)
    head = f"---\nname: {folder.name}\ndescription: Says how {folder.name} is done.\n---\n"
    (folder / "SKILL.md").write_text(f"{head}{body}\n")
    return folder


def bash(command: str, **rest: Any) -> dict[str, Any]:
    """Return a reply that runs a command."""
    return {"tool_calls": [{"name": "Bash", "input": {"command": command}}], **rest}


def written(
    folder: Path,
    *replies: Mapping[str, Any],
    tasks: Sequence[Mapping[str, Any]] = (SUM,),
    script: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Path:
    """Write a spec of one skill, its tasks, and the script of its agent; return the spec's file."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "mine").exists():
        skill(folder / "mine")
    facts = {"name": "sums", "category": "sums", "tasks": "cases.jsonl", "skills": ["mine"]}
    (folder / "spec.json").write_text(json.dumps(facts | {"agent": "scripted"} | changes))
    (folder / "cases.jsonl").write_text("".join(f"{json.dumps(task)}\n" for task in tasks))
    told = {"replies": list(replies), **(script or {})}
    (folder / "scripted.json").write_text(json.dumps(told))
    return folder / "spec.json"


def resolved(file: Path, environment: Mapping[str, str] | None = None) -> Resolved:
    """Return the benchmark of a spec's file with everything bound."""
    return resolve(request.of_spec(spec.load(file)), environment or {})


def executed(
    found: Resolved, folder: Path, arm: str = "none", task: str = "sum", *, halted: bool = False
) -> Executed:
    """Execute one cell; what is kept of it goes below `folder`."""
    folder.mkdir(exist_ok=True)
    halt = folder / "halt"
    if halted:
        halt.touch()
    attempt = Attempt(str(uuid.uuid4()), 0, "2026-12-01T00:00:00.000Z", None)
    engine = Engine(found, BENCHMARK_ID, SPEC_DIGEST, folder)
    row = engine(Cell(arm, task, 1, 0), attempt, Halt(halt))
    return Executed(SKILL_RUN.validate(row), folder / RUNS / attempt.run_id)


def collected(
    file: Path, *arguments: str | Path, variables: Mapping[str, str] | None = None
) -> Done:
    """Run the command on a spec in this process, where nobody can be asked."""
    with patch.dict(os.environ, variables or {}):
        return run("collect", "skill-eval", file, *arguments)


def rows_of(out: Path) -> list[Mapping[str, Any]]:
    """Return the valid rows of a benchmark, in the order they came."""
    return [*appended(batches.rows_of(out), SKILL_RUN)]
