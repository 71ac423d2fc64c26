"""What moves: moments of it, as far apart as they can be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from collectors.skill_eval.renderers.confined import images, programs
from collectors.skill_eval.renderers.confined.browser import opened
from collectors.skill_eval.renderers.confined.order import Evidence, Failed, Order

if TYPE_CHECKING:
    from PIL.Image import Image

PROBE_S = 20
FRAME_S = 20
LARGEST_FRAME = "min(1280,iw)"
DRAWN = (".html", ".htm", ".xhtml", ".svg")
"""Files that a browser moves."""
SECONDS = 6.0
"""How much is shown of a file that a browser moves: it does not say how long it goes on."""
UNKNOWN_S = 10.0
"""How long a video is taken to be that does not say so."""
MOMENT = """(seconds) => {
    const roots = window.__roots;
    const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
    for (const animation of roots.flatMap((root) => root.getAnimations())) {
        animation.pause();
        animation.currentTime = seconds * 1000;
    }
    for (const drawing of all("svg")) {
        drawing.pauseAnimations();
        drawing.setCurrentTime(seconds);
    }
    for (const bar of all("progress:indeterminate")) bar.value = bar.max / 2;
    return new Promise((done) => window.__frame(() => window.__frame(() => done(true))));
}"""


def video(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give moments from the beginning to the end of a video, or of a page that moves."""
    moving = order.first.suffix.lower() in DRAWN
    yield from _played(order, evidence) if moving else _decoded(order, evidence)


def _played(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Move the page's own clock on from moment to moment, and what moves by itself with it."""
    at = 0.0
    with opened(order, evidence, motion=True) as sight:
        for moment in _moments(SECONDS, order.pictures):
            sight.forward(round(1000 * moment) - round(1000 * at))
            sight.ask(MOMENT, moment)
            yield sight.picture(still=False)
            at = moment


def _decoded(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Look for the moments in the file; none is decoded that is not shown."""
    for place, moment in enumerate(_moments(_length(order), order.pictures)):
        file = _frame(order, place, moment)
        if file.is_file():
            yield images.opened(file)
        else:
            evidence.add(f"the video has no picture at {moment:.1f} s")


def _frame(order: Order, place: int, moment: float) -> Path:
    """Return where a moment was written, if there is one."""
    file = order.scratch / f"{place:02}.png"
    programs.run(
        *("ffmpeg", "-v", "error", "-nostdin", "-protocol_whitelist", "file", "-threads", "1"),
        *("-ss", f"{moment:.3f}", "-i", order.first, "-frames:v", "1"),
        *("-vf", f"scale='{LARGEST_FRAME}':-2", "-bitexact", file),
        seconds=FRAME_S,
        cwd=order.scratch,
    )
    return file


def _moments(seconds: float, number: int) -> list[float]:
    """Return the middles of equal parts, in seconds from the beginning."""
    return [seconds * (place + 0.5) / number for place in range(number)]


def _length(order: Order) -> float:
    """Return the seconds of a video.

    Raises:
        Failed: It is none.
    """
    said = programs.run(
        *("ffprobe", "-v", "quiet", "-protocol_whitelist", "file", "-of", "json"),
        *("-show_format", "-show_streams", "-select_streams", "v", order.first),
        seconds=PROBE_S,
        cwd=order.scratch,
    )
    try:
        facts = json.loads(said)
    except ValueError:
        facts = {}
    if not facts.get("streams"):
        raise Failed("the file is no video")
    told = (part.get("duration", "") for part in (facts.get("format", {}), *facts["streams"]))
    return next((float(each) for each in told if each.replace(".", "", 1).isdigit()), UNKNOWN_S)
