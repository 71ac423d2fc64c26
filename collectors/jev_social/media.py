"""Which downloaded files count: those of the pages they were asked for, in socai's runs."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from collectors.jev_social.environment import home

SUFFIXES = {
    *(".avif", ".gif", ".jpeg", ".jpg", ".m4v", ".mov", ".mp4", ".png", ".webm", ".webp"),
}


class Media(NamedTuple):
    """Distinct files and their sizes together, in bytes."""

    files: int
    size: int


def roots_of(environment: Mapping[str, str], configured: Path | None) -> list[Path]:
    """Return the folders below which socai puts its runs, as far as there are any."""
    named = (
        environment.get("SOCAI_RUNS_DIR", "").strip(),
        environment.get("SOCAI_HOME", "").strip(),
    )
    folders = [
        *([Path(named[0])] if named[0] else []),
        *([Path(named[1], "runs")] if named[1] else []),
        home(environment) / ".socai" / "runs",
        *([configured] if configured else []),
    ]
    roots = []
    for folder in folders:
        with suppress(OSError, ValueError, RuntimeError):
            roots.append(folder.resolve(strict=True))
    return roots


def found(items: Iterable[Any], roots: Iterable[Path], *, most: int) -> Media:
    """Count the files that items name below a root; what is not there or no media is left out.

    Raises:
        ValueError: There are more than `most`, for which a row has no place.
    """
    folders = [*roots]
    sizes: dict[tuple[int, int], int] = {}
    for name in _names(items):
        try:
            path = Path(name).resolve(strict=True)
            facts = path.stat()
        except (OSError, ValueError, RuntimeError):
            continue
        inside = any(path.is_relative_to(folder) for folder in folders)
        if not inside or path.suffix.lower() not in SUFFIXES:
            continue
        if stat.S_ISREG(facts.st_mode) and facts.st_size > 0:
            sizes[facts.st_dev, facts.st_ino] = facts.st_size
    if len(sizes) > most:
        raise ValueError("more files than records")
    return Media(len(sizes), sum(sizes.values()))


def _names(items: Iterable[Any]) -> Iterator[str]:
    """Give the local paths at any depth but those of posters: a picture of a video is no video."""
    pending: list[Any] = [*items]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending += value
        elif isinstance(value, dict):
            for key, child in value.items():
                name = key.lower()
                if name.endswith("poster_local_path"):
                    continue
                if isinstance(child, str) and (
                    name == "local_path" or name.endswith("_local_path")
                ):
                    yield child
                else:
                    pending.append(child)
