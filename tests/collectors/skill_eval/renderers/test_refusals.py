"""What cannot be rendered here is refused before anything is drawn; it is no artefact's fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.errors import InputError
from collectors.harness.failures import SetupFailed
from collectors.harness.sandbox import probe
from collectors.skill_eval.renderers.needs import PROGRAMS, lacking
from collectors.skill_eval.renderers.render import Render
from collectors.skill_eval.renderers.rendering import RenderFailed, render
from tests.support.drawing import artefact, plain

WANTED = Render(kind="image", entry="a.png")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return artefact(tmp_path / "artefact", {"a.png": plain("red")})


def test_nothing_is_drawn_without_bubblewrap(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    probe.bubblewrap_fault.cache_clear()
    try:
        with pytest.raises(SetupFailed, match="bubblewrap is not installed"):
            render(folder, WANTED, tmp_path / "out")
    finally:
        probe.bubblewrap_fault.cache_clear()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("kind", "package"),
    [
        ("page-tile", "apt-get install chromium"),
        ("pdf", "apt-get install poppler-utils"),
        ("office", "apt-get install libreoffice-impress libreoffice-writer"),
        ("video", "apt-get install ffmpeg"),
    ],
)
def test_a_missing_program_is_named_with_its_package(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, package: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupFailed, match=package) as caught:
        render(folder, Render(kind=kind, entry="a.png"), tmp_path / "out")  # type: ignore[arg-type]
    assert not isinstance(caught.value, RenderFailed)


def test_a_picture_needs_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert PROGRAMS["image"] == ()
    assert lacking("image") is None


def test_a_folder_with_something_in_it_is_left_alone(folder: Path, tmp_path: Path) -> None:
    if fault := probe.bubblewrap_fault():
        pytest.skip(fault)
    out = artefact(tmp_path / "out", {"01.png": "mine"})
    with pytest.raises(InputError, match="out: is not empty"):
        render(folder, WANTED, out)
    assert (out / "01.png").read_text() == "mine"
