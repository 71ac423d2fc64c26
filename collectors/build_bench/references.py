"""The golden services: one folder a lane and task, each laid over those of the tasks before it."""

from __future__ import annotations

import shutil
from pathlib import Path

FOLDER = Path(__file__).parent / "references"
LAYERS = ("t1-storefront-api", "t2-saga-queue-cron", "t2-worker")
"""In this order: a reference holds only what its task adds to the one before."""


def has(lane: str, task: str) -> bool:
    """Tell whether a lane has a reference of a task."""
    return (FOLDER / lane / task).is_dir()


def files(lane: str, task: str) -> dict[str, Path]:
    """Return the files of a reference by their names in the work folder."""
    found: dict[str, Path] = {}
    for layer in LAYERS[: LAYERS.index(task) + 1]:
        folder = FOLDER / lane / layer
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found[path.relative_to(folder).as_posix()] = path
    return found


def lay(lane: str, task: str, work: Path) -> None:
    """Copy a reference into a work folder."""
    for name, path in files(lane, task).items():
        target = work / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)  # with its mode: scripts can be run
