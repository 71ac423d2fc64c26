"""What a rendering depends on besides the artefact, in one short name."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

from collectors.harness.failures import SetupFailed

GENERATION = "v3"
TOLD: tuple[tuple[str, ...], ...] = (
    ("chromium", "--version"),
    ("soffice", "--version"),
    ("pdftoppm", "-v"),
    ("ffmpeg", "-version"),
    ("fc-list",),
)
"""Programs, each with what makes it tell its version (or the fonts of this machine)."""
LIBRARIES = ("playwright", "pillow")
HERE = Path(__file__).parent
SOURCES = ("*.py", "*.js")
ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": "/nonexistent"}
"""As in the sandbox: nothing of the user's own, such as fonts in the home folder."""
SECONDS = 60


@cache
def render_version() -> str:
    """Return `v3-` and 12 hex digits of a digest over all that decides on the pixels.

    Which is the source of the renderers, the programs and libraries that are installed, and the
    fonts. Found out once a process.

    Raises:
        SetupFailed: A program that is installed does not tell its version.
    """
    digest = hashlib.sha256()
    for part in (*_sources(), *_libraries(), *map(_told, TOLD)):
        digest.update(len(part).to_bytes(8, "big") + part)
    return f"{GENERATION}-{digest.hexdigest()[:12]}"


def _sources() -> Iterator[bytes]:
    files = sorted(path for pattern in SOURCES for path in HERE.rglob(pattern))
    for path in files:
        yield path.relative_to(HERE).as_posix().encode()
        yield path.read_bytes()


def _libraries() -> Iterator[bytes]:
    for name in LIBRARIES:
        try:
            yield f"{name} {metadata.version(name)}".encode()
        except metadata.PackageNotFoundError:
            yield name.encode()


def _told(argv: tuple[str, ...]) -> bytes:
    """Return what a program says, line by line in the order of the bytes."""
    program = shutil.which(argv[0])
    if program is None:
        return argv[0].encode()
    try:
        done = subprocess.run(
            [program, *argv[1:]],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupFailed(f"{argv[0]} does not tell its version: {error}") from None
    return b"\n".join(sorted((done.stdout or done.stderr).splitlines()))
