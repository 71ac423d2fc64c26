"""Programs of the machine that read what an artefact holds."""

from __future__ import annotations

import subprocess
from pathlib import Path

from collectors.skill_eval.renderers.confined.order import Unable, patience


def run(*argv: str | Path, seconds: int, cwd: Path) -> bytes:
    """Run a program and return what it printed; its exit code proves nothing and is not looked at.

    When it takes longer than it may, that is the answer to the whole order: what it has started
    itself could hold its output open, and goes with this process.

    Raises:
        Unable: It is not there.
    """
    name = argv[0]
    with patience(seconds, f"{name} did not read the file"):
        try:
            done = subprocess.run(
                [str(each) for each in argv],
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        except OSError as error:
            raise Unable(f"{name} cannot be started: {error.strerror}") from None
    return done.stdout
