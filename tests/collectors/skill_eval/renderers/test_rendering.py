"""What the process outside takes from the one that draws: little, in time, and looked at first."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from collectors.harness import trees
from collectors.harness.failures import SetupFailed
from collectors.skill_eval.renderers import rendering
from collectors.skill_eval.renderers.render import BOUNDS, Bounds
from collectors.skill_eval.renderers.rendering import RenderFailed
from tests.support.drawing import artefact, draw, drawn, plain


def test_a_drawing_that_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "BOUNDS", {**BOUNDS, "image": Bounds(8, 0.01)})
    with pytest.raises(RenderFailed, match=r"was not drawn within 0\.01 s"):
        drawn(tmp_path, "image", {"a.png": plain("red")})


def test_nothing_is_left_but_the_pictures_and_the_artefact_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = artefact(tmp_path / "artefact", {"a.png": plain("red"), "b.txt": "kept"})
    before = trees.digest(folder)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    made = draw(folder, tmp_path / "out", "image", "a.png")
    assert list((tmp_path / "scratch").iterdir()) == []
    assert list((tmp_path / "out").iterdir()) == list(made.images)
    assert trees.digest(folder) == before


def test_a_picture_of_the_sandbox_is_no_link_and_no_monster(tmp_path: Path) -> None:
    place = tmp_path / "01.png"
    place.write_bytes(plain("red"))
    assert rendering._kept(place, tmp_path / "kept.png").read_bytes() == plain("red")
    link = tmp_path / "02.png"
    link.symlink_to(place)
    large = tmp_path / "03.png"
    large.write_bytes(plain("red", (1801, 5)))
    heavy = tmp_path / "04.png"
    heavy.write_bytes(plain("red") + bytes(5 * 1024**2))
    short = tmp_path / "05.png"
    short.write_bytes(plain("red")[:20])
    for each in (link, large, heavy, short, tmp_path / "none.png", tmp_path):
        with pytest.raises(RenderFailed, match="no picture of the allowed size"):
            rendering._kept(each, tmp_path / "kept.png")


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        (b"", RenderFailed, r"was ended \(exit code 137\)"),
        (b'{"pictures": 1, "arm": "none"}', RenderFailed, "was ended"),
        (b'{"pictures": 1000}', RenderFailed, "was ended"),
        (b'{"failed": "the page did not load"}', RenderFailed, "the page did not load"),
        (b'{"unable": "chromium cannot be started"}', SetupFailed, "cannot be started"),
        (b"{}", RenderFailed, "there is no picture"),
    ],
)
def test_an_answer_without_pictures_says_whose_fault_it_is(
    said: bytes, kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words) as caught:
        rendering._answer(said, 137)
    assert type(caught.value) is kind
