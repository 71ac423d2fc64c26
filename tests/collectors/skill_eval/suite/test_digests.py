"""Digests: what makes a task another one, and what makes it one that agents have not seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collectors.skill_eval.suite.suite import Suite, load
from tests.support import open_tasks


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return open_tasks.suite(tmp_path / "posters", ("one", "two"), check="return True")


def changed(folder: Path, **changes: Any) -> None:
    file = folder / "one" / "task.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def renamed(folder: Path) -> None:
    (folder / "one").rename(folder / "uno")
    file = folder / "uno" / "task.json"
    file.write_text(file.read_text().replace('"id": "one"', '"id": "uno"'))


def contents(suite: Suite) -> set[str]:
    return {task.content for task in suite.tasks}


DISGUISES: dict[str, Callable[[Path], object]] = {
    "another id": renamed,
    "another check": lambda folder: (folder / "one" / "check.py").write_text(
        "def check(artefact):\n    return False\n"
    ),
    "no check": lambda folder: (folder / "one" / "check.py").unlink(),
    "another title": lambda folder: changed(folder, title="A fresh one"),
    "other things required": lambda folder: changed(folder, required=["Anything"]),
    "another rendering": lambda folder: changed(
        folder, render={"kind": "image", "entry": "page.png", "most": 2}
    ),
    "another limit of time": lambda folder: changed(folder, timeout_ms=60_000),
    "other white space and case": lambda folder: changed(
        folder, prompt="Draw page ONE\n\nas  page.png.\n"
    ),
    "characters that are not seen": lambda folder: changed(
        folder,
        prompt="Draw\xa0page\N{ZERO WIDTH SPACE} one as page\N{FULLWIDTH FULL STOP}png.",
    ),
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_a_disguised_task_is_another_one_but_no_fresh_one(
    folder: Path, disguise: Callable[[Path], object]
) -> None:
    before = load(folder)
    disguise(folder)
    after = load(folder)
    assert contents(after) == contents(before)
    assert {task.digest for task in after.tasks} != {task.digest for task in before.tasks}
    assert after.digest != before.digest


FRESH: dict[str, Callable[[Path], object]] = {
    "another prompt": lambda folder: changed(folder, prompt="Draw page eleven as page.png."),
    "another input": lambda folder: (folder / "one" / "input" / "more.txt").write_text("x"),
}


@pytest.mark.parametrize("change", FRESH.values(), ids=FRESH)
def test_what_agents_are_given_makes_a_fresh_task(
    folder: Path, change: Callable[[Path], object]
) -> None:
    before = load(folder)
    change(folder)
    after = load(folder)
    assert len(contents(after) - contents(before)) == 1
    assert after.digest != before.digest


def test_the_digest_of_a_suite_does_not_know_its_place(folder: Path) -> None:
    before = load(folder)
    after = load(folder.rename(folder.with_name("other")))
    assert (before.name, after.name) == ("posters", "other")
    assert after.digest == before.digest


def test_the_keys_of_a_file_may_stand_in_any_order(folder: Path) -> None:
    before = load(folder)
    file = folder / "one" / "task.json"
    facts = json.loads(file.read_text())
    file.write_text(json.dumps(dict(reversed(facts.items())), indent=4))
    assert load(folder).digest == before.digest
