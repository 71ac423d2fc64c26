"""The golden services: one folder a lane and task, most of them laid over another."""

from __future__ import annotations

import shutil
from pathlib import Path

FOLDER = Path(__file__).parent / "references"
LAID_OVER = {
    "t1-storefront-api": None,
    "t2-saga-queue-cron": "t1-storefront-api",
    "t2-worker": "t2-saga-queue-cron",
    "t3-reactive-dashboard": "t1-storefront-api",
}
"""A reference holds only what its task adds to this other one."""


def has(lane: str, task: str) -> bool:
    """Tell whether a lane has a reference of a task."""
    return (FOLDER / lane / task).is_dir()


def files(lane: str, task: str) -> dict[str, Path]:
    """Return the files of a reference by their names in the work folder."""
    base = LAID_OVER[task]
    found = files(lane, base) if base is not None else {}
    folder = FOLDER / lane / task
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
