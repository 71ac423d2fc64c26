"""References are laid layer over layer, runnable, and hold nothing that was built."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collectors.build_bench import lanes, references

HAS = [
    (lane, task)
    for lane in lanes.lanes()
    for task in references.LAID_OVER
    if references.has(lane, task)
]


@pytest.mark.parametrize(("lane", "task"), HAS)
def test_a_reference_is_laid_whole_and_can_be_started(lane: str, task: str, tmp_path: Path) -> None:
    references.lay(lane, task, tmp_path)
    laid = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert laid == references.files(lane, task).keys()
    assert os.access(tmp_path / "start.sh", os.X_OK)


@pytest.mark.parametrize(("lane", "task"), HAS)
def test_a_reference_holds_only_what_its_task_adds(lane: str, task: str) -> None:
    base = references.LAID_OVER[task]
    if base is None:
        return
    under = references.files(lane, base)
    for path in (references.FOLDER / lane / task).iterdir():
        if path.name in under:
            assert path.read_bytes() != under[path.name].read_bytes(), f"{path.name} is unchanged"
