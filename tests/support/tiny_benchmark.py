"""A benchmark of two arms and two tasks, small enough for real agents: who has the skill is better.

The model is told nothing of arms. Both have one script for a task, and the model takes its other
branch where the agent shows it the skill: what the rows say of arms is what the agent did.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import benchdata
from benchdata.contracts.fields import instant_text
from benchdata.contracts.skill_run import SKILL_RUN
from collectors.harness import attempt as attempts
from collectors.harness import folders, running, skills, stages
from collectors.harness.attempt import Execution
from collectors.harness.progress import Progress
from collectors.harness.running import Halt
from collectors.harness.schedule import Attempt, Cell
from collectors.harness.signals import Stop
from collectors.harness.skills import Skill
from collectors.harness.stage_file import Experiment
from tests.support.driven import skill_in
from tests.support.whole import Whole

SKILL = "house-style"
ARM = f"local:{SKILL}"
BASELINE = "none"
ANSWER = "answer.txt"
STAGE = "stage"
TASKS = {"plain-title": ("Colours", "Colours"), "odd-title": ("colours", "COLOURS")}
"""What the model writes by itself, and what it is to write: by task."""
REPEATS = 2
AT_ONCE = 2

LOADED, WRITTEN, GUESSED, ENDED = (900, 20, 0), (40, 31, 900), (800, 33, 0), (50, 5, 950)
"""Input, output and cached tokens of the messages."""
SPENT: Mapping[str, tuple[tuple[int, int, int], ...]] = {
    ARM: (LOADED, WRITTEN, ENDED),
    BASELINE: (GUESSED, ENDED),
}


@dataclass(frozen=True)
class Tiny:
    """Executes a cell with a model of its own, so that every repeat meets the whole script."""

    whole: Whole
    skill: Skill
    version: str
    stage_id: str
    spec_digest: str
    folder: Path

    def __call__(self, cell: Cell, attempt: Attempt, halt: Halt) -> dict[str, Any]:
        """Return the row of an attempt."""
        since = time.monotonic()
        began = datetime.now(UTC)
        skill = self.skill if cell.arm == ARM else None
        folder = folders.create(self.folder / "runs" / attempt.run_id)
        with self.whole.dialect.serving(self.script(cell.task)) as server:
            setting = self.whole.setting(server)
            call = self.whole.call(f"Write the title into {ANSWER}.", skill=skill)
            done = attempts.run(call, setting, folder, halted=halt)
        answer = folder.work / ANSWER
        right = answer.exists() and answer.read_text() == TASKS[cell.task][1]
        installed = (folder.skills / SKILL / skills.FILE).is_file()
        folder.remove()
        took = round((time.monotonic() - since) * 1000)
        return {
            **self._pins(cell, attempt, skill),
            **_facts(done, skill, installed=installed),
            "started_at": instant_text(began),
            "ended_at": instant_text(began + timedelta(milliseconds=took)),
            "sandbox": setting.sandbox.name,
            "endpoint": setting.payer.endpoint,
            "billing": setting.payer.billing,
            "timeout_ms": round(setting.timeout_s * 1000),
            **({"passed": right, "score": float(right)} if done.outcome == "completed" else {}),
            "total_cost_usd": setting.prices.cost(done.usage) if setting.prices else None,
            "timing_ms": {"agent": round(done.agent_s * 1000), "grading": 0, "total": took},
        }

    def script(self, task: str) -> dict[str, Any]:
        """Return what the model says on a task, with the skill before it and without."""
        guess, right = TASKS[task]
        whole, dialect = self.whole, self.whole.dialect
        loads = whole.message(dialect.load(SKILL), counts=LOADED)
        writes = whole.message(dialect.write(ANSWER, right), counts=WRITTEN)
        guesses = whole.message(dialect.write(ANSWER, guess), counts=GUESSED)
        last = whole.said(*ENDED)
        knowing = {"when": SKILL, "replies": [loads, writes, last]}
        return {"replies": [guesses, last], "routes": [knowing]}

    def _pins(self, cell: Cell, attempt: Attempt, skill: Skill | None) -> dict[str, Any]:
        return {
            "schema_version": 1,
            "run_id": attempt.run_id,
            "benchmark_id": self.stage_id,
            "spec_digest": self.spec_digest,
            "harness_version": benchdata.__version__,
            "stage": "benchmark",
            "category": "titles",
            "arm": cell.arm,
            "skill_digest": skill and skill.digest,
            "task_id": cell.task,
            "task_digest": "07" * 32,
            "repeat": cell.repeat,
            "planned_tasks": len(TASKS),
            "planned_repeats": REPEATS,
            "position": cell.position,
            "retry_of": attempt.retry_of,
            "agent": self.whole.driver.name,
            "agent_version": self.version,
            "model": self.whole.model,
            "mode": "agent",
            "grader": "exact",
            "grader_model": None,
            "fields_correct": None,
            "fields_total": None,
            "passed": None,
            "score": None,
        }


def _facts(done: Execution, skill: Skill | None, *, installed: bool) -> dict[str, Any]:
    listed = done.report.skills_listed
    return {
        "outcome": done.outcome,
        "failure_reason": done.reason,
        "usage": [each.model_dump() for each in done.usage],
        "turns": done.turns,
        "skill_installed": installed,
        "skill_listed": None if listed is None else SKILL in listed,
        "skill_read": done.report.skill_read if skill else False,
        "other_skills": None if listed is None else len({*listed} - {SKILL}),
    }


def run(whole: Whole, folder: Path, stop: Stop | None = None) -> int:
    """Go on with the benchmark, whose stage lies in `folder/stage`; return the exit code."""
    there = folder / SKILL
    skill = skills.read(there if there.exists() else skill_in(folder, SKILL))
    version = whole.driver.version()
    spec = {"agent": whole.driver.name, "agent_version": version, "skill": skill.digest}
    experiment = Experiment((BASELINE, ARM), tuple(TASKS), REPEATS, spec)
    with (
        stages.opened(folder / STAGE, SKILL_RUN, experiment, plan={}, seed=1) as stage,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        tiny = Tiny(whole, skill, version, stage.facts.stage_id, stage.facts.spec_digest, folder)
        said = Progress("tiny")
        running.run(
            *(stage, tiny),
            executor=pool,
            concurrency=AT_ONCE,
            stop=stop or Stop(),
            progress=said,
        )
        return stage.account().code
