"""What the judge is told, in versioned files, and the shape of what it may answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from benchdata.contracts.judgment import BEST, DIMENSIONS, WORST
from collectors.harness.documents import Document

FILES = Path(__file__).with_name("files")
SYSTEM, POINTWISE, PAIRWISE = FILES / "system.md", FILES / "pointwise.md", FILES / "pairwise.md"
LEVELS, FAILURES = FILES / "rubric.json", FILES / "critical.json"
TOLD = (SYSTEM, POINTWISE, PAIRWISE, LEVELS, FAILURES)
"""All that a version covers."""
SERIES = "p1"
"""Goes up when verdicts come to mean something else, such as with other dimensions."""
DIGITS = 12

RUBRIC: dict[str, dict[str, Any]] = json.loads(LEVELS.read_bytes())
"""What each dimension asks, and its levels from 0 to 3."""
CRITICAL: dict[str, str] = {
    failure["id"]: failure["words"] for failure in json.loads(FAILURES.read_bytes())
}
"""The predeclared critical failures by id: with any of them an artefact is worth nothing."""


def prompt_version(files: Sequence[Path] = TOLD) -> str:
    """Return the version of prompts, rubric and critical failures, as rows pin it.

    It is that of names and bytes alone, so the same on every machine.
    """
    digest = hashlib.sha256()
    for file in files:
        for part in (file.name.encode(), file.read_bytes()):
            digest.update(len(part).to_bytes(8, "big") + part)
    return f"{SERIES}-{digest.hexdigest()[:DIGITS]}"


def _declared(found: list[str]) -> list[str]:
    """Return the failures in the order of their list, each once; refuse one that is not on it."""
    if not CRITICAL.keys() >= set(found):
        raise ValueError("must be ids of the list of critical failures")
    return [failure for failure in CRITICAL if failure in found]


Mark = Annotated[int, Field(ge=WORST, le=BEST)]
CriticalFailures = Annotated[
    list[str],
    AfterValidator(_declared),
    Field(json_schema_extra={"items": {"type": "string", "enum": list(CRITICAL)}}),
]


def _undescribed(schema: dict[str, Any]) -> None:
    """Take our own docstring out of what the judge is told, which the version is to cover."""
    del schema["description"]


class Answer(Document):
    """What the judge says.

    `seen` comes first so that a model looks before it judges. Nobody reads it: it may hold anything
    that stands in the pictures, and rows have no free text.
    """

    model_config = ConfigDict(json_schema_extra=_undescribed)

    seen: str


class Marks(Answer):
    """What the judge says of one artefact."""

    brief_fidelity: Mark
    hierarchy_readability: Mark
    usability: Mark
    craft: Mark
    critical_failures: CriticalFailures

    @property
    def quality(self) -> float:
        """Q: the mean of the four dimensions, from 0 to 3; 0 when a critical failure stands."""
        if self.critical_failures:
            return float(WORST)
        marks: list[int] = [getattr(self, name) for name in DIMENSIONS]
        return sum(marks) / len(marks)


class Preference(Answer):
    """What the judge says of two artefacts."""

    winner: Literal["a", "b", "tie"]


def rubric_text() -> str:
    """Return the dimensions as the prompts list them."""
    return "\n\n".join(
        "\n".join((f"`{name}`: {RUBRIC[name]['asks']}", *_numbered(RUBRIC[name]["levels"])))
        for name in DIMENSIONS
    )


def critical_text() -> str:
    """Return the critical failures as the prompts list them."""
    return "\n".join(f"- `{name}`: {words}" for name, words in CRITICAL.items())


def _numbered(levels: list[str]) -> list[str]:
    return [f"- {level}: {words}" for level, words in enumerate(levels)]
