"""What the sandbox of a run let its agent see and reach, written down beside it."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path

from collectors.harness.sandbox.provider import Room, SandboxProvider


def write(path: Path, sandbox: SandboxProvider, room: Room, hosts: Collection[str]) -> None:
    """Write it into a new file: paths are this machine's, so it stays where the run was made.

    `hosts` are those to which the proxy lets the agent.
    """
    profile = {
        "sandbox": sandbox.name,
        "weakness": sandbox.weakness,
        "starts_in": sandbox.inside(room, room.work),
        "readable": [str(each) for each in room.readable],
        "ports": sorted(room.ports),
        "hosts": sorted(hosts),
        "limits": asdict(room.limits),
        **sandbox.options(room),
    }
    with path.open("x", encoding="utf-8") as file:
        file.write(json.dumps(profile, indent=2) + "\n")
