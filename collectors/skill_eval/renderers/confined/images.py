"""Pictures that lie in files."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from collectors.skill_eval.renderers.confined.order import Evidence, Failed, Order, patience
from collectors.skill_eval.renderers.pictures import fitted, opaque

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
MOST_PIXELS = 64_000_000
"""Of one picture; as many as a good camera makes."""
IMAGE_S = 20
MOVING = (".gif", ".webp", ".png", ".apng")


def image(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give every picture that the entry names, of a moving one its first moment."""
    if len(order.entries) > order.pictures:
        evidence.add(f"{order.pictures} of {len(order.entries)} pictures are shown")
    for name in order.entries[: order.pictures]:
        yield opened(order.folder / name)


def still(path: Path) -> bytes | None:
    """Return the first moment of a picture that moves, as PNG; None when it is no such picture.

    A browser moves it by a clock of its own, which nothing can stop.
    """
    from PIL import Image

    if path.suffix.lower() not in MOVING:
        return None
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    first = io.BytesIO()
    try:
        with Image.open(path, formats=FORMATS) as picture:
            if getattr(picture, "is_animated", False):
                picture.convert("RGBA").save(first, "PNG")
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return None
    return first.getvalue() or None


def opened(path: Path) -> Image:
    """Return the picture of a file in RGB, no larger than a picture may be.

    Raises:
        Failed: It is no picture, or unpacks to one that is too large.
    """
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    with patience(IMAGE_S, "the picture could not be read"), warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(path, formats=FORMATS) as picture:
                return fitted(opaque(ImageOps.exif_transpose(picture)))
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise Failed(f"the picture has more than {MOST_PIXELS:,} pixels") from None
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise Failed(f"the picture cannot be read: {type(error).__name__}") from None
