"""What lies beside the rows of a dataset: its datasheet and its review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from blake3 import blake3

from benchdata.errors import InputError

DATASHEET = "datasheet.md"
REVIEW = "review.md"
FENCE = "---"


@dataclass(frozen=True, slots=True)
class Datasheet:
    """The front matter of a dataset folder's `datasheet.md`; `regions` gives labels a meaning."""

    title: str = ""
    regions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Review:
    """The front matter of a dataset folder's `review.md`: who looked at which rows, and when."""

    date: str
    reviewer: str
    digest: str


def digest_of(digests: Iterable[str]) -> str:
    """Return one digest for several inputs, whatever their order; of one input it is its own."""
    ordered = sorted(digests)
    return ordered[0] if len(ordered) == 1 else blake3("\n".join(ordered).encode()).hexdigest()


def datasheet(folder: Path) -> Datasheet:
    """Return the datasheet of a dataset folder, an empty one when there is none."""
    front = front_matter(folder / DATASHEET)
    regions = front.get("regions") or {}
    if not isinstance(regions, dict):
        raise InputError(f"{DATASHEET}: regions must map each label to its meaning")
    meanings = {str(label): str(meaning) for label, meaning in regions.items()}
    return Datasheet(str(front.get("title", "")), meanings)


def review(folder: Path) -> Review | None:
    """Return the review note of a dataset folder, None when it has not been reviewed."""
    if not (folder / REVIEW).is_file():
        return None
    front = front_matter(folder / REVIEW)
    missing = [name for name in ("date", "reviewer", "digest") if not front.get(name)]
    if missing:
        raise InputError(f"{REVIEW}: the front matter lacks {', '.join(missing)}")
    return Review(str(front["date"]), str(front["reviewer"]), str(front["digest"]))


def front_matter(file: Path) -> dict[str, Any]:
    """Return the YAML between the first two `---` lines of a file, nothing when there is no file."""
    if not file.is_file():
        return {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        if not lines or lines[0].strip() != FENCE:
            return {}
        end = lines.index(FENCE, 1)
        front = yaml.safe_load("\n".join(lines[1:end])) or {}
    except (ValueError, yaml.YAMLError):
        message = "the front matter is no YAML between two lines of ---"
        raise InputError(f"{file.name}: {message}") from None
    if not isinstance(front, dict):
        raise InputError(f"{file.name}: the front matter must be `name: value` lines")
    return front
