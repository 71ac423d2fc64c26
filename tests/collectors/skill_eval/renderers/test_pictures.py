"""What is done to a picture: told from an empty one, made smaller, put on a sheet, written."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from collectors.skill_eval.renderers import pictures
from tests.support.drawing import BLUE, RED, WHITE, Image, colours, plain, size

draw = pytest.importorskip("PIL.ImageDraw", reason="Pillow is not installed")


@pytest.mark.parametrize("colour", ["white", "black", "#123456"])
def test_one_colour_is_empty(colour: str) -> None:
    assert pictures.empty(Image.new("RGB", (1280, 800), colour))


def test_noise_that_nobody_sees_is_empty() -> None:
    seeded = random.Random(1)
    noise = bytes(seeded.randrange(240, 250) for _ in range(3 * 200 * 200))
    file = io.BytesIO()
    Image.frombytes("RGB", (200, 200), noise).save(file, "JPEG", quality=50)
    assert pictures.empty(Image.open(file).convert("RGB"))


def test_two_words_in_a_small_text_are_not_empty() -> None:
    picture = Image.new("RGB", (1280, 800), "white")
    draw.Draw(picture).text((20, 20), "Not found", fill="#555")
    assert not pictures.empty(picture)


def test_a_gradient_is_not_empty() -> None:
    assert not pictures.empty(Image.linear_gradient("L").convert("RGB"))


def test_what_is_transparent_lies_on_white() -> None:
    clear = Image.new("RGBA", (10, 10), (255, 0, 0, 0))
    assert pictures.opaque(clear).getpixel((5, 5)) == WHITE


def test_a_picture_is_never_made_larger_and_keeps_its_shape() -> None:
    assert pictures.fitted(Image.new("RGB", (30, 20))).size == (30, 20)
    assert pictures.fitted(Image.new("RGB", (3600, 900))).size == (1800, 450)
    assert pictures.fitted(Image.new("RGB", (4, 90_000))).size == (1, 1800)


def test_a_file_is_as_large_as_a_model_takes(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(3 * 1200 * 1200)
    path = tmp_path / "a.png"
    pictures.write(Image.frombytes("RGB", (1200, 1200), noise), path)
    assert path.stat().st_size <= pictures.LARGEST_FILE
    assert size(path) == (600, 600)


def test_a_sheet_has_all_pictures_and_is_small_enough(tmp_path: Path) -> None:
    paths = []
    for number, colour in enumerate((RED, BLUE, WHITE, RED, BLUE)):
        paths.append(tmp_path / f"{number}.png")
        paths[-1].write_bytes(plain(colour, (640, 900)))
    made = pictures.sheet(paths, tmp_path / "sheet.png")
    assert {RED, BLUE, WHITE} <= colours(made)
    assert max(size(made)) <= pictures.LARGEST_SIDE


def test_a_sheet_tells_nothing_of_names_and_places(tmp_path: Path) -> None:
    made = []
    for arm in ("none", "local-skill"):
        (tmp_path / arm).mkdir()
        (tmp_path / arm / f"{arm}.png").write_bytes(plain("red"))
        made.append(pictures.sheet([tmp_path / arm / f"{arm}.png"], tmp_path / f"{arm}.png"))
    first, second = (path.read_bytes() for path in made)
    assert first == second
