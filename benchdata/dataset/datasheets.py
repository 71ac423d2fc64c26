"""What lies beside the rows of a dataset: its datasheet and its review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
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
    file = folder / DATASHEET
    front = front_matter(file)
    title, regions = front.get("title") or "", front.get("regions") or {}
    if not isinstance(title, str):
        raise InputError(f"{file}: title must be one line of text")
    if not isinstance(regions, dict) or not all(map(_text, (*regions, *regions.values()))):
        raise InputError(f"{file}: regions must map each label to its meaning")
    return Datasheet(title, regions)


def review(folder: Path) -> Review | None:
    """Return the review note of a dataset folder, None when it has not been reviewed."""
    file = folder / REVIEW
    if not file.is_file():
        return None
    front = front_matter(file)
    if missing := [name for name in ("date", "reviewer", "digest") if not _text(front.get(name))]:
        raise InputError(f"{file}: the front matter lacks {', '.join(missing)}")
    try:
        date.fromisoformat(front["date"])
    except ValueError:
        raise InputError(f"{file}: the date must be written as YYYY-MM-DD") from None
    return Review(front["date"], front["reviewer"], front["digest"])


def _text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def front_matter(file: Path) -> dict[str, Any]:
    """Return the YAML between the first two `---` lines of a file, nothing when there is no file.

    No type is inferred: a label `no` or `1.10` stays what it is.
    """
    if not file.is_file():
        return {}
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
        if not lines or lines[0].strip() != FENCE:
            return {}
        end = lines.index(FENCE, 1)
        front = yaml.load("\n".join(lines[1:end]), Loader=yaml.BaseLoader) or {}
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, yaml.YAMLError):
        message = "the front matter is no YAML between two lines of ---"
        raise InputError(f"{file}: {message}") from None
    if not isinstance(front, dict):
        raise InputError(f"{file}: the front matter must be `name: value` lines")
    return front
