"""What every execution of an agent has: a fresh folder, a result whatever happens, what is kept."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from benchdata.errors import BenchdataError
from collectors.harness import folders
from collectors.harness.agents.driver import Report
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from collectors.harness.schedule import Attempt
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.row import MS, Clock, Result, instant_now

RUNS = ".runs"
"""Hidden, so that who reads the rows of a benchmark's folder does not walk into it."""
JUDGE = "judge"
OUTPUT = "output.txt"
GRADE = "grade.json"
FAULT = "harness-error.txt"
UNGRADED = ("infrastructure", "interrupted")
PRIVATE = 0o700


def executed(kept: Path, execute: Callable[[RunFolder], Result]) -> tuple[Result, Clock]:
    """Execute in a new folder at `kept`, of which only what was recorded is left.

    Whatever `execute` raises becomes a result; the fault is kept beside what was recorded.
    """
    began, since = instant_now(), time.monotonic()
    result = _result(kept, execute)
    total_ms = round((time.monotonic() - since) * MS)
    agent_ms = round(result.execution.agent_s * MS) if result.execution else 0
    return result, Clock(began, agent_ms, max(0, total_ms - agent_ms), total_ms)


def _result(kept: Path, execute: Callable[[RunFolder], Result]) -> Result:
    try:
        folder = folders.create(kept)
        try:
            return execute(folder)
        finally:
            folder.remove()
    except SetupFailed as failure:
        keep(kept, FAULT, str(failure))
        return Result("infrastructure", "setup_failed", None, None)
    except Exception:  # noqa: BLE001 -- a row whatever happens; the fault is kept beside it
        keep(kept, FAULT, traceback.format_exc())
        return Result("infrastructure", "harness_error", None, None)


def left(report: Report) -> str:
    """Return what an agent said: the answer, or of a run that did not end well its last words."""
    return (report.said if report.answer is None else report.answer) or ""


def wrongly_shown(arm: Arm, report: Report, arms: Iterable[Arm]) -> str | None:
    """Say what is wrong when the agent was not shown its arm's skill, or was another arm's."""
    if report.skills_listed is None:
        return None
    own = {arm.skill.name} if arm.skill else set()
    skills = {each.skill.name for each in arms if each.skill}
    for name in sorted((skills & {*report.skills_listed}) ^ own):
        shown = "was not shown" if name in own else "was shown"
        return f"arm {arm.name}: the agent {shown} the skill {name}"
    return None


def refuse_inside(folder: Path, read: Iterable[Path]) -> None:
    """Refuse a folder in what is read: each run would find it changed by those before it.

    Raises:
        BenchdataError: It lies in one of these.
    """
    for place in sorted(read):
        if folder.resolve().is_relative_to(place.resolve()):
            raise BenchdataError(f"{folder}: lies in {place}, which is read; give another folder")


def keep(folder: Path, name: str, text: str) -> None:
    """Keep a text beside a run; a disk that is full loses it and not the row."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", "backslashreplace")


def close(runs: Path) -> None:
    """Make the folder of what was recorded, which git is to leave alone wherever it lies."""
    runs.mkdir(PRIVATE, exist_ok=True)
    (runs / ".gitignore").write_text("*\n", "utf-8")


def clear(folder: Path, lost: Iterable[Attempt]) -> None:
    """Remove what agents saw and made in runs that were lost with the command that ran them."""
    for attempt in lost:
        run = folder / RUNS / attempt.run_id
        for place in (run, *(run / JUDGE).glob("*")):
            if (left_over := RunFolder(place)).agent.exists():
                left_over.remove()
