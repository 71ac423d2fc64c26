"""The checks of the shipped tasks, both ways: what passes, and what each of them refuses."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from collectors.skill_eval.renderers.needs import lacking
from collectors.skill_eval.suite.suite import SuiteTask, checked, load
from tests.support.drawing import artefact
from tests.support.plain_answers import ANSWERS, printed
from tests.support.sheets import SORTS, SUITES
from tests.support.sheets import artefact as calibration

SCREEN, HELDOUT = (
    {task.id: task for task in load(SUITES / name).tasks} for name in ("screen", "heldout")
)
PASSES = {
    (task_id, sort): True  # bad is badly made, not unfinished: a check tells nothing of quality
    for task_id in SCREEN
    for sort in SORTS
}


def needed(task: SuiteTask) -> None:
    """Skip the test where a program is missing that the check needs."""
    if task.file.render.kind in {"pdf", "video"} and (fault := lacking(task.file.render.kind)):
        pytest.skip(fault)


def said(task: SuiteTask, folder: Path) -> bool | None:
    """Run a check, where it can be run."""
    needed(task)
    return checked(task, folder)


@pytest.mark.parametrize(("task_id", "sort"), PASSES)
def test_calibration_artefacts_pass(task_id: str, sort: str) -> None:
    assert said(SCREEN[task_id], calibration(task_id, sort)) is PASSES[task_id, sort]


@pytest.mark.parametrize("task_id", HELDOUT)
def test_a_plain_answer_passes(task_id: str, tmp_path: Path) -> None:
    task = HELDOUT[task_id]
    assert said(task, artefact(tmp_path / "answer", ANSWERS[task_id](task.input))) is True


@pytest.mark.parametrize("task", [*SCREEN.values(), *HELDOUT.values()], ids=lambda task: task.id)
def test_what_was_given_does_not_pass(task: SuiteTask) -> None:
    assert said(task, task.input) is False


def edited(name: str, *changes: tuple[str, str]) -> Callable[[Path], None]:
    """Return what replaces patterns in a file, each of which must be there."""

    def edit(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        for pattern, other in changes:
            text, count = re.subn(pattern, other, text)
            assert count, pattern
        (folder / name).write_text(text, "utf-8")

    return edit


def narrow(folder: Path) -> None:
    """Write a page with the words of the sheet that is half as wide."""
    (folder / "sheet.pdf").write_bytes(printed(["Vine Lane"], width=300))


def shortened(folder: Path) -> None:
    """Keep the first seconds of the film."""
    whole = (folder / "animation.mp4").rename(folder / "whole.mp4")
    command = ("ffmpeg", "-v", "error", "-i", whole, "-t", "4", "-c", "copy")
    subprocess.run([*command, folder / "animation.mp4"], check=True)


FAULTS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a price is missing": ("landing-page", edited("index.html", ("£10", "£11"))),
    "a tool is missing": ("landing-page", edited("index.html", ("Sash clamp set", ""))),
    "a script from elsewhere": (
        "landing-page",
        edited(
            "index.html", ("</main>", '<script src="https://cdn.example/a.js"></script></main>')
        ),
    ),
    "a font from elsewhere": (
        "landing-page",
        edited("index.html", ("<style>", "<style>@import '//fonts.example/a.css';")),
    ),
    "a picture from elsewhere": (
        "landing-page",
        edited("index.html", ("<style>", "<style>body { background: url(//a.example/b.png) }")),
    ),
    "no key is heard": ("ferry-picker", edited("index.html", ("keydown", "click"))),
    "no pattern is followed": ("ferry-picker", edited("index.html", ("listbox", "group"))),
    "a sailing is missing": ("ferry-picker", edited("index.html", ("13:45", "13:50"))),
    "a slide too many": (
        "night-bus-deck",
        edited("deck.html", ("<script", "<section><h2>More</h2></section><script")),
    ),
    "slides nobody shows": ("night-bus-deck", edited("deck.html", ("<script.*</script>", ""))),
    "a stop is missing": ("night-bus-deck", edited("deck.html", (">Fish Quay<", "><"))),
    "broken XML": ("swift-chart", edited("chart.svg", ("</svg>", ""))),
    "a script in the chart": (
        "swift-chart",
        edited("chart.svg", ("</svg>", "<script>let a</script></svg>")),
    ),
    "a picture in the chart": (
        "swift-chart",
        edited("chart.svg", ("</svg>", '<image href="https://a.example/b.png"/></svg>')),
    ),
    "another box": ("swift-chart", edited("chart.svg", ("1200 800", "1200 900"))),
    "no description": ("swift-chart", edited("chart.svg", ("(?s)<desc.*</desc>", ""))),
    "words as outlines": (
        "swift-chart",
        edited("chart.svg", ("<text", "<path"), ("/text", "/path")),
    ),
    "not a PDF": ("school-street-sheet", lambda folder: (folder / "sheet.pdf").write_text("x")),
    "a narrow page": ("school-street-sheet", narrow),
    "a short film": ("lock-animation", shortened),
    "no film": ("lock-animation", lambda folder: (folder / "animation.mp4").write_bytes(b"x" * 99)),
}


@pytest.mark.parametrize(("task_id", "spoil"), FAULTS.values(), ids=FAULTS)
def test_refuses(task_id: str, spoil: Callable[[Path], object], tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    shutil.copytree(calibration(task_id, "good"), answer)
    needed(SCREEN[task_id])
    spoil(answer)
    assert checked(SCREEN[task_id], answer) is False
