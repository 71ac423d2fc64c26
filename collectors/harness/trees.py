"""Folders as data: their digest, and copies that leave the source alone."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from benchdata.errors import BenchdataError, shorten

SKIPPED = (".git", "node_modules")
"""Folders that belong to no content: they differ from machine to machine."""
MOST_FILES = 20_000
RIGHTS = 0o777
"""What is copied of a file's mode: an agent may have left programs that run as their owner."""
LARGEST = 1024**3
"""Bytes of all files of one folder together."""


def digest(root: Path) -> str:
    """Return the SHA-256 over every file's relative path and bytes, in the order of the paths.

    Links count by where they point to, and whether a file may be run counts too.

    Raises:
        BenchdataError: No such folder, a link leaves it, it holds something that is neither file
            nor link, or it is too large.
    """
    found = hashlib.sha256()
    for name, path in _entries(root):
        if path.is_symlink():
            content, kind = os.fsencode(path.readlink()), b"link"
        else:
            content = path.read_bytes()
            kind = b"program" if path.stat().st_mode & stat.S_IXUSR else b"file"
        for part in (kind, os.fsencode(name), content):
            found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


def copy(root: Path, target: Path) -> None:
    """Copy a folder's files into `target`, which may be there; nothing is shared with the source.

    Raises:
        BenchdataError: As `digest`.
    """
    for name, path in _entries(root):
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place, follow_symlinks=False)
        if not path.is_symlink():
            place.chmod(stat.S_IMODE(path.stat().st_mode) & RIGHTS)


def _entries(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the relative path and path of every file and link, in the order of their bytes."""
    if not root.is_dir():
        raise BenchdataError(f"{shorten(root.name)}: is not a folder that can be read")
    try:
        found = sorted(_walked(root), key=lambda entry: os.fsencode(entry[0]))
    except OSError as error:
        raise BenchdataError(f"{shorten(root.name)}: cannot be read: {error.strerror}") from None
    if len(found) > MOST_FILES:
        raise BenchdataError(f"{shorten(root.name)}: holds more than {MOST_FILES:,} files")
    if sum(path.lstat().st_size for _, path in found) > LARGEST:
        raise BenchdataError(f"{shorten(root.name)}: is larger than {LARGEST // 1024**3} GiB")
    yield from found


def _walked(root: Path) -> Iterator[tuple[str, Path]]:
    inside = root.resolve()
    for place, folders, names in os.walk(root):
        folder = Path(place)
        folders[:] = [name for name in folders if name not in SKIPPED]
        links = [name for name in folders if (folder / name).is_symlink()]
        for name in (*names, *links):
            path = folder / name
            relative = path.relative_to(root).as_posix()
            if path.is_symlink() and not path.resolve().is_relative_to(inside):
                raise BenchdataError(f"{shorten(relative)}: is a link that leaves its folder")
            if not path.is_symlink() and not path.is_file():
                raise BenchdataError(f"{shorten(relative)}: is neither a file nor a link")
            yield relative, path
