"""What an agent is told, by variant: each tells all that the one before it tells, and more."""

from __future__ import annotations

from typing import Literal, get_args

from collectors.build_bench.lanes import Lane
from collectors.build_bench.tasks import Task

Variant = Literal["plain", "context", "hardening"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)


def prompt(task: Task, lane: Lane, variant: Variant) -> str:
    """Return the prompt of a task in a lane.

    `plain`: the task, how the service is built and started, and the name of the framework.
    `context`: versions and programs of the lane too. `hardening`: the rubric too.
    """
    parts = [task.prompt, f"Write the service in {lane.language} with {lane.title}.\n"]
    if variant != "plain":
        parts.append(lane.context)
    if variant == "hardening":
        parts.append(_rubric(task))
    return "\n".join(parts)


def _rubric(task: Task) -> str:
    """Return what a finished service is looked at for, without the weights."""
    items = [item for items in task.rubric_items().values() for item in items]
    lines = (f"- {item.id}: {item.met}\n" for item in items)
    return f"# What the finished service is also judged by\n\n{''.join(lines)}"
