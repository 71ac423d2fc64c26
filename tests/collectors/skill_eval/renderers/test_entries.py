"""Which files of an artefact an entry names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collectors.skill_eval.renderers.entries import entries
from collectors.skill_eval.renderers.failures import RenderFailed
from collectors.skill_eval.renderers.render import Kind, Render
from tests.support.drawing import artefact

NAMES = ("film.css", "film.html", "film.mp4", "b.png", "a/c.PNG", "[x].png", "readme")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return artefact(tmp_path / "artefact", dict.fromkeys(NAMES, ""))


@pytest.mark.parametrize(
    ("kind", "entry", "found"),
    [
        ("image", "b.png", ("b.png",)),
        ("image", "*.[pP][nN][gG]", ("[x].png", "a/c.PNG", "b.png")),
        ("image", "[x].png", ("[x].png",)),
        ("video", "film.*", ("film.html", "film.mp4")),
        ("page-tile", "readme", ("readme",)),
    ],
)
def test_a_path_names_its_file_and_a_pattern_what_the_kind_can_show(
    folder: Path, kind: Kind, entry: str, found: tuple[str, ...]
) -> None:
    assert entries(folder, Render(kind=kind, entry=entry)) == found


@pytest.mark.parametrize("entry", ["no.png", "read*", "a"])
def test_an_entry_that_names_nothing_is_a_failure(folder: Path, entry: str) -> None:
    with pytest.raises(RenderFailed, match="holds no file"):
        entries(folder, Render(kind="image", entry=entry))


def test_a_folder_with_a_pipe_or_a_link_that_leaves_it_is_a_failure(folder: Path) -> None:
    wanted = Render(kind="image", entry="b.png")
    (folder / "out.png").symlink_to("/etc/passwd")
    with pytest.raises(RenderFailed, match=r"out\.png: is a link that leaves its folder"):
        entries(folder, wanted)
    (folder / "out.png").unlink()
    os.mkfifo(folder / "pipe")
    with pytest.raises(RenderFailed, match="pipe: is neither a file nor a link"):
        entries(folder, wanted)


def test_a_missing_folder_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(RenderFailed, match="is not a folder"):
        entries(tmp_path / "none", Render(kind="image", entry="b.png"))
