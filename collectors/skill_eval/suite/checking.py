"""A task's `check.py`: run confined on a copy of what an agent left, for one yes or no."""

from __future__ import annotations

import hashlib
import sys
import tempfile
from pathlib import Path

from benchdata.errors import BenchdataError, shorten
from collectors.harness import documents, folders, trees
from collectors.harness.environment import scrubbed
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from collectors.harness.processes import last_line
from collectors.harness.sandbox import probe
from collectors.harness.sandbox.provider import Limits, Room
from collectors.skill_eval.graders.grade import GradingFailed

CALL = "check(artefact)"
"""What `check.py` defines; `artefact` is the path of the folder that the agent left."""
LIMIT_S = 60.0
LIMITS = Limits(
    memory_bytes=1024**3, processes=64, file_bytes=64 * 1024**2, output_bytes=256 * 1024
)
RUNNER, TOOLS = (Path(__file__).with_name(name) for name in ("check_runner.py", "artefacts.py"))
PYTHON = Path(sys.executable).resolve()
ANSWERS = {b"true": True, b"false": False}
"""What the runner writes."""


def verdict(script: Path, artefact: Path, *, seconds: float = LIMIT_S) -> bool:
    """Return what `check(artefact)` of a script says: whether an artefact has what must be there.

    It sees a copy of the artefact, this Python's standard library and the programs of the machine,
    no network and nothing of this project. Where only the weaker sandbox works it is ended as
    surely, and confined no further.

    Raises:
        GradingFailed: The script failed, took too long, or returned anything but True or False, or
            the artefact cannot be copied.
        SetupFailed: There is no sandbox to run it in.
    """
    with tempfile.TemporaryDirectory(prefix="check-") as place:
        folder = folders.create(Path(place, "run"))
        try:
            trees.copy(artefact, folder.work)
            return _answered(script.resolve(), folder, seconds)
        except SetupFailed:
            raise
        except BenchdataError as error:
            raise GradingFailed(f"{script.name}: {error}") from None
        finally:
            folder.remove()


def digest(script: Path) -> str:
    """Return the SHA-256 of a script with what it is given to read artefacts with."""
    parts = (documents.content(path) for path in (script, TOOLS))
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def _answered(script: Path, folder: RunFolder, seconds: float) -> bool:
    """Run the script where the copy lies, and read its answer."""
    sandbox = probe.choose()
    room = Room(
        folder.agent, (script, RUNNER, TOOLS, Path(sys.base_prefix).resolve()), limits=LIMITS
    )
    with sandbox.start(
        (str(PYTHON), "-I", "-S", "-B", str(RUNNER), str(script)),
        scrubbed(folder, lambda path: sandbox.inside(room, path)),
        room,
        stdin=b"",
        stdout=folder.stdout,
        stderr=folder.stderr,
    ) as running:
        code = running.wait(seconds)
    if code is None:
        raise GradingFailed(f"checked for more than {seconds:g} s")
    if code != 0 or running.flooded:
        raise GradingFailed(f"failed: {shorten(last_line(folder.stderr))}")
    answer = ANSWERS.get(folder.stdout.read_bytes())
    if answer is None:
        raise GradingFailed(f"{CALL} must return True or False")
    return answer
