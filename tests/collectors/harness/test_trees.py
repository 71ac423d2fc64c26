"""Folders as data: a digest of all that they hold, and copies that leave the source alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.harness import trees


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "deep" / "er").mkdir(parents=True)
    (root / "a.txt").write_text("a")
    (root / "deep" / "b.sh").write_text("echo b")
    (root / "deep" / "er" / "link").symlink_to("../../a.txt")
    return root


def _relinked(link: Path) -> None:
    link.unlink()
    link.symlink_to("../b.sh")


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda root: (root / "a.txt").write_text("A"),
    "name": lambda root: (root / "a.txt").rename(root / "c.txt"),
    "one more file": lambda root: (root / "empty").touch(),
    "mode": lambda root: (root / "deep" / "b.sh").chmod(0o755),
    "place": lambda root: (root / "deep" / "b.sh").rename(root / "b.sh"),
    "link": lambda root: _relinked(root / "deep" / "er" / "link"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_changes_the_digest(folder: Path, change: str) -> None:
    before = trees.digest(folder)
    CHANGES[change](folder)
    assert trees.digest(folder) != before


def test_dates_and_what_belongs_to_no_content_do_not_count(folder: Path) -> None:
    before = trees.digest(folder)
    os.utime(folder / "a.txt", (0, 0))
    for name in trees.SKIPPED:
        (folder / "deep" / name).mkdir()
        (folder / "deep" / name / "x").touch()
    assert trees.digest(folder) == before


def test_a_copy_is_equal_and_apart(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    trees.copy(folder, copy)
    assert trees.digest(copy) == trees.digest(folder)
    (copy / "a.txt").write_text("changed")
    assert (folder / "a.txt").read_text() == "a"
    assert (copy / "deep" / "er" / "link").readlink() == Path("../../a.txt")


def test_a_copy_runs_as_nobody_else(folder: Path, tmp_path: Path) -> None:
    (folder / "deep" / "b.sh").chmod(0o6755)
    trees.copy(folder, tmp_path / "copy")
    assert (tmp_path / "copy" / "deep" / "b.sh").stat().st_mode & 0o7777 == 0o755


def test_refuses_links_that_leave_and_what_is_no_file(folder: Path, tmp_path: Path) -> None:
    (folder / "out").symlink_to(tmp_path)
    with pytest.raises(BenchdataError, match="out: is a link that leaves its folder"):
        trees.digest(folder)
    (folder / "out").unlink()
    os.mkfifo(folder / "pipe")
    with pytest.raises(BenchdataError, match="pipe: is neither a file nor a link"):
        trees.copy(folder, tmp_path / "copy")


def test_refuses_what_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(BenchdataError, match="missing: is not a folder"):
        trees.digest(tmp_path / "missing")
