"""A benchmark's spec: which skills are compared on which tasks, and within which budget."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from benchdata.contracts.fields import ModelId
from benchdata.contracts.grammar import Slug
from benchdata.errors import BenchdataError, shorten
from collectors.harness import documents
from collectors.harness.command_line import MOST_CONCURRENCY
from collectors.harness.documents import Document

MOST_SKILLS = 6
MOST_RUNS = 1_000
MOST_EXECUTIONS = 100_000
"""Of one plan: their order is made and written before the first."""
DEFAULT_TIMEOUT_MS = 600_000
SHORTEST_TIMEOUT_MS = 1_000
LONGEST_TIMEOUT_MS = 24 * 3_600_000

Runs = Annotated[int, Field(ge=1, le=MOST_RUNS)]
Concurrency = Annotated[int, Field(ge=1, le=MOST_CONCURRENCY)]
TimeoutMs = Annotated[int, Field(ge=SHORTEST_TIMEOUT_MS, le=LONGEST_TIMEOUT_MS)]
Skills = Annotated[list[str], Field(min_length=1)]


class SpecFile(Document):
    """What stands in `spec.json`; what is absent has the default of the command."""

    name: Slug
    category: Slug
    tasks: str
    skills: Skills
    include_no_skill: bool = Field(default=True, alias="includeNoSkill")
    runs: Runs | None = None
    agent: Slug | None = None
    model: ModelId | None = None
    timeout: TimeoutMs = DEFAULT_TIMEOUT_MS
    concurrency: Concurrency = 1


@dataclass(frozen=True, slots=True)
class Spec:
    """A spec and the folder that its paths start from."""

    file: SpecFile
    folder: Path


def load(path: Path) -> Spec:
    """Return the spec that a file holds.

    Raises:
        BenchdataError: It cannot be read, or a key or value is not one of a spec.
    """
    if path.is_dir():
        shown = shorten(str(path), 120)
        raise BenchdataError(f"{shown}: is a folder; name the file SPEC.json of a benchmark")
    found = documents.parsed(documents.content(path), SpecFile, path.name)
    return Spec(found, path.resolve().parent)
