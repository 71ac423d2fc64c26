"""Control groups that hold a tree's memory and processes, where this machine lets us make them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from collectors.harness.sandbox.provider import Limits

CONTROLLERS = ("memory", "pids")
FILES = {
    ("memory", 1): "memory.limit_in_bytes",
    ("memory", 2): "memory.max",
    ("pids", 1): "pids.max",
    ("pids", 2): "pids.max",
}
"""The file that holds a controller's limit, by the version of the hierarchy."""
NUMBERS = itertools.count()


def groups(limits: Limits) -> tuple[tuple[Path, Mapping[str, str]], ...]:
    """Return new groups, not made yet: their folders and their settings by file name."""
    values = {"memory": limits.memory_bytes, "pids": limits.processes}
    name = f"benchdata-{os.getpid()}-{next(NUMBERS)}"
    settings: dict[Path, dict[str, str]] = {}
    for controller, (place, file) in places().items():
        settings.setdefault(place / name, {})[file] = str(values[controller])
    return tuple(settings.items())


def unbounded(*bounded: str) -> str | None:
    """Say what no group can bound on this machine, but for what is `bounded` otherwise."""
    words = {"memory": "memory", "pids": "the number of processes"}
    missing = [words[each] for each in words.keys() - places().keys() - set(bounded)]
    return f"{' and '.join(sorted(missing))} not bounded (no control group)" if missing else None


@cache
def places() -> Mapping[str, tuple[Path, str]]:
    """Return the controllers that work here, each with the folder for groups and the limit's file.

    A group is made below the one that this process is in (version 1) or beside it (version 2, where
    a group with processes has no controlled groups below), so it never escapes from a limit that
    was set around this process.
    """
    found: dict[str, tuple[Path, str]] = {}
    for controllers, place, version in _candidates():
        for controller in controllers:
            file = FILES[controller, version]
            if controller not in found and _works(place, file):
                found[controller] = place, file
    return found


def _candidates() -> Iterator[tuple[tuple[str, ...], Path, int]]:
    """Give folders where groups could be made, with the controllers and the version of each."""
    own: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(","), path)
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, options, *_ = line.split()
        if kind == "cgroup":
            for controller in set(CONTROLLERS) & set(options.split(",")):
                yield (controller,), _below(mount, own[controller]), 1
        elif kind == "cgroup2":
            yield CONTROLLERS, _below(mount, str(Path(own[""]).parent)), 2


def _below(mount: str, path: str) -> Path:
    return Path(mount) / path.lstrip("/")


def _works(place: Path, file: str) -> bool:
    """Tell whether a group with this limit can be made, entered and removed again."""
    probe = place / f"benchdata-{os.getpid()}-probe"
    works = False
    with suppress(OSError):
        probe.mkdir()
        works = os.access(probe / file, os.W_OK) and _may_move(place, probe)
    with suppress(OSError):
        probe.rmdir()
    return works


def _may_move(place: Path, probe: Path) -> bool:
    """Tell whether a process may be moved into the group; version 2 asks at `place` too."""
    return all(os.access(folder / "cgroup.procs", os.W_OK) for folder in (place, probe))
