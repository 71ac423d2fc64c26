"""What an agent asks the tool `benchmark` for, as a request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.contracts.grammar import REFERENCE, SOURCED
from benchdata.errors import BenchdataError, did_you_mean, shorten
from collectors.skill_eval import spec, tasks
from collectors.skill_eval.arms import BASELINE
from collectors.skill_eval.request import Request
from collectors.skill_eval.spec import DEFAULT_TIMEOUT_MS, Spec

SPECS = Path(__file__).with_name("specs")
OWN = "own-tasks"
"""The name and category of a benchmark on tasks that are of no shipped spec."""
SUGGESTED = 1
"""How many tasks of a category are taken where nobody says."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The arguments of one call; what is None was not given. Paths start from `here`."""

    here: Path
    skills: tuple[str, ...]
    tasks: tuple[Mapping[str, Any], ...] | None = None
    task_file: str | None = None
    category: str | None = None
    task_count: int | None = None
    runs: int | None = None
    agent: str | None = None
    model: str | None = None
    timeout_ms: int | None = None


def request_of(asked: Asked) -> Request:
    """Return what is asked for, with tasks given inline, in a file or by a shipped category.

    Raises:
        BenchdataError: Not exactly one of these is given, a count is given with tasks that have
            their own, or the tasks cannot be read.
    """
    sources = [
        name for name in ("tasks", "task_file", "category") if getattr(asked, name) is not None
    ]
    if len(sources) != 1:
        given = " and ".join(sources) or "none"
        raise BenchdataError(f"give exactly one of tasks, task_file and category, not {given}")
    if asked.task_count is not None and asked.category is None:
        raise BenchdataError(
            f"task_count: goes with category alone; {sources[0]} has its own number of tasks"
        )
    name, concurrency = OWN, 1
    if asked.category is not None:
        shipped = _shipped(asked.category)
        folder, name, concurrency = shipped.folder, shipped.file.name, shipped.file.concurrency
        found = _first(tasks.read(folder / shipped.file.tasks), asked.task_count, asked.category)
    elif asked.task_file is not None:
        path = asked.here / asked.task_file
        folder, found = path.resolve().parent, tasks.read(path)
    else:
        folder, found = asked.here, tasks.inline(asked.tasks or (), asked.here)
    return Request(
        name=name,
        category=asked.category or OWN,
        folder=folder,
        tasks=found,
        skills=tuple(_placed(skill, asked.here) for skill in asked.skills),
        runs=asked.runs,
        agent=asked.agent,
        model=asked.model,
        timeout_ms=asked.timeout_ms or DEFAULT_TIMEOUT_MS,
        concurrency=concurrency,
    )


def categories() -> Mapping[str, Spec]:
    """Return the shipped specs by their category."""
    specs = map(spec.load, sorted(SPECS.glob("*/spec.json")))
    return {one.file.category: one for one in specs}


def _shipped(category: str) -> Spec:
    known = categories()
    if category not in known:
        hint = did_you_mean(category, [*known]) or f"; there are {', '.join(known)}"
        raise BenchdataError(f"category: none is named {shorten(category, 60)}{hint}")
    return known[category]


def _first(
    found: tuple[tasks.Task, ...], count: int | None, category: str
) -> tuple[tasks.Task, ...]:
    """Return the first tasks of a category; they come in the order of its file."""
    if count is not None and count > len(found):
        raise BenchdataError(f"task_count: {category} has {len(found)} tasks, not {count}")
    return found[: count or SUGGESTED]


def _placed(skill: str, here: Path) -> str:
    """Return a skill's path as it is from anywhere; `none` and references stay."""
    sourced = re.fullmatch(SOURCED, skill)
    if skill == BASELINE or re.fullmatch(REFERENCE, sourced[1] if sourced else skill):
        return skill
    return str(here / skill)
