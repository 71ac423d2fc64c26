"""Pictures of artefacts: made once for each, kept where no name tells whose they are."""

from __future__ import annotations

import json
import shutil
import threading
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchdata.contracts.judgment import RENDER_DIGITS, RENDERS
from collectors.harness import stage_file
from collectors.harness.batches import closed
from collectors.skill_eval.renderers.rendering import Rendering, render
from collectors.skill_eval.stages.judgments import Artefact
from collectors.skill_eval.stages.pins import Pins

FACTS = "render.json"


class Renders:
    """The pictures of one folder's artefacts; any thread may ask, and one at a time renders."""

    def __init__(self, folder: Path, pins: Pins) -> None:
        self._folder = folder / RENDERS
        self._version = pins.render_version
        self._rendering = threading.Lock()

    def of(self, artefact: Artefact) -> Rendering:
        """Return the pictures of an artefact, rendered now where they are not there.

        Raises:
            RenderFailed: It cannot be shown.
            SetupFailed: Nothing of its kind can be shown on this machine.
        """
        facts = self._facts(artefact)
        with self._rendering:
            # the same files may be left on two tasks that are shown in different ways
            places = [self._folder / artefact.digest[:RENDER_DIGITS], self._folder / _name(facts)]
            for place in places:
                if there := _read(place, facts):
                    return there
            free = next((place for place in places if not place.exists()), places[-1])
            return self._rendered(artefact, free, facts)

    def _rendered(self, artefact: Artefact, place: Path, facts: Mapping[str, Any]) -> Rendering:
        """Render beside the place and put it there in one step, so that no part is taken for it."""
        closed(self._folder)
        part = self._folder / f".{uuid.uuid4().hex}"
        try:
            made = render(artefact.folder, artefact.task.file.render, part)
            told = {
                **facts,
                "images": [image.relative_to(part).as_posix() for image in made.images],
                "blank": made.blank,
                "evidence": list(made.evidence),
            }
            (part / FACTS).write_text(json.dumps(told, indent=2) + "\n", "utf-8")
            shutil.rmtree(place, ignore_errors=True)  # of no use, or it had been read
            part.rename(place)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        found = _read(place, facts)
        assert found is not None, "what was rendered is not there"
        return found

    def _facts(self, artefact: Artefact) -> dict[str, Any]:
        """Return what the pictures follow from."""
        return {
            "artefact_digest": artefact.digest,
            "render": artefact.task.file.render.model_dump(mode="json"),
            "render_version": self._version,
        }


def _name(facts: Mapping[str, Any]) -> str:
    """Return a name that follows from everything, where the short one is taken."""
    return f"{facts['artefact_digest'][:RENDER_DIGITS]}-{stage_file.digest(facts)[:RENDER_DIGITS]}"


def _read(place: Path, facts: Mapping[str, Any]) -> Rendering | None:
    """Return what was rendered before; None where it is not there or follows from other facts."""
    try:
        told = json.loads((place / FACTS).read_bytes())
    except (OSError, ValueError):
        return None
    images = tuple(place / name for name in told["images"])
    if {name: told.get(name) for name in facts} != facts or not all(map(Path.is_file, images)):
        return None
    return Rendering(images, told["blank"], tuple(told["evidence"]))
