"""shared-result: the only thing that sharing may send of a benchmark, and nothing else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field as Bounds

from benchdata.contracts.base import Contract
from benchdata.contracts.fields import ModelId, Row, Uuid4
from benchdata.contracts.grammar import Positive, Share, SharedSkill, Slug
from benchdata.contracts.meaning import Metric, Outcome, Pin

MOST_SKILLS = 7

Category = Literal["invoice-extraction", "security-review", "other"]
"""The categories of the benchmarks that ship with the project; a user's own is `other`."""


class Skill(Row):
    """What one skill reached; every skill that is in no catalog is `local`."""

    skill: SharedSkill
    score: Share
    runs: Positive


class SharedResult(Row):
    """Version 1."""

    schema_version: Literal[1]
    category: Category
    skills: Annotated[list[Skill], Bounds(min_length=1, max_length=MOST_SKILLS)]
    agent: Slug
    model: ModelId
    install_id: Uuid4
    key_id: Uuid4 | None
    internal: bool


SHARED_RESULT = Contract(
    name="shared-result",
    models={1: SharedResult},
    # it has no id of its own: an installation says one thing of a category, agent and model
    identity=("install_id", "category", "agent", "model"),
    group=("category", "agent", "model", "internal"),
    metrics=(Metric("runs", "skills", "", "neither", items=("runs",), title="Runs"),),
    outcome=Outcome(success="True"),
    synthetic="agent == 'scripted'",
    views={"skills": "shared_skills"},
    shown=("category", "agent", "model"),
    pins=(Pin("Agent", "{agent}"), Pin("Model", "{model}"), Pin("Internal", "{internal}")),
)
