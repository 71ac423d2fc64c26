"""The committed contact sheets: they are of the artefacts as they are, and look as drawn now."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.harness.sandbox.probe import bubblewrap_fault
from collectors.skill_eval.renderers.needs import lacking
from collectors.skill_eval.suite.suite import SuiteTask, load
from tests.support import sheets

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")

TASKS = load(sheets.SUITES / "screen").tasks
MADE_ANEW = "run `python -m tests.support.sheets` and look at them"
FURTHEST = 8.0
"""Levels of grey that pixels may be apart in the mean: another machine has other fonts."""


def committed(task: SuiteTask) -> Path:
    return sheets.SHEETS / f"{task.id}.png"


def test_every_screen_task_has_one_and_nothing_else_is_there() -> None:
    assert set(sheets.SHEETS.iterdir()) == {committed(task) for task in TASKS}
    folders = {path.name for path in sheets.CALIBRATION.iterdir()} - {sheets.SHEETS.name}
    assert folders == {task.id for task in TASKS}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_it_is_small_and_of_these_artefacts(task: SuiteTask) -> None:
    assert committed(task).stat().st_size <= sheets.LARGEST
    with Image.open(committed(task)) as sheet:
        assert sheet.info[sheets.DIGEST] == sheets.digest(task.id), MADE_ANEW


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_it_looks_as_drawn_now(task: SuiteTask) -> None:
    if fault := bubblewrap_fault() or lacking(task.file.render.kind):
        pytest.skip(fault)
    from PIL import ImageChops, ImageStat

    now = sheets.drawn(task).convert("L")
    with Image.open(committed(task)) as sheet:
        assert sheet.size == now.size, MADE_ANEW
        apart = ImageStat.Stat(ImageChops.difference(sheet.convert("L"), now)).mean[0]
    assert apart < FURTHEST, MADE_ANEW
