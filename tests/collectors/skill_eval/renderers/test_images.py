"""Pictures that lie in files."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pytest

from collectors.skill_eval.renderers.rendering import RenderFailed
from tests.support.drawing import BLUE, GREEN, RED, Files, Image, drawn, grounds, plain, size


def bomb(sides: tuple[int, int]) -> bytes:
    """Return a small PNG file of very many black pixels."""
    width, height = sides
    rows = zlib.compress(bytes((width // 8 + 1) * height), 9)
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)),
        (b"IDAT", rows),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


def test_every_picture_is_given_in_the_order_of_the_names(tmp_path: Path) -> None:
    files: Files = {
        "b.png": plain(BLUE),
        "a/1.jpg": plain(RED),
        "c.webp": plain(GREEN),
        "d.txt": "no",
    }
    made = drawn(tmp_path, "image", files, entry="*", most=2)
    assert grounds(made) == [RED, BLUE]
    assert [path.name for path in made.images] == ["01.png", "02.png"]
    assert made.evidence == ("2 of 3 pictures are shown",)
    assert made.blank


def test_a_picture_is_turned_as_its_camera_says_and_tells_nothing_else(tmp_path: Path) -> None:
    file = io.BytesIO()
    picture = Image.new("RGB", (2400, 100), "red")
    told = picture.getexif()
    told[0x0112] = 6  # a quarter turn
    told[0x010E] = "made with a skill"
    picture.save(file, "JPEG", exif=told)
    made = drawn(tmp_path, "image", {"a.jpg": file.getvalue()})
    assert size(made.images[0]) == (75, 1800)
    assert b"skill" not in made.images[0].read_bytes()
    with Image.open(made.images[0]) as written:
        assert written.info == {}


@pytest.mark.parametrize("content", [b"", plain("red")[:60]])
def test_what_is_no_picture_is_a_failure(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(RenderFailed, match="the picture cannot be read"):
        drawn(tmp_path, "image", {"a.png": content})


def test_a_small_file_of_very_many_pixels_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(RenderFailed, match="more than 64,000,000 pixels"):
        drawn(tmp_path, "image", {"a.png": bomb((20_000, 20_000))})
