"""Rows of any region, drawn by the demo set's own generator, and files of rows."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

Row = dict[str, Any]

DEMO = Path(__file__).parents[2] / "datasets" / "jev-social-demo"
DEMO_ROWS = DEMO / "rows.ndjson"


@cache
def generator() -> ModuleType:
    """Return the module that wrote the demo set."""
    spec = spec_from_file_location("demo_generator", DEMO / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def groups(sizes: Sequence[int], schema_version: int = 2) -> tuple[Any, ...]:
    """Return a group a size: instagram cold, instagram warm, tiktok cold and so on, then anew."""
    made = generator()
    cells = [(p, c, r) for r in made.RELEASES for p in made.PLATFORMS for c in made.CONDITIONS]
    return tuple(
        made.Group(platform, condition, size, ("step_limit",), release, schema_version)
        for size, (platform, condition, release) in zip(sizes, cells, strict=False)
    )


def drawn(
    sizes: Sequence[int], *, region: str = "lab-eu", schema_version: int = 2, seed: int = 5
) -> list[Row]:
    """Return the rows of `groups(sizes)`, one of each group a `step_limit`, in order of start."""
    made = groups(sizes, schema_version)
    lines = b"".join(generator().rows(sum(sizes), seed, region, made)).splitlines()
    return [json.loads(line) for line in lines]


def lines(rows: Iterable[Row]) -> bytes:
    """Return rows as NDJSON."""
    return b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)


def write(path: Path, rows: Iterable[Row]) -> Path:
    """Write rows to a file and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(rows))
    return path


def demo_rows() -> list[Row]:
    """Return the rows of the demo set."""
    return [json.loads(line) for line in DEMO_ROWS.read_bytes().splitlines()]
