"""Small suites of open tasks, stages of them, and the commands of the blind judge run on those.

`staged` makes a stage without running an agent, for what comes after one.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchdata.contracts.judgment import DIMENSIONS, JUDGMENT
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.rows.writing import appended
from collectors.harness import stages
from collectors.harness.batches import RUNS
from collectors.harness.stages import ROWS
from collectors.skill_eval.graders.grade import Grade
from collectors.skill_eval.judge.resolving import ENDPOINT
from collectors.skill_eval.row import Clock, Result, instant_now, row_of
from collectors.skill_eval.stages import binding
from collectors.skill_eval.stages.artefacts import ARTEFACT
from collectors.skill_eval.stages.attempts import Attempts
from collectors.skill_eval.stages.binding import Asked
from collectors.skill_eval.stages.judgments import JUDGMENTS
from tests.support.benchmarks import bash, skill
from tests.support.command import Done, run
from tests.support.drawn_pages import badly_set, saved, well_set

MODEL = "stand-in-1"
ARM = "local:mine"
NAMES = ("one", "two", "three", "four", "five", "six")
FRESH = ("seven", "eight", "nine", "ten", "eleven", "twelve")
JUDGED_BY = ("--judge", "openai", "--judge-model", MODEL)
AGENT = ("--agent", "scripted")
NOBODY = "http://127.0.0.1:9"
"""Where no judge answers."""
LOADED = {"tool_calls": [{"name": "Skill", "input": {"skill": "mine"}}]}
SCRIPT: Mapping[str, Any] = {
    "routes": [{"when": "Skills: mine", "replies": [LOADED, bash("cp good.png page.png")]}],
    "replies": [bash("cp bad.png page.png")],
    "default": {"text": "Done."},
}
"""An agent that does better with the skill."""


def marks(mark: int = 2, **changes: Any) -> dict[str, Any]:
    """Return a reply with a verdict on one artefact."""
    verdict = {"seen": "A page.", **dict.fromkeys(DIMENSIONS, mark), "critical_failures": []}
    return {"text": json.dumps(verdict | changes)}


def preference(winner: str) -> dict[str, Any]:
    """Return a route with a verdict on every pair; the winner is told by its place."""
    return {"when": "result B", "side": {"text": json.dumps({"seen": "Two.", "winner": winner})}}


def suite(
    folder: Path, names: Sequence[str] = NAMES, script: Mapping[str, Any] = SCRIPT, **changes: Any
) -> Path:
    """Write a suite whose tasks want a picture, of which a good and a bad one are the input."""
    for name in names:
        task(folder, name, **changes)
    (folder / "scripted.json").write_text(json.dumps(script))
    return folder


def task(folder: Path, name: str, check: str | None = None, **changes: Any) -> Path:
    """Write one task of a suite."""
    given = folder / name / "input"
    saved(well_set(), given / "good.png")
    saved(badly_set(), given / "bad.png")
    facts = {
        "id": name,
        "title": f"Task {name}",
        "prompt": f"Draw page {name} as page.png.",
        "render": {"kind": "image", "entry": "page.png"},
        "required": ["A heading"],
    }
    (folder / name / "task.json").write_text(json.dumps(facts | changes))
    if check is not None:
        (folder / name / "check.py").write_text(f"def check(artefact):\n    {check}\n")
    return folder / name


def laid_out(folder: Path, **changes: Any) -> Path:
    """Make `folder` with a suite and a skill."""
    suite(folder / "suite", **changes)
    skill(folder / "mine")
    return folder


def staged(
    folder: Path, out: str = "screen", *, lost: Sequence[str] = (), due: int = 0, seed: int = 7
) -> Path:
    """Make a screen in `folder`, beside its suite and skill, without an agent.

    Runs on the tasks `lost` are those of a lost infrastructure, and the last `due` are not made.
    """
    if not (folder / "suite").exists():
        laid_out(folder)
    asked = Asked("screen", str(folder / "suite"), 1, "scripted", None, "openai", MODEL)
    bound = binding.skilled(asked, str(folder / "mine"), {ENDPOINT: f"{NOBODY}/v1"})
    with stages.opened(folder / out, SKILL_RUN, bound.experiment, plan={}, seed=seed) as stage:
        attempts = Attempts(bound, stage.facts.stage_id, stage.facts.spec_digest, stage.folder)
        wanted = stage.due()
        for each in wanted[: len(wanted) - due]:
            attempt, cell = stage.begin(each), each.cell
            if cell.task in lost:
                result = Result("infrastructure", "rate_limited", None, None)
            else:
                result = Result("completed", None, None, Grade(None, None))
                source = folder / "suite" / cell.task / "input"
                place = stage.folder / RUNS / attempt.run_id / ARTEFACT
                saved_as = "bad" if cell.arm == "none" else "good"
                place.mkdir(parents=True)
                shutil.copy(source / f"{saved_as}.png", place / "page.png")
            clock = Clock(instant_now(), 0, 0, 0)
            row = row_of(attempts.batch, attempts.subject(cell), cell, attempt, result, clock)
            stage.finish(attempt, row)
    return folder / out


def commanded(name: str, *arguments: str | Path, judge: str = NOBODY) -> Done:
    """Run a command where the judge is at an address, and nobody can be asked."""
    with patch.dict(os.environ, {ENDPOINT: f"{judge}/v1"}):
        return run("collect", "skill-eval", name, *arguments)


def ran(name: str, folder: Path, *arguments: str | Path, out: str = "out") -> Done:
    """Run `screen` or `heldout` in a folder that is laid out; without `--yes` nothing runs."""
    flags = ("--suite", folder / "suite", "--skill", folder / "mine", "--out", folder / out)
    return commanded(name, *flags, *AGENT, *JUDGED_BY, *arguments)


def runs(folder: Path) -> list[Mapping[str, Any]]:
    """Return the valid rows of a stage."""
    return [*appended(folder / ROWS, SKILL_RUN)]


def judgments(folder: Path) -> list[Mapping[str, Any]]:
    """Return the valid judgments in a folder."""
    return [*appended(folder / JUDGMENTS, JUDGMENT)]
