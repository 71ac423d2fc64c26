"""The two suites that ship: what they are, and that the second holds nothing of the first."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from collectors.skill_eval.suite.suite import Suite, SuiteTask, load
from tests.support.sheets import SUITES

SCREEN, HELDOUT = (load(SUITES / name) for name in ("screen", "heldout"))
DIGESTS = {
    "screen": "5b838ca16299b4fd989469a3ed1616742299c167e120c2b913663284e4324c77",
    "heldout": "6a78f192cc240fc5d89322c5bd9050dccb2230d47892dc2d853d0fee5d4f1b5c",
}
"""A changed suite is another instrument: its results compare with none from before."""
SORTS = {
    "landing page": ("landing-page", "seed-fair-page"),
    "keyboard-operated widget": ("ferry-picker", "kiln-stepper"),
    "slide deck": ("night-bus-deck", "cold-store-deck"),
    "data visualisation": ("swift-chart", "energy-flow-chart"),
    "one-page document": ("school-street-sheet", "canteen-week-sheet"),
    "short animation": ("lock-animation", "eclipse-scroll"),
}
"""Six sorts of work, each with its task for the screen and another for the held-out stage."""
KINDS = {"page-tile", "stacked", "keyboard", "reveal", "svg", "pdf", "video", "scroll-frame"}


def files(task: SuiteTask) -> dict[str, str]:
    """Return the digest of every input file by its name."""
    paths = [path for path in task.input.rglob("*") if path.is_file()]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def test_each_has_a_task_of_each_sort() -> None:
    assert {task.id for task in SCREEN.tasks} == {screen for screen, _ in SORTS.values()}
    assert {task.id for task in HELDOUT.tasks} == {fresh for _, fresh in SORTS.values()}
    for suite in (SCREEN, HELDOUT):
        assert len(suite.tasks) == len({task.file.render.kind for task in suite.tasks}) == 6
    assert {task.file.render.kind for task in (*SCREEN.tasks, *HELDOUT.tasks)} == KINDS


def test_nothing_of_the_screen_is_in_the_heldout_suite() -> None:
    assert not {task.id for task in SCREEN.tasks} & {task.id for task in HELDOUT.tasks}
    assert not {task.content for task in SCREEN.tasks} & {task.content for task in HELDOUT.tasks}
    assert not {task.file.prompt for task in SCREEN.tasks} & {
        task.file.prompt for task in HELDOUT.tasks
    }
    seen = {digest for task in SCREEN.tasks for name, digest in files(task).items()}
    again = {
        name for task in HELDOUT.tasks for name, digest in files(task).items() if digest in seen
    }
    assert again == {"deck.js"}  # what shows the slides, not what is on them


@pytest.mark.parametrize("suite", [SCREEN, HELDOUT], ids=lambda suite: suite.name)
def test_the_digest_stands_here(suite: Suite) -> None:
    assert suite.digest == DIGESTS[suite.name]


@pytest.mark.parametrize("task", [*SCREEN.tasks, *HELDOUT.tasks], ids=lambda task: task.id)
def test_a_prompt_names_what_is_given_and_what_is_to_be_left(task: SuiteTask) -> None:
    given = files(task)
    assert given
    for name in given:
        assert f"`{name}`" in task.file.prompt
    entry = Path(task.file.render.entry)
    assert f"`{entry.stem}." in task.file.prompt
    assert len(task.file.required) >= 4


def test_a_prompt_does_not_tell_how_it_is_judged() -> None:
    for task in (*SCREEN.tasks, *HELDOUT.tasks):
        words = task.file.prompt.casefold()
        assert not any(word in words for word in ("judge", "score", "check.py", "rubric"))
