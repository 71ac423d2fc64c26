"""Pages drawn as pictures, well set and badly, without a browser."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

SIZE = (640, 400)
SENTENCE = "The library lends two hundred tools to all who live in the street."

Line = tuple[int, int, int, str, str]
"""Left, top, size, colour, words."""


def well_set(words: str = SENTENCE) -> Image.Image:
    """Return a page with a headline, a calm text and one accent."""
    half = len(words) // 2
    lines: list[Line] = [
        (48, 40, 44, "#14304a", "Borrow a tool"),
        *((48, 120 + 32 * row, 18, "#1d2733", words[:half]) for row in range(3)),
        *((48, 230 + 32 * row, 18, "#1d2733", words[half:]) for row in range(3)),
    ]
    return _page("#fbf9f4", lines, [((48, 340, 200, 376), "#e8a33d")])


def badly_set(words: str = SENTENCE) -> Image.Image:
    """Return a page of pale small lines that run from side to side, in loud colours."""
    lines: list[Line] = [(1, 2 + 17 * row, 13, "#b9b9b9", words * 3) for row in range(16)]
    return _page("#dddddd", lines, [((0, 300, 640, 400), "#ff00ff")])


def blank() -> Image.Image:
    """Return a page with nothing on it."""
    return Image.new("RGB", SIZE, "white")


def saved(picture: Image.Image, path: Path) -> Path:
    """Write a picture and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path)
    return path


def _page(
    ground: str, lines: Iterable[Line], blocks: Iterable[tuple[tuple[int, int, int, int], str]]
) -> Image.Image:
    page = Image.new("RGB", SIZE, ground)
    draw = ImageDraw.Draw(page)
    for box, colour in blocks:
        draw.rectangle(box, colour)
    for left, top, size, colour, words in lines:
        draw.text((left, top), words, colour, ImageFont.load_default(size))
    return page
