"""What an agent's work folder holds at the end of a turn: a copy, its digest and its text."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchdata.errors import BenchdataError, shorten
from collectors.build_bench.digests import digest
from collectors.harness import trees

LEFT_OUT = frozenset({*trees.SKIPPED, "__pycache__"})
"""Folders that are not copied: dependencies are linked again, the others are no content."""
MOST_FILES = 20_000
DEEPEST = 64
"""Folders one in the other."""
LARGEST = 256 * 1024**2
"""Bytes of all files together."""
CHUNK = 1024**2
RIGHTS = 0o777
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Uncopied(BenchdataError):
    """A work folder that cannot be judged, for what is in it."""


@dataclass(frozen=True)
class Snapshot:
    """A copy that nobody writes to."""

    folder: Path

    @cached_property
    def files(self) -> dict[str, Path]:
        """Its files and links by their relative names, in order."""
        found = []
        for place, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if name not in LEFT_OUT]
            links = [name for name in folders if Path(place, name).is_symlink()]
            found += [Path(place, name) for name in (*names, *links)]
        return {path.relative_to(self.folder).as_posix(): path for path in sorted(found)}

    @cached_property
    def digest(self) -> str:
        """The digest of the names, rights, contents and links; of empty folders nothing."""
        return digest({ascii(name): self.contents(name) for name in self.files})

    def contents(self, name: str) -> bytes:
        """Return what a file holds, or where a link points to, and which of them it is."""
        path = self.files[name]
        if path.is_symlink():
            return b"link " + os.fsencode(path.readlink())
        kind = b"program " if path.stat().st_mode & stat.S_IXUSR else b"file "
        return kind + path.read_bytes()

    def text(self, name: str) -> str | None:
        """Return the text of a file, or None when it is no text or no file."""
        path = self.files.get(name)
        if path is None or path.is_symlink():
            return None
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            return None
        return None if "\0" in text else text

    def lay(self, target: Path) -> None:
        """Copy it once more, for a service to run in."""
        _copy(self.folder, target)


def take(work: Path, target: Path) -> Snapshot:
    """Copy a work folder, whose owner may be changing it, and return the copy.

    Links are copied as links. What is neither file nor link is left out, as are the files that
    vanish meanwhile.

    Raises:
        Uncopied: It holds too much, or cannot be read.
    """
    target.mkdir(parents=True)
    try:
        _copy(work, target)
    except OSError as error:
        raise Uncopied(f"the work folder cannot be copied: {error.strerror}") from None
    return Snapshot(target)


def discard(folder: Path) -> None:
    """Remove a folder, however a service has left it; one that is not there is no matter."""
    if folder.exists():
        trees.remove(folder)


def _copy(source: Path, target: Path) -> None:
    """Copy files and links; every name is opened below an open folder and never through a link."""
    room = LARGEST
    for place, name, folder in _entries(source):
        made = target / place / name
        made.parent.mkdir(parents=True, exist_ok=True)
        try:
            room -= _copied(name, folder, made, room)
        except FileNotFoundError:
            continue


def _entries(source: Path) -> Iterator[tuple[str, str, int]]:
    """Give the relative folder, the name and the open folder of everything but folders."""
    seen = 0
    for place, folders, names, opened in os.fwalk(source, onerror=_raise):
        relative = os.path.relpath(place, source)
        seen += len(folders) + len(names)
        if seen > MOST_FILES or relative.count(os.sep) >= DEEPEST:
            raise Uncopied(
                f"the work folder holds more than {MOST_FILES:,} files, or folders nested more than"
                f" {DEEPEST} deep"
            )
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        links = [name for name in folders if _kind(name, opened) == stat.S_IFLNK]
        for name in sorted((*names, *links)):
            if name not in LEFT_OUT:  # the dependencies may be a link
                yield relative, name, opened


def _kind(name: str, folder: int) -> int:
    try:
        return stat.S_IFMT(os.lstat(name, dir_fd=folder).st_mode)
    except FileNotFoundError:
        return 0


def _copied(name: str, folder: int, made: Path, room: int) -> int:
    """Copy a file or link and return its bytes; what is neither is left out."""
    kind = _kind(name, folder)
    if kind == stat.S_IFLNK:
        made.symlink_to(os.readlink(name, dir_fd=folder))
        return 0
    if kind != stat.S_IFREG:
        return 0
    with open(os.open(name, READ, dir_fd=folder), "rb") as read, made.open("xb") as kept:  # noqa: PTH123
        mode = os.fstat(read.fileno()).st_mode
        if not stat.S_ISREG(mode):
            return 0
        size = 0
        while chunk := read.read(CHUNK):
            size += len(chunk)
            if size > room:
                shown = shorten(name)
                raise Uncopied(
                    f"the work folder is larger than {LARGEST // 1024**2} MiB, with {shown}"
                )
            kept.write(chunk)
    made.chmod(stat.S_IMODE(mode) & RIGHTS | stat.S_IRUSR)
    return size


def _raise(error: OSError) -> None:
    raise error
