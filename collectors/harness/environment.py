"""The environment of an agent process: built from nothing, so nothing of the caller's gets in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from collectors.harness.folders import RunFolder

FIXED = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "NO_COLOR": "1",
    "TERM": "dumb",
}
"""The same on every machine."""


def scrubbed(folder: RunFolder, inside: Callable[[Path], str]) -> dict[str, str]:
    """Return what every agent program gets; a driver adds its own settings and the placeholder.

    `inside` turns a path under `folder.agent` into the path that the agent sees.
    """
    return FIXED | {"HOME": inside(folder.home), "TMPDIR": inside(folder.tmp)}
