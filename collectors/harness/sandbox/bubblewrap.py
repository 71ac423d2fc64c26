"""The sandbox of bubblewrap: its own namespaces for everything, no network but given ports."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import benchdata
from benchdata.contracts.grammar import Sandbox
from collectors.harness.descriptors import memory_file
from collectors.harness.failures import SetupFailed
from collectors.harness.processes import Running
from collectors.harness.program import Program
from collectors.harness.sandbox import seccomp
from collectors.harness.sandbox.groups import groups, unbounded
from collectors.harness.sandbox.provider import Room
from collectors.harness.sandbox.rlimits import rlimits

PROGRAM = "bwrap"
AGENT = "/agent"
"""Where a program sees the agent's folder."""
ALONE = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"),
    *("--new-session", "--hostname", "agent", "--uid", "1000", "--gid", "1000"),
    *("--cap-drop", "ALL"),
)
MERGED = ("bin", "sbin", "lib", "lib32", "lib64")
"""Names at the top that are links into `/usr`, or folders on older systems."""
ETC = (
    *("alternatives", "ssl/certs", "ssl/openssl.cnf", "ca-certificates"),
    *("ld.so.cache", "fonts", "mime.types"),
    *("chromium.d", "libreoffice"),  # neither program starts without its settings
)
"""Without `ssl/private`: started by root, the program may read what root may read."""
WRITTEN = {
    "passwd": "root:x:0:0::/nonexistent:/bin/false\nagent:x:1000:1000::/agent/home:/bin/sh\n",
    "group": "root:x:0:\nagent:x:1000:\n",
    "hosts": "127.0.0.1 localhost agent\n",
}
"""Files of `/etc` that tell of users and networks, and so must not be this machine's."""
OWN = (Path(benchdata.__file__).parent, Path(__file__).parents[2])
"""This project's code, which holds graders and probes: hidden where it lies in what is shown."""
SCRATCH_BYTES = 256 * 1024**2
"""The size of `/tmp` and of `/dev/shm`, which lie in memory."""
SCRATCH = ("/tmp", "/dev/shm")
LOCKED = ("/", "/proc", "/dev")
"""Mounts that are made read-only last. Started by root, the program owns what root owns: without
this it could set the kernel's parameters in `/proc/sys` (the supervisor does as much for the
devices, which bubblewrap cannot make read-only)."""


class Bubblewrap:
    """Confines a program with bubblewrap (Debian package `bubblewrap`)."""

    name: Sandbox = "bubblewrap"
    isolated = True

    @property
    def weakness(self) -> str | None:
        """What it does not hold: limits, where no control groups can be made."""
        return unbounded() if os.geteuid() == 0 else unbounded("pids")

    def inside(self, room: Room, path: Path) -> str:
        """Return the path by which the program sees something in `room.agent`."""
        return _inside(room, path)

    def options(self, room: Room) -> Mapping[str, Any]:
        """Return what bubblewrap is told, the digest of the filter of calls, and the bounds."""
        texts = {f"/etc/{name}": text for name, text in WRITTEN.items()}
        seen = _seen(room, dict.fromkeys(texts, 0))
        return {
            "bubblewrap": [*ALONE, *(part for option in seen for part in option)],
            "texts": texts,
            "seccomp": hashlib.sha256(seccomp.program()).hexdigest(),
            "rlimits": dict(rlimits(room.limits)),
            "groups": {str(folder.parent): dict(held) for folder, held in groups(room.limits)},
        }

    def start(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        room: Room,
        *,
        stdin: bytes,
        stdout: Path,
        stderr: Path,
    ) -> Running:
        """Start a program in a room; what it prints is appended to two files.

        Raises:
            SetupFailed: It cannot be started.
        """
        bubblewrap = shutil.which(PROGRAM)
        if bubblewrap is None:
            raise SetupFailed("bubblewrap is not installed (Debian package `bubblewrap`)")
        with ExitStack() as files:
            texts = {
                f"/etc/{name}": memory_file(text.encode(), files) for name, text in WRITTEN.items()
            }
            seen = [option for each in _seen(room, texts) for option in each]
            filtered = memory_file(seccomp.program(), files)
            start = ("--chdir", self.inside(room, room.work), "--seccomp", str(filtered), "--")
            program = Program(
                argv=(bubblewrap, *ALONE, *seen, *start, *argv),
                environment=environment,
                folder=room.agent,
                most_output=room.limits.output_bytes,
                rlimits=rlimits(room.limits),
                groups=groups(room.limits),
                isolated=True,
                processes=room.limits.processes if os.geteuid() else None,
                ports=room.ports,
                files=(*texts.values(), filtered),
            )
            return Running(program, stdin=stdin, stdout=stdout, stderr=stderr)


def _seen(room: Room, texts: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Give the options that build the program's view of the file system, in their order."""
    yield "--ro-bind", "/usr", "/usr"
    for name in MERGED:
        top = Path("/", name)
        if top.is_symlink():
            yield "--symlink", str(top.readlink()), str(top)
        else:
            yield "--ro-bind-try", str(top), str(top)
    for name in ETC:
        yield "--ro-bind-try", f"/etc/{name}", f"/etc/{name}"
    for path, file in texts.items():
        yield "--ro-bind-data", str(file), path
    yield "--proc", "/proc", "--dev", "/dev"
    for scratch in SCRATCH:
        yield "--size", str(SCRATCH_BYTES), "--tmpfs", scratch
    yield "--bind", str(room.agent), AGENT
    yield from _shown(room)
    for mount in LOCKED:
        yield "--remount-ro", mount


def _shown(room: Room) -> Iterator[tuple[str, ...]]:
    """Give the options for what may be read; of this project's code only what is asked for."""
    holding = [path for path in room.readable if any(own.is_relative_to(path) for own in OWN)]
    for path in holding:
        yield "--ro-bind", str(path), str(path)
    for own in OWN:
        if any(own.is_relative_to(path) for path in (Path("/usr"), *holding)):
            yield "--tmpfs", str(own)
    for path in room.readable:
        if path not in holding:
            within = path.is_relative_to(room.agent)
            yield "--ro-bind", str(path), _inside(room, path) if within else str(path)


def _inside(room: Room, path: Path) -> str:
    return str(AGENT / path.relative_to(room.agent))
