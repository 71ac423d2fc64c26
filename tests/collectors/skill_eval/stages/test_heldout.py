"""`heldout`: what it takes over from the screen, and everything in which it must not differ."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Done, refused
from tests.support.open_tasks import FRESH, commanded, laid_out, ran, runs, staged, suite, task


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite, a skill, a whole screen, and a fresh suite."""
    folder = laid_out(tmp_path_factory.mktemp("screen"))
    suite(folder / "fresh", FRESH)
    staged(folder)
    return folder


@pytest.fixture
def folder(screen: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(screen, tmp_path / "copy"))


def held(folder: Path, *arguments: str | Path) -> Done:
    """Run the command with flags that follow from the screen."""
    flags = ("--suite", folder / "fresh", "--skill", folder / "mine", "--out", folder / "held")
    return commanded("heldout", *flags, "--screen", folder / "screen", *arguments)


def test_what_is_not_named_is_as_the_screen_had_it(folder: Path) -> None:
    done = held(folder)
    assert done.code == 1
    assert "--yes: is needed" in done.err
    for words in (
        "2 arms × 6 tasks × 2 repeats = 24 executions",
        "Agent: scripted",
        "Judge: openai, model stand-in-1: 24 calls to come, one an artefact, and 24 more",
        "screen, which is not judged yet: nobody knows what it showed.",
    ):
        assert words in done.err
    (folder / "screen" / "judgments.ndjson").touch()
    assert "not judged" not in held(folder).err


def pinned(folder: Path, **changes: Any) -> None:
    """Let the screen have been made with something else."""
    file = folder / "screen" / "stage.json"
    facts = json.loads(file.read_text())
    facts["experiment"]["spec"] |= changes
    file.write_text(json.dumps(facts))


def edited(folder: Path) -> None:
    """Change the skill after its screen."""
    with (folder / "mine" / "SKILL.md").open("a") as file:
        file.write("And better.\n")


def same_id(folder: Path) -> None:
    """Name a fresh task as one of the screen."""
    shutil.rmtree(folder / "fresh" / "seven")
    task(folder / "fresh", "one", prompt="Draw something else as page.png.")


def same_content(folder: Path) -> None:
    """Give a task of the screen another name, and its prompt other white space."""
    shutil.rmtree(folder / "fresh" / "seven")
    task(folder / "fresh", "seven", title="New", prompt="Draw  page one\nas PAGE.png.")


CHANGED: dict[str, tuple[Callable[[Path], None], tuple[str, ...]]] = {
    "skill": (edited, ("skill: the screen in ", "give the skill as it was screened")),
    "protocol": (
        lambda folder: pinned(folder, protocol=0),
        ("protocol: the screen in ", "has 0, and this is 1: ", "begin with a new screen"),
    ),
    "prompt": (
        lambda folder: pinned(folder, prompt_version="p0-000000000000"),
        ("prompt_version: the screen in ", "has p0-000000000000, and this is p1-"),
    ),
    "renderer": (
        lambda folder: pinned(folder, render_version="v2-000000000000"),
        ("render_version: the screen in ", "has v2-000000000000, and this is v3-"),
    ),
    "id": (same_id, ("task one: the screen in ", "has a task of this id", "give another suite")),
    "content": (
        same_content,
        ("task seven: the screen in ", "the same prompt and input as task one"),
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_would_confirm_nothing_is_refused(folder: Path, name: str) -> None:
    change, words = CHANGED[name]
    change(folder)
    said = refused(held(folder, "--yes"))
    assert [part for part in words if part not in said] == []
    assert not (folder / "held").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (
            ("--judge-model", "other-1"),
            "judge_model: the screen in {} has stand-in-1, and this is other-1: give --judge-model",
        ),
        (("--judge", "claude"), "judge: the screen in {} has openai, and this is claude: give"),
        (("--agent", "claude"), "agent: the screen in {} has scripted, and this is claude: give"),
        (("--model", "other-1"), "model: the screen in {} has scripted, and this is other-1"),
    ],
)
def test_a_flag_that_names_another_instrument_or_agent_is_refused(
    folder: Path, flags: tuple[str, ...], words: str
) -> None:
    assert words.format(folder / "screen") in refused(held(folder, *flags, "--yes"))


def test_a_part_of_a_screen_is_none(tmp_path: Path) -> None:
    laid_out(tmp_path)
    suite(tmp_path / "fresh", FRESH)
    staged(tmp_path, due=2)
    said = refused(held(tmp_path, "--yes"))
    assert "2 runs of this screen are still due; run the same `screen` again" in said


@pytest.mark.parametrize(
    ("place", "words"),
    [("fresh", "holds no stage.json; name the --out of a screen"), ("other", "and no screen")],
)
def test_what_is_no_screen_is_refused(folder: Path, place: str, words: str) -> None:
    pinned(folder, stage="heldout")
    shutil.move(folder / "screen", folder / "other")
    said = refused(held(folder, "--screen", folder / place, "--yes"))
    assert words in said


@pytest.mark.slow
def test_it_runs_every_task_twice(folder: Path) -> None:
    done = held(folder, "--yes", "--concurrency", "2")
    assert done.code == 0, done.err
    rows = runs(folder / "held")
    assert len({(row["arm"], row["task_id"], row["repeat"]) for row in rows}) == 24
    assert {row["stage"] for row in rows} == {"heldout"}
    again = ran("heldout", folder, "--screen", folder / "held", "--yes", out="third")
    assert "is a stage heldout, and no screen" in refused(again)
