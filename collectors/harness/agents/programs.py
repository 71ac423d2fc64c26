"""Where an agent program lies, and which version it is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from collectors.harness.environment import FIXED
from collectors.harness.failures import SetupFailed

PINNED = Path(__file__).resolve().parents[3] / ".agents" / "node_modules" / ".bin"
"""Where `make agents` puts the versions that the tests run."""
VERSION = re.compile(r"\d+\.\d+\.\d+[A-Za-z0-9.+-]*")
ANSWER_S = 30.0


def find(name: str) -> Path:
    """Return the real place of the program `name` on PATH, else where `make agents` puts it.

    Raises:
        SetupFailed: It is in neither place.
    """
    places = os.pathsep.join((os.environ.get("PATH", os.defpath), str(PINNED)))
    found = shutil.which(name, path=places)
    if found is None:
        raise SetupFailed(f"{name}: not found on PATH; install it, or run `make agents`")
    return Path(found).resolve()


def version_of(program: Path, environment: Mapping[str, str] = FIXED) -> str:
    """Return the version that `program` names itself.

    Raises:
        SetupFailed: It cannot be started or names none.
    """
    try:
        said = subprocess.run(
            [program, "--version"],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ANSWER_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SetupFailed(f"{program.name}: --version: {type(error).__name__}") from None
    if found := VERSION.search(said.stdout.decode(errors="replace")):
        return found[0]
    raise SetupFailed(f"{program.name}: --version names no version")
