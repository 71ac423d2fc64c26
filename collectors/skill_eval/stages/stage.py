"""A bound stage in its folder, and what came of it.

The folder has `stage.json`, the rows, and in `.runs` what each run left for the judge.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchdata.contracts.rules import Expression
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import shorten
from benchdata.rows.writing import appended
from collectors.harness import stage_file
from collectors.harness.batches import RUNS, Batch
from collectors.harness.folders import FAULT
from collectors.harness.schedule import SEED_BITS
from collectors.harness.stage_file import StageFile
from collectors.harness.stages import ROWS
from collectors.skill_eval.execution import GRADE
from collectors.skill_eval.stages.attempts import Attempts
from collectors.skill_eval.stages.staged import Staged

assert SKILL_RUN.cell is not None
LOST = Expression(SKILL_RUN.cell.retried)
"""The runs that are made once more."""


def seed_of(folder: Path, given: int | None) -> int:
    """Return the seed of a stage's order: the one that is given, or its own, or a new one.

    Raises:
        BenchdataError: The folder's stage cannot be read.
    """
    if given is not None:
        return given
    there = stage_file.read(folder)
    return secrets.randbits(SEED_BITS) if there is None else there.seed


def batch(staged: Staged, folder: Path, seed: int) -> Batch:
    """Return the batch of a stage, whose folder is that of the stage itself."""
    read = {staged.suite.folder, *(arm.arm.skill.folder for arm in staged.arms if arm.arm.skill)}
    return Batch(
        folder,
        SKILL_RUN,
        staged.experiment,
        plan=asdict(staged.plan)
        | {"judge_calls": staged.plan.executions, "notes": [*staged.notes]},
        made=lambda facts: Attempts(staged, facts.stage_id, facts.spec_digest, folder),
        concurrency=staged.concurrency,
        inner="",
        seed=seed,
        read=read,
    )


def due(facts: StageFile, rows: Iterable[Mapping[str, Any]]) -> int:
    """Return how many runs a stage still wants, also those that were lost and have their retry."""
    done = {row["position"] for row in rows if row["retry_of"] or not LOST.of(row)}
    return len(facts.order) - len(done)


def first_lost(folder: Path) -> str | None:
    """Say why the first run was lost that no other made up for, where that is written down."""
    rows = [*appended(folder / ROWS, SKILL_RUN)]
    retried = {row["retry_of"] for row in rows}
    for row in rows:
        file = folder / RUNS / row["run_id"] / FAULT
        if LOST.of(row) and row["run_id"] not in retried and file.is_file():
            reason = file.read_text("utf-8", "replace").strip().rpartition("\n")[2]
            return f"A run of {row['task_id']} was lost: {shorten(reason)}; see {file}"
    return None


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
