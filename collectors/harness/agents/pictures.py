"""Images that are shown to a model: their bytes and type, under names that tell nothing."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from collectors.harness.failures import SetupFailed

TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}


def block(image: Path) -> dict[str, Any]:
    """Return an image as a content block of the Messages API.

    Raises:
        SetupFailed: It cannot be read, or is of a type that no model takes.
    """
    kind, content = _read(image)
    data = base64.b64encode(content).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}


def url(image: Path) -> str:
    """Return an image as a `data:` URL, which APIs of OpenAI's shape take.

    Raises:
        SetupFailed: As `block`.
    """
    kind, content = _read(image)
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def copy(images: tuple[Path, ...], folder: Path) -> list[Path]:
    """Copy images into `folder` as `1.png`, `2.png` …: a model may be told the file's name.

    Raises:
        SetupFailed: One cannot be read, or is of a type that no model takes.
    """
    copies = []
    for number, image in enumerate(images, 1):
        _, content = _read(image)
        copies.append(folder / f"{number}{image.suffix.lower()}")
        copies[-1].write_bytes(content)
    return copies


def _read(image: Path) -> tuple[str, bytes]:
    kind = TYPES.get(image.suffix.lower())
    if kind is None:
        raise SetupFailed(f"{image.name}: must be one of {', '.join(TYPES)}")
    try:
        return kind, image.read_bytes()
    except OSError as error:
        raise SetupFailed(f"{image.name}: cannot be read: {error.strerror}") from None
