"""Blank artefacts: each kind's is rendered for real, and shows nothing."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from benchdata.errors import BenchdataError
from collectors.harness import trees
from collectors.skill_eval.renderers.entries import SUFFIXES, entries
from collectors.skill_eval.renderers.render import Kind, Render
from collectors.skill_eval.stages import blanks
from tests.support.drawing import draw

ENTRIES: dict[Kind, str] = {
    **dict.fromkeys(blanks.HTML, "index.html"),
    "svg": "drawing.svg",
    "pdf": "page.pdf",
    "office": "slides.pptx",
    "video": "film.*",
    "image": "page.png",
}
SHOWN = [*ENTRIES.items(), ("reveal", "deck.svg"), ("stacked", "page.xhtml")]
OFFICE = ["text.docx", "text.odt", "slides.odp"]
FILES = [("pdf", "*.pdf"), ("video", "film.mp4"), ("image", "page.jpg")]
FILMS = ["film.html", "film.svg"]


def made(folder: Path, kind: Kind, entry: str) -> Render:
    """Make the blank artefact of a kind in a folder."""
    wanted = Render.model_validate({"kind": kind, "entry": entry})
    folder.mkdir()
    blanks.make(wanted, folder)
    return wanted


def test_every_kind_has_one() -> None:
    assert {*ENTRIES} == {*get_args(Kind)}


def is_blank(tmp_path: Path, kind: Kind, entry: str) -> bool:
    """Make one and tell whether it is shown, with nothing on it."""
    wanted = made(tmp_path / "made", kind, entry)
    shown = draw(tmp_path / "made", tmp_path / "out", kind, wanted.entry, most=2)
    return shown.blank and bool(shown.images)


@pytest.mark.parametrize(("kind", "entry"), FILES)
def test_a_file_is_shown_and_blank_under_the_name_that_the_task_gives(
    tmp_path: Path, kind: Kind, entry: str
) -> None:
    assert is_blank(tmp_path, kind, entry)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("kind", "entry"), SHOWN)
def test_it_is_shown_and_blank(tmp_path: Path, kind: Kind, entry: str) -> None:
    assert is_blank(tmp_path, kind, entry)


@pytest.mark.slow
@pytest.mark.parametrize("entry", OFFICE)
def test_every_kind_of_office_file_has_one(tmp_path: Path, entry: str) -> None:
    assert is_blank(tmp_path, "office", entry)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("entry", FILMS)
def test_a_film_that_a_browser_moves_has_one(tmp_path: Path, entry: str) -> None:
    assert is_blank(tmp_path, "video", entry)


@pytest.mark.parametrize("suffix", SUFFIXES["office"])
def test_no_kind_of_office_file_is_without_one(suffix: str) -> None:
    assert suffix in blanks.EMPTY


@pytest.mark.parametrize(
    "entry", ["*.pdf", "out/*.pdf", "page?.pdf", "page[12].pdf", "page[!a].pdf"]
)
def test_its_name_is_one_that_the_task_looks_for(tmp_path: Path, entry: str) -> None:
    wanted = made(tmp_path / "made", "pdf", entry)
    assert len(entries(tmp_path / "made", wanted)) == 1


def test_pages_of_two_kinds_are_two_artefacts(tmp_path: Path) -> None:
    digests = set()
    for kind in blanks.HTML:
        made(tmp_path / kind, kind, "index.html")
        digests.add(trees.digest(tmp_path / kind))
    assert len(digests) == len(blanks.HTML)


def test_a_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchdataError, match=r"deck\.key: a blank file can be made of \.odt"):
        made(tmp_path / "made", "office", "deck.key")
