"""What somebody asks to have benchmarked, by a spec file or through the MCP tool."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collectors.skill_eval import tasks
from collectors.skill_eval.spec import DEFAULT_TIMEOUT_MS, Spec
from collectors.skill_eval.tasks import Task

SCRIPT = "scripted.json"
"""Beside a spec: what the model of the scripted agent answers."""


@dataclass(frozen=True, slots=True)
class Request:
    """A benchmark as asked for; what is None has its default. Paths start from `folder`."""

    name: str
    category: str
    folder: Path
    tasks: tuple[Task, ...]
    skills: tuple[str, ...]
    include_no_skill: bool = True
    runs: int | None = None
    agent: str | None = None
    model: str | None = None
    timeout_ms: int = DEFAULT_TIMEOUT_MS
    concurrency: int = 1
    executor: str | None = None


def of_spec(spec: Spec) -> Request:
    """Return what a spec file asks for.

    Raises:
        BenchdataError: Its tasks cannot be read.
    """
    file = spec.file
    return Request(
        name=file.name,
        category=file.category,
        folder=spec.folder,
        tasks=tasks.read(spec.folder / file.tasks),
        skills=tuple(file.skills),
        include_no_skill=file.include_no_skill,
        runs=file.runs,
        agent=file.agent,
        model=file.model,
        timeout_ms=file.timeout,
        concurrency=file.concurrency,
    )
