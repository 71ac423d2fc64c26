"""Which sandbox this machine can give: found out by running it."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from benchdata.errors import InputError, did_you_mean
from collectors.harness.failures import SetupFailed
from collectors.harness.sandbox.bubblewrap import Bubblewrap
from collectors.harness.sandbox.provider import Room, SandboxProvider
from collectors.harness.sandbox.workspace import Workspace

NAMES = (Bubblewrap.name, Workspace.name)
PORT = 8080
SECONDS = 20.0


def choose(name: str | None = None) -> SandboxProvider:
    """Return the sandbox of this name; without a name the strongest that works here.

    Raises:
        InputError: There is no such sandbox.
        SetupFailed: It does not work on this machine.
    """
    if name is not None and name not in NAMES:
        raise InputError(
            f"sandbox: {name}: must be one of {', '.join(NAMES)}{did_you_mean(name, NAMES)}"
        )
    if name == Workspace.name:
        return Workspace("it was asked for")
    fault = bubblewrap_fault()
    if fault is None:
        return Bubblewrap()
    if name is not None:
        raise SetupFailed(fault)
    return Workspace(fault)


@cache
def bubblewrap_fault() -> str | None:
    """Run a program under bubblewrap, with a port open; return why that fails, if it does."""
    with tempfile.TemporaryDirectory(prefix="probe-") as place:
        agent = Path(place, "agent")
        Path(agent, "work").mkdir(parents=True)
        room = Room(agent, ports={PORT: Path(place, "nobody")})
        try:
            with Bubblewrap().start(
                ("/bin/sh", "-c", "exit 7"),
                {"PATH": os.defpath},
                room,
                stdin=b"",
                stdout=Path(place, "stdout"),
                stderr=Path(place, "stderr"),
            ) as running:
                code = running.wait(SECONDS)
        except SetupFailed as error:
            return str(error)
        if code != 7:
            said = Path(place, "stderr").read_text("utf-8", "replace").strip()
            return f"bubblewrap does not work here: {said or code}"
    return None
