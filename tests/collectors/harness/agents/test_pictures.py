"""Images for a model: their type, their bytes, and names that tell nothing of an arm."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from collectors.harness.agents import pictures
from collectors.harness.failures import SetupFailed
from tests.support.pixels import PIXEL


def test_an_image_is_shown_by_its_bytes(tmp_path: Path) -> None:
    image = tmp_path / "arm.PNG"
    image.write_bytes(PIXEL)
    source = pictures.block(image)["source"]
    assert (source["media_type"], base64.b64decode(source["data"])) == ("image/png", PIXEL)


def test_copies_have_numbers_for_names(tmp_path: Path) -> None:
    images = (tmp_path / "arm-a.png", tmp_path / "arm-b.jpeg")
    for image in images:
        image.write_bytes(PIXEL)
    (tmp_path / "shown").mkdir()
    copies = pictures.copy(images, tmp_path / "shown")
    assert [copy.name for copy in copies] == ["1.png", "2.jpeg"]
    assert copies[1].read_bytes() == PIXEL


@pytest.mark.parametrize(("name", "words"), [("a.svg", "must be one of"), ("b.png", "be read")])
def test_an_image_that_cannot_be_shown_is_refused(tmp_path: Path, name: str, words: str) -> None:
    if name == "a.svg":
        (tmp_path / name).write_text("<svg/>")
    with pytest.raises(SetupFailed, match=words):
        pictures.block(tmp_path / name)
