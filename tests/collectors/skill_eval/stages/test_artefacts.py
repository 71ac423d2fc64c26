"""What an agent left: kept within bounds, and nothing in it that leads elsewhere."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from collectors.harness import trees
from collectors.skill_eval.stages import artefacts


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def kept(work: Path) -> tuple[set[str], dict[str, str]]:
    """Keep what lies in a folder; return the names of that, and what was left out."""
    root = work.parent / "run"
    artefacts.keep(work, root)
    place = root / artefacts.ARTEFACT
    trees.digest(place)  # whoever reads it later must be able to
    note = root / artefacts.LEFT_OUT
    names = {path.relative_to(place).as_posix() for path in place.rglob("*") if not path.is_dir()}
    return names, json.loads(note.read_text()) if note.exists() else {}


def test_files_and_links_that_stay_inside_are_kept(work: Path) -> None:
    (work / "sub").mkdir()
    (work / "sub" / "page.html").write_text("A")
    (work / "index.html").symlink_to("sub/page.html")
    assert kept(work) == ({"sub/page.html", "index.html"}, {})


def test_what_leads_elsewhere_or_is_no_file_is_left_out(work: Path) -> None:
    (work / "page.html").write_text("A")
    (work / "secret").symlink_to("/etc/passwd")
    (work / "above").symlink_to("../run")
    (work / "self").symlink_to(work / "page.html")
    os.mkfifo(work / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(work, os.O_RDONLY)
        try:
            listener.bind(f"/proc/self/fd/{here}/socket")
        finally:
            os.close(here)
        names, left_out = kept(work)
    assert names == {"page.html"}
    leaves = "is a link that leaves its folder"
    neither = "is neither a file nor a link"
    assert left_out == {
        "secret": leaves,
        "above": leaves,
        "self": leaves,
        "pipe": neither,
        "socket": neither,
    }


def test_what_goes_beyond_the_bounds_is_left_out(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artefacts, "LARGEST", 10)
    monkeypatch.setattr(artefacts, "MOST_FILES", 2)
    with (work / "a-huge").open("wb") as file:
        file.truncate(1024**4)
    for name in ("b", "c", "d"):
        (work / name).write_text("12345")
    assert kept(work) == (
        {"b", "c"},
        {"a-huge": "is beyond what is kept", "d": "is beyond what is kept"},
    )


def test_what_an_agent_shut_is_opened(work: Path) -> None:
    (work / "shut").mkdir()
    (work / "shut" / "page.html").write_text("A")
    (work / "shut" / "page.html").chmod(0)
    (work / "shut").chmod(0)
    work.chmod(0)
    assert kept(work) == ({"shut/page.html"}, {})


def test_folders_that_are_nested_too_deeply_are_left_out(work: Path) -> None:
    here = os.open(work, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=here)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    (work / "page.html").write_text("A")
    names, left_out = kept(work)
    trees.remove(work)
    assert names == {"page.html"}
    assert [*left_out.values()] == ["File name too long"]


def test_folders_of_programs_are_no_content(work: Path) -> None:
    (work / "node_modules" / "x").mkdir(parents=True)
    (work / "node_modules" / "x" / "a.js").touch()
    assert kept(work) == (set(), {})
