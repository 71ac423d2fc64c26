"""What prompts say of the machine is so: the commands they name work in an agent's sandbox."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from collectors.harness import folders
from collectors.harness.environment import scrubbed
from collectors.harness.sandbox import probe
from collectors.harness.sandbox.provider import Room
from collectors.skill_eval.suite import artefacts
from collectors.skill_eval.suite.suite import load
from tests.support.sheets import SUITES

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SECONDS = 60.0
PRINTS = "chromium --headless --no-sandbox --no-pdf-header-footer --print-to-pdf=FILE.pdf FILE.html"
SHOOTS = "chromium --headless --no-sandbox --screenshot"
PROMPTS = {
    task.id: task.file.prompt
    for name in ("screen", "heldout")
    for task in load(SUITES / name).tasks
}


def left(tmp_path: Path, page: str, command: str) -> Path:
    """Run a command as an agent would, beside `page.html`, and return the folder."""
    folder = folders.create(tmp_path / "run")
    (folder.work / "page.html").write_text(page)
    sandbox = probe.choose()
    room = Room(folder.agent)
    with sandbox.start(
        ("/bin/sh", "-c", command),
        scrubbed(folder, lambda path: sandbox.inside(room, path)),
        room,
        stdin=b"",
        stdout=folder.stdout,
        stderr=folder.stderr,
    ) as running:
        assert running.wait(SECONDS) == 0, folder.stderr.read_text()
    return folder.work


@pytest.mark.parametrize("task_id", ["school-street-sheet", "canteen-week-sheet"])
def test_a_page_is_printed(tmp_path: Path, task_id: str) -> None:
    assert f"`{PRINTS}`" in PROMPTS[task_id]
    page = "<style>@page { size: A4 }</style><h1>Printed</h1>"
    folder = left(tmp_path, page, PRINTS.replace("FILE", "page"))
    paper = artefacts.paper(folder / "page.pdf")
    assert paper is not None
    assert paper.is_one_a4_page
    assert "Printed" in paper.text


def test_a_film_is_made_of_pages(tmp_path: Path) -> None:
    if shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed")
    assert f"`{SHOOTS}`" in PROMPTS["lock-animation"]
    takes = f"{SHOOTS}=one.png --window-size=320,200 page.html"
    makes = "ffmpeg -v error -loop 1 -i one.png -t 1 -r 20 -pix_fmt yuv420p animation.mp4"
    folder = left(tmp_path, "<h1>Taken</h1>", f"{takes} && {makes} && python3 -c pass")
    assert artefacts.film(folder / "animation.mp4") == artefacts.Film((320, 200), 1.0, 20.0)
