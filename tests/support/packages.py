"""Installing a package for one test: its metadata alone, in a folder on the path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, group: str, points: Mapping[str, str]) -> Path:
    """Write a distribution with entry points of `group`; return the folder for the path."""
    info = folder / "mybench-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mybench\nVersion: 1\n", "utf-8")
    lines = [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return folder
