"""Rows of 3, about 30 and about 300, as a vendor's agent would leave them: verdicts are given."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from tests.support.drawn import Row

DATASETS = Path(__file__).parents[2] / "datasets"
SIZES = (3, 30, 300)


@cache
def generator(demo: str) -> ModuleType:
    """Return the module that wrote a demo set."""
    name = demo.replace("-", "_")
    spec = spec_from_file_location(name, DATASETS / demo / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def skill_rows(size: int) -> list[Row]:
    """Return runs of three arms: one task, ten tasks once, or ten tasks twelve times."""
    times = 4 if size == SIZES[2] else 1
    made = generator("skill-run-demo").rows(endpoint="vendor", times=times)
    rows = [row | {"agent": "claude"} for row in made]
    if size == SIZES[2]:
        return rows
    tasks = {"invoice-plain"} if size == SIZES[0] else {row["task_id"] for row in rows}
    return [
        row | {"planned_repeats": 1, "planned_tasks": len(tasks)}
        for row in rows
        if row["category"] == "invoice-extraction"
        and row["repeat"] == 1
        and row["task_id"] in tasks
    ]


def build_rows(size: int) -> list[Row]:
    """Return runs of all lanes: three alone, four repeats of each task, or thirty-six."""
    repeats = {SIZES[0]: 1, SIZES[1]: 4, SIZES[2]: 36}[size]
    rows = [
        row
        for batch in generator("build-run-demo").rows(repeats, endpoint="vendor")
        for row in batch
        if row["kind"] == "agent"
    ]
    first = [row for row in rows if row["task_id"] == "t1"]
    return first[: SIZES[0]] if size == SIZES[0] else rows
