"""The manifest of a lake: which of its Parquet parts count, and what each of them holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from benchdata.errors import InputError
from benchdata.rows.writing import whole_file

NAME = "_manifest.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Part:
    """One Parquet file of a lake, by its path below the lake's folder."""

    file: str
    contract: str
    month: str
    versions: tuple[int, ...]
    rows: int
    digest: str

    def __post_init__(self) -> None:
        """Refuse a path that leads out of the lake."""
        path = PurePosixPath(self.file)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(f"{self.file} lies outside the lake")


def is_lake(folder: Path) -> bool:
    """Tell whether a directory is a lake."""
    return (folder / NAME).is_file()


def read(folder: Path) -> tuple[Part, ...]:
    """Return the parts of a lake that count, none for a folder that is no lake yet."""
    if not is_lake(folder):
        return ()
    try:
        found = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return tuple(
            Part(**{**part, "versions": tuple(part["versions"])}) for part in found["parts"]
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{folder}: its {NAME} cannot be read; restore it") from None


def write(folder: Path, parts: Sequence[Part]) -> None:
    """Make these the parts that count, in one step."""
    document = {"manifestVersion": VERSION, "parts": [asdict(part) for part in parts]}
    with whole_file(folder / NAME) as file:
        file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
