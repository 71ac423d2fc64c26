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


def _deep(root: Path, depth: int) -> None:
    place = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)


def test_folders_deeper_than_python_recurses_are_read(folder: Path) -> None:
    before = trees.digest(folder)
    _deep(folder, 1_200)
    assert trees.digest(folder) == before
    trees.remove(folder)  # pytest itself could not


def test_folders_deeper_than_a_path_is_long_are_refused_and_removed(folder: Path) -> None:
    _deep(folder, 2_500)
    with pytest.raises(BenchdataError, match="tree: cannot be read: File name too long"):
        trees.digest(folder)
    trees.remove(folder)
    assert not folder.exists()


def test_what_was_shut_is_removed_and_what_links_point_to_stays(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "kept" / "inner").mkdir(parents=True)
    (folder / "out").symlink_to(tmp_path / "kept")
    os.mkfifo(folder / "pipe")
    for name in ("deep/er", "deep", "."):
        (folder / name).chmod(0)
    trees.remove(folder)
    assert not folder.exists()
    assert (tmp_path / "kept" / "inner").is_dir()


def _piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _linked(path: Path, target: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to(target)


@pytest.mark.parametrize(
    "swap",
    [
        lambda root, outside: _linked(root / "deep" / "b.sh", outside / "b.sh"),
        lambda root, outside: _linked(root / "deep", outside),
        lambda root, _: (root / "deep" / "b.sh").unlink(),
        lambda root, _: _piped(root / "deep" / "b.sh"),
    ],
    ids=["file", "folder", "gone", "pipe"],
)
def test_what_is_changed_meanwhile_leads_nowhere(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    swap: Callable[[Path, Path], object],
) -> None:
    """A command that an agent left running swaps what was looked at for what lies elsewhere."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.sh").write_text("secret")
    looked = trees.entries

    def then_swapped(root: Path) -> list[tuple[str, Path]]:
        found = looked(root)
        if root == folder:
            swap(folder, outside)
        return found

    monkeypatch.setattr(trees, "entries", then_swapped)
    with pytest.raises(BenchdataError, match=r"b\.sh: (changed while|is a link that leaves)"):
        trees.copy(folder, tmp_path / "copy")
    copies = [
        path.read_text()
        for path in (tmp_path / "copy").rglob("*")
        if not path.is_symlink() and path.is_file()
    ]
    assert "secret" not in copies


def test_a_link_in_the_place_of_the_folder_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    for read in (trees.digest, lambda root: trees.copy(root, tmp_path / "copy")):
        with pytest.raises(BenchdataError, match="link: is not a folder"):
            read(tmp_path / "link")


def test_the_number_of_files_has_a_bound(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MOST_FILES", 2)
    with pytest.raises(BenchdataError, match="holds more than 2 files"):
        trees.digest(folder)


def test_refuses_links_that_leave_and_what_is_no_file(folder: Path, tmp_path: Path) -> None:
    (folder / "out").symlink_to(tmp_path)
    with pytest.raises(BenchdataError, match="out: is a link that leaves its folder"):
        trees.digest(folder)
    (folder / "out").unlink()
    (folder / "out").symlink_to("out")
    trees.digest(folder)
    os.mkfifo(folder / "pipe")
    with pytest.raises(BenchdataError, match="pipe: is neither a file nor a link"):
        trees.copy(folder, tmp_path / "copy")


def test_refuses_what_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(BenchdataError, match="missing: is not a folder"):
        trees.digest(tmp_path / "missing")
