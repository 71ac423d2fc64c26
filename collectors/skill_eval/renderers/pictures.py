"""Pictures: made small enough, told apart from an empty one, put on a sheet, written.

Needs nothing of this project, for it is used in the sandbox as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

LARGEST_SIDE = 1800
"""Pixels: no picture is wider or higher."""
LARGEST_FILE = 4 * 1024**2
"""Bytes: what models take of one picture; a larger one is halved until it fits."""
LIKE = 16
"""How far a channel of a pixel may be from the picture's median and still be the same colour."""
INK = 5e-5
"""The share of pixels that a picture must have in another colour, not to be an empty one: of
1280 × 800 pixels 51, less than two letters of a small text."""
GAP = 8
GROUND = "#808080"
"""Between the pictures of a sheet: neither paper nor screen."""


def opaque(picture: Image) -> Image:
    """Return the picture in RGB, on white where it is transparent."""
    from PIL import Image

    if not picture.has_transparency_data:
        return picture.convert("RGB")
    shown = picture.convert("RGBA")
    ground = Image.new("RGBA", shown.size, "white")
    return Image.alpha_composite(ground, shown).convert("RGB")


def fitted(picture: Image, width: int = LARGEST_SIDE, height: int = LARGEST_SIDE) -> Image:
    """Return the picture, made smaller if it is wider or higher than it may be."""
    from PIL.Image import Resampling

    share = min(1.0, width / picture.width, height / picture.height)
    if share == 1.0:
        return picture
    size = (max(1, int(picture.width * share)), max(1, int(picture.height * share)))
    return picture.resize(size, Resampling.LANCZOS)


def empty(picture: Image) -> bool:
    """Tell whether a picture in RGB shows one colour and nothing else, but for noise."""
    from PIL import Image, ImageChops, ImageStat

    median = tuple(int(each) for each in ImageStat.Stat(picture).median)
    apart = ImageChops.difference(picture, Image.new("RGB", picture.size, median))
    red, green, blue = apart.split()
    furthest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    inked = sum(furthest.histogram()[LIKE + 1 :])
    return inked <= INK * picture.width * picture.height


def write(picture: Image, path: Path) -> None:
    """Write a picture in RGB as PNG, without anything that would tell of its origin."""
    picture = fitted(picture)
    picture.save(path, "PNG")
    while path.stat().st_size > LARGEST_FILE:
        picture = fitted(picture, picture.width // 2, picture.height // 2)
        picture.save(path, "PNG")


def arranged(pictures: Sequence[Image]) -> Image:
    """Return one picture in RGB of at most 1800 × 1800 pixels with all of them, row by row.

    All cells are equal, and nothing is written beside them.
    """
    from PIL import Image

    columns = math.ceil(math.sqrt(len(pictures)))
    rows = math.ceil(len(pictures) / columns)
    width = min((LARGEST_SIDE - GAP) // columns - GAP, max(each.width for each in pictures))
    height = min((LARGEST_SIDE - GAP) // rows - GAP, max(each.height for each in pictures))
    small = [fitted(each, width, height) for each in pictures]
    across, down = (max(sides) + GAP for sides in zip(*(each.size for each in small), strict=True))
    sheet = Image.new("RGB", (columns * across + GAP, rows * down + GAP), GROUND)
    for place, each in enumerate(small):
        row, column = divmod(place, columns)
        sheet.paste(each, (GAP + column * across, GAP + row * down))
    return sheet


def sheet(images: Sequence[Path], out: Path) -> Path:
    """Write one contact sheet of PNGs, at most 1800 × 1800 pixels, and return its path.

    It is made of pixels alone: the same pictures give the same bytes, whatever their names are.
    """
    from PIL import Image

    pictures = []
    for path in images:
        with Image.open(path) as picture:
            pictures.append(opaque(picture))
    write(arranged(pictures), out)
    return out
