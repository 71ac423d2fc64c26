"""Reports made as a user makes them: by the command, with a home, a folder and settings of theirs.

Every name is made up, so that whatever of it gets into a report is found there; and everything that
could get between a report and its kernel lies in the way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.command import Done, ended

COMMAND = Path(sys.executable).with_name("benchdata")
STARTUP = "import os; os._exit(7)\n"
KERNEL = {"argv": ["/bin/false"], "display_name": "Mine", "language": "python"}


class User:
    """Someone with an account: `home` and `work` lie below `folder`, both of the user's name."""

    def __init__(self, folder: Path, name: str, **environment: str) -> None:
        self.name = name
        self.home = folder / f"home-of-{name}"
        self.work = folder / f"work-of-{name}"
        self.environment = {"TZ": "UTC"} | environment
        self.work.mkdir(parents=True)
        # what a cell that says `import polars` must not find
        (self.work / "polars.py").write_text(
            "raise ImportError('the folder is no package')", "utf-8"
        )
        startup = self.home / ".ipython" / "profile_default" / "startup" / "00-mine.py"
        kernel = self.home / ".local" / "share" / "jupyter" / "kernels" / "python3" / "kernel.json"
        for file, text in ((startup, STARTUP), (kernel, json.dumps(KERNEL))):
            file.parent.mkdir(parents=True)
            file.write_text(text, "utf-8")

    def start(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        """Start a command in the user's folder."""
        environment: Mapping[str, str] = os.environ | {
            "HOME": str(self.home),
            "USER": self.name,
            "LOGNAME": self.name,
            "PYTHONSTARTUP": str(self.home / ".ipython/profile_default/startup/00-mine.py"),
            **self.environment,
        }
        return subprocess.Popen(
            [str(COMMAND), *map(str, arguments)],
            cwd=self.work,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *arguments: str | Path) -> Done:
        """Run a command in the user's folder."""
        return ended(self.start(*arguments))

    def report(self, *arguments: str | Path) -> Path:
        """Make a report in the user's folder and return where it lies."""
        done = self.run("report", *arguments, "--out", "out")
        assert done.code == 0, done
        return self.work / done.out.removesuffix("\n")


def files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file of a report by its name."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
