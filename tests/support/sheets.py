"""Contact sheets of the calibration artefacts; `python -m tests.support.sheets` makes them anew.

A sheet shows what the renderers make of a screen task's two artefacts, the good one at the left as
A, the bad one at the right as B. It carries the digest of both, so that a stale one is known
without drawing.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from collectors.harness import trees
from collectors.skill_eval.renderers import pictures
from collectors.skill_eval.renderers.rendering import render
from collectors.skill_eval.suite import suite
from collectors.skill_eval.suite.suite import SuiteTask

if TYPE_CHECKING:
    from PIL.Image import Image

SUITES = Path(suite.__file__).parents[1] / "suites"
CALIBRATION = SUITES / "calibration"
SHEETS = CALIBRATION / "sheets"
SORTS = ("good", "bad")
WIDTH, HEIGHT = 760, 900
"""The most that one side takes."""
MARGIN, HEAD = 16, 44
COLOURS = 192
LARGEST = 150 * 1024
DIGEST = "artefacts"
"""The key of the digest in the file's own words."""


def artefact(task_id: str, sort: str) -> Path:
    """Return the folder of a calibration artefact."""
    return CALIBRATION / task_id / sort


def digest(task_id: str) -> str:
    """Return one digest for both artefacts of a task."""
    both = (trees.digest(artefact(task_id, sort)) for sort in SORTS)
    return hashlib.sha256("".join(both).encode()).hexdigest()


def drawn(task: SuiteTask) -> Image:
    """Render both artefacts and return their sheet."""
    from PIL import Image, ImageDraw, ImageFont

    sides = [_side(task, sort) for sort in SORTS]
    width = sum(side.width for side in sides) + 3 * MARGIN
    height = max(side.height for side in sides) + HEAD + MARGIN
    whole = Image.new("RGB", (width, height), pictures.GROUND)
    pen, left = ImageDraw.Draw(whole), MARGIN
    for label, side in zip("AB", sides, strict=True):
        pen.text((left, MARGIN // 2), label, "white", ImageFont.load_default(28))
        whole.paste(side, (left, HEAD))
        left += side.width + MARGIN
    return whole.quantize(COLOURS, dither=Image.Dither.NONE)


def _side(task: SuiteTask, sort: str) -> Image:
    from PIL import Image

    with tempfile.TemporaryDirectory() as place:
        shown = render(artefact(task.id, sort), task.file.render, Path(place, "out"))
        images = [Image.open(path).convert("RGB") for path in shown.images]
        return pictures.fitted(pictures.arranged(images), WIDTH, HEIGHT)


def main(*only: str) -> None:
    """Draw the sheets of the screen tasks that are named, or of all, where they are committed."""
    from PIL.PngImagePlugin import PngInfo

    SHEETS.mkdir(exist_ok=True)
    for task in suite.load(SUITES / "screen").tasks:
        if only and task.id not in only:
            continue
        told = PngInfo()
        told.add_text(DIGEST, digest(task.id))
        drawn(task).save(SHEETS / f"{task.id}.png", optimize=True, pnginfo=told)


if __name__ == "__main__":
    main(*sys.argv[1:])
