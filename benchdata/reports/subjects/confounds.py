"""What a build bench cannot hold equal between lanes: the one place where each is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from benchdata.errors import counted
from benchdata.numbers import MISSING
from benchdata.reports.tables import Table


@dataclass(frozen=True, slots=True)
class Confound:
    """One thing that may lie behind a difference: what it can do, and what the rows say of it."""

    name: str
    effect: str
    seen: Callable[[pl.DataFrame], Iterator[str]]


def table(runs: pl.DataFrame) -> Table:
    """Return each confound with what these rows say of it."""
    rows = [(each.name, "; ".join(each.seen(runs)) or MISSING, each.effect) for each in CONFOUNDS]
    head = ("Confound", "In these rows", "What it can do")
    return Table("Confounds", head, tuple(rows), ("left", "left", "left"))


def _probes(runs: pl.DataFrame) -> Iterator[str]:
    for (task,), part in runs.group_by("task_id", maintain_order=True):
        every = part.select("probes").explode("probes").drop_nulls().unnest("probes")
        sets = every.unique(["set", "id"])["set"].value_counts().sort("set")
        counts = " and ".join(f"{n:,} {name}" for name, n in sets.iter_rows()) or "no probe"
        yield f"{task}: {counts}"


def _models(runs: pl.DataFrame) -> Iterator[str]:
    yield counted(runs["model"].n_unique(), "model")
    yield "no field says what a model was trained on"


def _starters(runs: pl.DataFrame) -> Iterator[str]:
    yield f"variants: {_values(runs['variant'])}"
    for (task,), part in runs.group_by("task_id", maintain_order=True):
        lanes, digests = part["lane"].n_unique(), part["task_digest"].n_unique()
        yield f"{task}: {counted(digests, 'task digest')} in {counted(lanes, 'lane')}"


def _storage(runs: pl.DataFrame) -> Iterator[str]:
    yield "no field names the store"
    yield f"{counted(runs['lockfile_digest'].n_unique(), 'lockfile digest')}"


def _agents(runs: pl.DataFrame) -> Iterator[str]:
    named = pl.concat_str("agent", pl.lit(" "), "agent_version", ignore_nulls=True)
    yield _values(runs.select(agent=named)["agent"])


def _values(found: pl.Series) -> str:
    return ", ".join(map(str, found.unique().sort().to_list()))


CONFOUNDS = (
    Confound(
        "Probes, public or not",
        "The probes of the core set are published, the extra ones with this project: a model may"
        " have seen either. A lane that does better on core than on extra ones may owe it to that.",
        _probes,
    ),
    Confound(
        "Where the scale begins",
        "A pass rate does not begin at zero: a service that refuses everything, or gives every"
        " request the same answer, passes the probes that ask for no more. Read lanes against each"
        " other and not against nothing.",
        _probes,
    ),
    Confound(
        "Training data",
        "A model's training data may hold the documents, templates and examples of one framework"
        " and few of another. A lane then shows how well it is known, not how well it is made.",
        _models,
    ),
    Confound(
        "Starters and agent instructions",
        "A lane may start with instructions for agents, another with none. Prompt, context, starter"
        " and tools make the task digest: lanes that differ in it were not asked the same.",
        _starters,
    ),
    Confound(
        "Storage",
        "Each lane keeps its data in what its context offers: a file, an embedded store, a library."
        " Restart and concurrency probes then measure the store as much as the framework.",
        _storage,
    ),
    Confound(
        "Agent version",
        "A turn is what the agent makes of one: its shape changes between releases. Turns compare"
        " under one version alone, and another model often comes with another agent.",
        _agents,
    ),
)
