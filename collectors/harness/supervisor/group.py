"""One control group that holds a tree."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


class Group:
    """A control group in `folder`, with `settings` by the name of their file."""

    def __init__(self, folder: str, settings: Mapping[str, str]) -> None:
        self.folder = Path(folder)
        self.settings = settings

    def make(self) -> None:
        """Make it and write its limits."""
        self.folder.mkdir()
        for name, value in self.settings.items():
            (self.folder / name).write_text(value)

    def enter(self) -> None:
        """Put the calling process into it."""
        (self.folder / "cgroup.procs").write_text("0")

    def forbid_forks(self) -> None:
        """Let nothing be started any more, or killing could lose a race against forking."""
        if "pids.max" in self.settings:
            with suppress(OSError):
                (self.folder / "pids.max").write_text("0")

    def remove(self) -> None:
        """Remove it where it is; the kernel takes a moment to see that it is empty."""
        for _ in range(100):
            if not self.folder.exists():
                return
            with suppress(OSError):
                self.folder.rmdir()
            time.sleep(0.001)
