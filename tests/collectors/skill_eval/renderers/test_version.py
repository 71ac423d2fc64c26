"""The version of a rendering: the same until something changes that decides on the pixels."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.skill_eval.renderers import version


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    version.render_version.cache_clear()
    yield
    version.render_version.cache_clear()


def again() -> str:
    version.render_version.cache_clear()
    return version.render_version()


def test_it_is_a_digest_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    first = version.render_version()
    assert re.fullmatch(r"v3-[0-9a-f]{12}", first)
    assert again() == first
    monkeypatch.setattr(version, "_told", lambda _: pytest.fail("asked twice in one process"))
    assert version.render_version() == first


def test_every_source_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = shutil.copytree(version.HERE, tmp_path / "renderers")
    monkeypatch.setattr(version, "HERE", here)
    monkeypatch.setattr(version, "TOLD", ())
    first = again()
    for name in ("confined/pages.py", "confined/pinned.js", "pictures.py"):
        (here / name).write_text((here / name).read_text("utf-8") + "\n", "utf-8")
        assert again() != first, name
        first = again()
    (here / "__pycache__").mkdir(exist_ok=True)
    (here / "__pycache__" / "pages.pyc").write_bytes(b"x")
    assert again() == first


@pytest.mark.parametrize("name", ["chromium", "soffice", "pdftoppm", "ffmpeg", "fc-list"])
def test_every_program_and_the_fonts_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A font more or a program of another version is another rendering; the order is nothing."""

    def saying(*lines: str) -> str:
        program = tmp_path / name
        program.write_text("#!/bin/sh\nprintf '%s\\n' " + " ".join(map(repr, lines)), "utf-8")
        program.chmod(0o755)
        return again()

    monkeypatch.setenv("PATH", str(tmp_path))
    absent = again()
    first = saying("a font", "b font")
    assert first != absent
    assert saying("b font", "a font") == first
    assert saying("a font", "b font", "c font") != first
