"""What a turn changed, as a diff, and how many lines of source there are in the end."""

from __future__ import annotations

import difflib
from pathlib import PurePosixPath

from collectors.build_bench.snapshots import Snapshot

SOURCE = frozenset(
    {
        *(".py", ".pyi", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
        *(".json", ".toml", ".yaml", ".yml", ".ini", ".cfg", ".sql", ".sh", ".html", ".css"),
    }
)
"""The endings of what people write; texts for people and data are no source."""
LOCKS = frozenset(
    {
        *("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "deno.lock"),
        *("uv.lock", "poetry.lock", "Pipfile.lock"),
    }
)
NOT_OWN = frozenset(
    {
        *("vendor", "third_party", "site-packages", ".venv", "venv"),
        *("dist", "build", "out", "target", "coverage", ".next", ".cache"),
        *("data", "tmp"),
    }
)
"""Folders of what others wrote, a program made, or a service stored."""
UNENDED = "\n\\ No newline at end of file\n"
LONGEST = 200_000
"""Characters of a file that is shown in a diff."""


def is_source(name: str) -> bool:
    """Tell whether a file of this name is source that the service's author wrote."""
    path = PurePosixPath(name)
    return path.suffix in SOURCE and path.name not in LOCKS and NOT_OWN.isdisjoint(path.parts)


def sources(snapshot: Snapshot) -> dict[str, str]:
    """Return the texts of the source files by name."""
    found = {name: snapshot.text(name) for name in snapshot.files if is_source(name)}
    return {name: text for name, text in found.items() if text is not None}


def source_lines(snapshot: Snapshot) -> int:
    """Return the number of source lines that are not blank."""
    texts = sources(snapshot).values()
    return sum(bool(line.strip()) for text in texts for line in text.splitlines())


def diff(before: Snapshot, after: Snapshot) -> str:
    """Return what changed between two snapshots, as a unified diff of all texts.

    What is no text, or is too long, is named in a line.
    """
    names = sorted(before.files.keys() | after.files.keys())
    return "".join(part for name in names for part in _of_file(name, before, after))


def _of_file(name: str, before: Snapshot, after: Snapshot) -> list[str]:
    if name in before.files and name in after.files and _same(name, before, after):
        return []
    old, new = _shown(name, before), _shown(name, after)
    if old is None or new is None:
        return [f"Files a/{name} and b/{name} differ\n"]
    lines = difflib.unified_diff(
        old.splitlines(keepends=True),
        new.splitlines(keepends=True),
        f"a/{name}" if name in before.files else "/dev/null",
        f"b/{name}" if name in after.files else "/dev/null",
    )
    return [line if line.endswith("\n") else f"{line}{UNENDED}" for line in lines]


def _same(name: str, before: Snapshot, after: Snapshot) -> bool:
    return before.contents(name) == after.contents(name)


def _shown(name: str, snapshot: Snapshot) -> str | None:
    """Return a file's text, empty where there is no file, or None for what is not shown."""
    if name not in snapshot.files:
        return ""
    text = snapshot.text(name)
    return text if text is not None and len(text) <= LONGEST else None
