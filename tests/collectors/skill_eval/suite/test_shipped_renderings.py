"""How the held-out tasks are to be rendered: plain answers to them give the pictures one expects.

Those of the screen are on the contact sheets.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from collectors.skill_eval.suite.suite import SuiteTask, load
from tests.support.drawing import artefact, draw
from tests.support.plain_answers import ANSWERS
from tests.support.sheets import SUITES

pytestmark = [pytest.mark.slow, pytest.mark.browser]

TASKS = load(SUITES / "heldout").tasks
PICTURES: Mapping[str, int] = {
    "seed-fair-page": 7,
    "kiln-stepper": 1,  # it hears the keys and does nothing
    "cold-store-deck": 8,
    "energy-flow-chart": 1,
    "canteen-week-sheet": 1,
    "eclipse-scroll": 7,
}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_plain_answers_are_rendered(task: SuiteTask, tmp_path: Path) -> None:
    answer = artefact(tmp_path / "answer", ANSWERS[task.id](task.input))
    wanted = task.file.render
    settings = wanted.model_dump(exclude={"kind", "entry"}, exclude_unset=True)
    shown = draw(answer, tmp_path / "out", wanted.kind, wanted.entry, **settings)
    assert len(shown.images) == PICTURES[task.id]
    assert not shown.blank
    assert shown.evidence == ()
