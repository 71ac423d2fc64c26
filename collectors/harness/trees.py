"""Folders as data: their digest, copies that leave the source alone, and their certain removal."""

from __future__ import annotations

import hashlib
import os
import stat
import uuid
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from benchdata.errors import BenchdataError, shorten

SKIPPED = (".git", "node_modules")
"""Folders that belong to no content: they differ from machine to machine."""
MOST_FILES = 20_000
BLIND = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""How a file is opened that may have become a link or a pipe."""
OWNED = 0o700
READABLE = 0o400
RIGHTS = 0o777
"""What is copied of a file's mode: an agent may have left programs that run as their owner."""
LARGEST = 1024**3
"""Bytes of all files of one folder together."""


def digest(root: Path) -> str:
    """Return the SHA-256 over every file's relative path and bytes, in the order of the paths.

    Links count by where they point to, and whether a file may be run counts too.

    Raises:
        BenchdataError: No such folder, a link leaves it, it holds something that is neither file
            nor link, it is too large, or it changes meanwhile.
    """
    found = hashlib.sha256()
    for name, path in entries(root):
        if path.is_symlink():
            content, kind = os.fsencode(_link(path, name)), b"link"
        else:
            with _opened(root, name) as file:
                content = file.read(LARGEST)
                mode = os.fstat(file.fileno()).st_mode
            kind = b"program" if mode & stat.S_IXUSR else b"file"
        for part in (kind, os.fsencode(name), content):
            found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


def copy(root: Path, target: Path) -> None:
    """Copy a folder's files into `target`, which may be there; nothing is shared with the source.

    The copy is what it says also when an agent's command still runs and changes the source.

    Raises:
        BenchdataError: As `digest`.
    """
    for name, path in entries(root):
        _copy(root, name, path, target / name)
    entries(target)  # an absolute link into the source leads out of the copy


def salvage(root: Path, target: Path, *, most_files: int, most_bytes: int) -> dict[str, str]:
    """Copy what may be kept of a folder that an agent left; return the rest, with why.

    Nothing of it is followed: links that stay inside are kept as links, all others are left out, as
    is what is neither file nor link and what goes beyond the bounds, in the order of the names. The
    folder's own modes are opened first, for an agent may have shut it.

    Raises:
        OSError: The copy cannot be written.
    """
    target.mkdir(parents=True)
    left_out: dict[str, str] = {}
    files = size = 0
    for name, path in _opened_up(root, left_out):
        more = path.lstat().st_size
        reason = _unfit(root, path)
        if reason is None and (files == most_files or size + more > most_bytes):
            reason = "is beyond what is kept"
        if reason is None:
            files, size = files + 1, size + more
            _copy(root, name, path, target / name)
        else:
            left_out[shorten(name)] = reason
    return left_out


def remove(root: Path) -> None:
    """Remove a folder with all that it holds, also what an agent has shut or nested very deeply.

    Every folder is moved to the top before it is emptied, so no path grows longer than paths may.
    """
    root.chmod(OWNED)
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        for entry in _listed(folder):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(root / uuid.uuid4().hex)
                Path(entry.path).chmod(OWNED)
                Path(entry.path).rename(waiting[-1])
            else:
                Path(entry.path).unlink()
        if folder != root:
            folder.rmdir()
    root.rmdir()


def entries(root: Path) -> list[tuple[str, Path]]:
    """Return the relative path and the place of every file and link, in the order of their bytes.

    Raises:
        BenchdataError: As `digest`.
    """
    try:
        if root.is_symlink() or not root.is_dir():
            raise BenchdataError(f"{shorten(root.name)}: is not a folder that can be read")
        some = islice(_walked(root), MOST_FILES + 1)
        found = sorted(some, key=lambda entry: os.fsencode(entry[0]))
        size = sum(path.lstat().st_size for _, path in found)
    except OSError as error:
        raise BenchdataError(f"{shorten(root.name)}: cannot be read: {error.strerror}") from None
    if len(found) > MOST_FILES:
        raise BenchdataError(f"{shorten(root.name)}: holds more than {MOST_FILES:,} files")
    if size > LARGEST:
        raise BenchdataError(f"{shorten(root.name)}: is larger than {LARGEST // 1024**3} GiB")
    return found


def _copy(root: Path, name: str, path: Path, place: Path) -> None:
    """Copy one file or link."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        place.symlink_to(_link(path, name))
        return
    with _opened(root, name) as file, place.open("wb") as copied:
        size = os.fstat(file.fileno()).st_size  # it may grow for ever
        copied.write(file.read(min(size, LARGEST)))
        place.chmod(os.fstat(file.fileno()).st_mode & RIGHTS)


def _opened_up(root: Path, left_out: dict[str, str]) -> list[tuple[str, Path]]:
    """Return what lies in a folder, in the order of the names, each folder in it opened first."""
    found: list[tuple[str, Path]] = []
    waiting = [root]
    while waiting and len(found) <= MOST_FILES:
        folder = waiting.pop()
        try:
            folder.chmod(OWNED)
            inside = _listed(folder)
        except OSError as error:  # such as a path that is longer than paths may be
            left_out[shorten(folder.relative_to(root).as_posix())] = str(error.strerror)
            continue
        for entry in inside:
            path = Path(entry.path)
            if not entry.is_dir(follow_symlinks=False):
                found.append((path.relative_to(root).as_posix(), path))
            elif entry.name not in SKIPPED:
                waiting.append(path)
    return sorted(found, key=lambda entry: os.fsencode(entry[0]))


def _unfit(root: Path, path: Path) -> str | None:
    """Say why an entry is not kept, if it is not; a file is made readable."""
    if path.is_symlink():
        target = Path(os.readlink(path))  # noqa: PTH115 -- a path would be tidied
        inside = Path(os.path.realpath(path)).is_relative_to(root.resolve())
        return None if inside and not target.is_absolute() else "is a link that leaves its folder"
    if not path.is_file():
        return "is neither a file nor a link"
    path.chmod(path.stat().st_mode | READABLE)
    return None


def _opened(root: Path, name: str) -> BinaryIO:
    """Open a file, following no link on the way: where there was a folder may be one by now."""
    try:
        place = os.open(root, BLIND)
        for step in name.split("/"):
            try:
                inner = os.open(step, BLIND, dir_fd=place)
            finally:
                os.close(place)
            place = inner
    except OSError:
        raise _changed(name) from None
    if not stat.S_ISREG(os.fstat(place).st_mode):
        os.close(place)
        raise _changed(name)
    return os.fdopen(place, "rb")


def _link(path: Path, name: str) -> str:
    """Return where a link points to."""
    try:
        return os.readlink(path)  # noqa: PTH115 -- a path would be tidied, such as `./a`
    except OSError:
        raise _changed(name) from None


def _changed(name: str) -> BenchdataError:
    return BenchdataError(f"{shorten(name)}: changed while it was read")


def _walked(root: Path) -> Iterator[tuple[str, Path]]:
    inside = root.resolve()
    waiting = [root]
    while waiting:
        for entry in _listed(waiting.pop()):
            path = Path(entry.path)
            shown = shorten(path.relative_to(root).as_posix())
            if path.is_dir() and entry.name in SKIPPED:
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
                continue
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside):
                raise BenchdataError(f"{shown}: is a link that leaves its folder")
            if not path.is_symlink() and not path.is_file():
                raise BenchdataError(f"{shown}: is neither a file nor a link")
            yield path.relative_to(root).as_posix(), path


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return list(found)
