"""Copies of work folders: what is in them, what is left out, and what cannot be copied."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from collectors.build_bench import changes, snapshots
from collectors.build_bench.snapshots import Snapshot, Uncopied


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "app.py").write_text("a = 1\n\nb = 2\n", "utf-8")
    (folder / "start.sh").write_text("#!/bin/sh\nexec app\n", "utf-8")
    (folder / "start.sh").chmod(0o755)
    return folder


def taken(work: Path, name: str = "copy") -> Snapshot:
    return snapshots.take(work, work.parent / name)


def test_files_with_their_rights_and_links_as_links(work: Path) -> None:
    (work / "link").symlink_to("/etc/hostname")
    (work / "folder-link").symlink_to("src")
    (work / "src" / "app.py").chmod(0o4755)
    found = taken(work)
    assert list(found.files) == ["folder-link", "link", "src/app.py", "start.sh"]
    assert (found.folder / "link").readlink() == Path("/etc/hostname")
    assert (found.folder / "start.sh").stat().st_mode & 0o777 == 0o755
    assert (found.folder / "src/app.py").stat().st_mode & 0o7000 == 0
    assert found.text("link") is None


def test_dependencies_history_and_caches_are_left_out(work: Path) -> None:
    for name in ("node_modules/pkg/a.js", ".git/HEAD", "src/__pycache__/app.pyc"):
        (work / name).parent.mkdir(parents=True)
        (work / name).write_text("x", "utf-8")
    assert list(taken(work).files) == ["src/app.py", "start.sh"]
    linked = work.parent / "linked"
    linked.mkdir()
    (linked / "node_modules").symlink_to(work)
    assert list(taken(linked, "second").files) == []


def test_pipes_and_sockets_are_left_out(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(work / "pipe")
    monkeypatch.chdir(work)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        assert list(taken(work).files) == ["src/app.py", "start.sh"]


def test_the_digest_is_of_content_names_and_rights(work: Path) -> None:
    first = taken(work, "1").digest
    (work / "empty").mkdir()
    os.utime(work / "start.sh", (1, 1))
    assert taken(work, "2").digest == first
    (work / "start.sh").chmod(0o644)
    second = taken(work, "3").digest
    (work / "src" / "app.py").rename(work / "src" / "apq.py")
    third = taken(work, "4").digest
    (work / "src" / "apq.py").write_text("a = 1\n\nb = 3\n", "utf-8")
    assert len({first, second, third, taken(work, "5").digest}) == 4


@pytest.mark.parametrize(("limit", "most"), [("LARGEST", 20), ("MOST_FILES", 2), ("DEEPEST", 1)])
def test_too_much_cannot_be_copied(
    work: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    (work / "src" / "deep").mkdir()
    (work / "src" / "deep" / "c.py").write_text("c", "utf-8")
    monkeypatch.setattr(snapshots, limit, most)
    with pytest.raises(Uncopied):
        taken(work)


def test_a_copy_of_a_copy_shares_nothing(work: Path) -> None:
    found = taken(work)
    target = work.parent / "run"
    target.mkdir()
    found.lay(target)
    (target / "start.sh").write_text("changed", "utf-8")
    assert found.text("start.sh") == "#!/bin/sh\nexec app\n"


def test_a_diff_shows_texts_and_names_the_rest(work: Path) -> None:
    (work / "data.bin").write_bytes(b"\0\1")
    before = taken(work, "1")
    (work / "start.sh").unlink()
    (work / "src" / "app.py").write_text("a = 1\n\nb = 3", "utf-8")
    (work / "data.bin").write_bytes(b"\0\2")
    (work / "new.py").write_text("n = 1\n", "utf-8")
    said = changes.diff(before, taken(work, "2"))
    assert said.splitlines() == [
        "Files a/data.bin and b/data.bin differ",
        *("--- /dev/null", "+++ b/new.py", "@@ -0,0 +1 @@", "+n = 1"),
        *("--- a/src/app.py", "+++ b/src/app.py", "@@ -1,3 +1,3 @@", " a = 1", " "),
        *("-b = 2", "+b = 3", "\\ No newline at end of file"),
        *("--- a/start.sh", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-#!/bin/sh", "-exec app"),
    ]
    assert changes.diff(before, before) == ""


def test_only_source_that_somebody_wrote_is_counted(work: Path) -> None:
    for name in (
        *("package-lock.json", "dist/main.js", "vendor/x.py", "venv/lib/y.py", "data/z.json"),
        *("README.md", "journal.jsonl", "picture.png"),
    ):
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("one\ntwo\n", "utf-8")
    (work / "broken.py").write_bytes(b"\xff\n")
    assert changes.source_lines(taken(work)) == 4
