"""What a judge is checked with: artefacts, each of a task, and the runs that left them."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import BenchdataError, did_you_mean, shorten
from benchdata.rows.writing import appended
from collectors.harness import trees
from collectors.harness.batches import RUNS
from collectors.harness.stages import ROWS
from collectors.skill_eval.renderers.entries import entries
from collectors.skill_eval.renderers.failures import RenderFailed
from collectors.skill_eval.stages.artefacts import ARTEFACT
from collectors.skill_eval.suite.suite import Suite, SuiteTask

UUID4 = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


@dataclass(frozen=True, slots=True)
class Given:
    """An artefact to check the judge with: of which task, and the run that left it."""

    task: SuiteTask
    run_id: str
    folder: Path


def given(texts: Sequence[str], suite: Suite) -> list[Given]:
    """Return what each `TASK_ID=DIR` names: the folder of a run, or of an artefact alone.

    A bare artefact has no run; its id is then drawn from its files, so that it is always the same.

    Raises:
        BenchdataError: There is no such task or folder, one is given twice, is of another task, or
            lacks the file that its task shows.
    """
    found = [_given(text, suite) for text in texts]
    runs = [one.run_id for one in found]
    if twice := [one for one in found if runs.count(one.run_id) > 1]:
        raise BenchdataError(f"attempt: {twice[0].folder}: is given twice; give each once")
    return found


def drawn(text: str) -> str:
    """Return a run's id for what no run left, always the same."""
    return str(uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4))


def _given(text: str, suite: Suite) -> Given:
    name, _, path = text.partition("=")
    tasks = {task.id: task for task in suite.tasks}
    if name not in tasks or not path:
        hint = did_you_mean(name, list(tasks)) or f"; the tasks are {', '.join(tasks)}"
        raise BenchdataError(f"attempt: {shorten(name, 80)}: is no TASK_ID=DIR of this suite{hint}")
    run = Path(path)
    folder = run / ARTEFACT if (run / ARTEFACT).is_dir() else run
    if not folder.is_dir():
        raise BenchdataError(f"attempt: {shorten(path, 120)}: is no folder of a run")
    if (task := _task_of(run.resolve())) not in (name, None):
        raise BenchdataError(
            f"attempt: {run}: is a run on the task {task}, and not on {name}; give {task}={run}"
        )
    try:
        entries(folder, tasks[name].file.render)
    except RenderFailed as failure:
        raise BenchdataError(f"attempt: task {name}: {run}: {failure}") from None
    run_id = run.resolve().name
    known = re.fullmatch(UUID4, run_id)
    return Given(tasks[name], run_id if known else drawn(trees.digest(folder)), folder)


def _task_of(run: Path) -> str | None:
    """Return the task of a run by the rows of its stage; None where it lies in no stage."""
    if run.name == ARTEFACT:
        run = run.parent
    rows = run.parent.parent / ROWS
    if run.parent.name != RUNS or not rows.is_file():
        return None
    found = (row["task_id"] for row in appended(rows, SKILL_RUN) if row["run_id"] == run.name)
    return next(found, None)
