"""Runs a bound stage in its folder, and says what came of it.

The folder has `stage.json`, the rows, and in `.runs` what each run left for the judge.
"""

from __future__ import annotations

import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import BenchdataError
from benchdata.rows.writing import appended
from collectors.harness import running, stage_file, stages
from collectors.harness.progress import Progress
from collectors.harness.signals import Stop
from collectors.harness.stage_file import SEED_BITS
from collectors.harness.stages import ROWS, Account
from collectors.skill_eval import execution
from collectors.skill_eval.execution import GRADE, PRIVATE, RUNS
from collectors.skill_eval.stages.attempts import Attempts
from collectors.skill_eval.stages.staged import Staged

FAILED = ("agent_error", "timeout")


def seed_of(folder: Path, given: int | None) -> int:
    """Return the seed of a stage's order: the one that is given, or its own, or a new one.

    Raises:
        BenchdataError: The folder's stage cannot be read.
    """
    if given is not None:
        return given
    there = stage_file.read(folder)
    return secrets.randbits(SEED_BITS) if there is None else there.seed


def due(staged: Staged, folder: Path, seed: int) -> int:
    """Return how many executions a stage in `folder` still wants: all, where there is none.

    Raises:
        BenchdataError: The folder is another stage's, none of a stage, or lies in what is read.
    """
    _refuse_inside(staged, folder)
    if stage_file.read(folder) is None:
        if folder.exists() and stages.has_more(folder):
            raise BenchdataError(f"{folder}: holds files and no stage; give a new folder")
        return staged.plan.executions
    with stages.opened(folder, SKILL_RUN, staged.experiment, plan={}, seed=seed) as stage:
        return len(stage.due())


def execute(staged: Staged, folder: Path, seed: int, *, stop: Stop, progress: Progress) -> Account:
    """Execute all that is due and return what the stage has come to.

    Raises:
        BenchdataError: The folder cannot be used, or a row could not be written.
    """
    _refuse_inside(staged, folder)
    folder.mkdir(PRIVATE, parents=True, exist_ok=True)
    folder.chmod(PRIVATE)  # also one that was there
    plan = asdict(staged.plan) | {"judge_calls": staged.plan.executions, "notes": [*staged.notes]}
    with stages.opened(folder, SKILL_RUN, staged.experiment, plan=plan, seed=seed) as stage:
        execution.close(folder / RUNS)
        execution.clear(folder, stage.facts.lost)
        attempts = Attempts(staged, stage.facts.stage_id, stage.facts.spec_digest, folder)
        with ThreadPoolExecutor(staged.concurrency) as pool:
            running.run(
                stage,
                attempts,
                executor=pool,
                concurrency=staged.concurrency,
                stop=stop,
                progress=progress,
            )
        return stage.account()


def failed(folder: Path) -> int:
    """Return how many runs ended in a failure of the agent or of its time; all are judged."""
    return sum(row["outcome"] in FAILED for row in appended(folder / ROWS, SKILL_RUN))


def first_unchecked(folder: Path) -> str | None:
    """Say why the first check failed that did, and where that is written; None when none did."""
    for row in appended(folder / ROWS, SKILL_RUN):
        file = folder / RUNS / row["run_id"] / GRADE
        try:
            reason = json.loads(file.read_bytes()).get("failed")
        except (OSError, ValueError):  # it was not checked, or a full disk lost what was said
            continue
        if reason:
            return f"The check of {row['task_id']} failed: {reason}; see {file}"
    return None


def _refuse_inside(staged: Staged, folder: Path) -> None:
    skills = {arm.arm.skill.folder for arm in staged.arms if arm.arm.skill}
    execution.refuse_inside(folder, {staged.suite.folder, *skills})
