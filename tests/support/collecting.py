"""Running the Jev Social collector with the flags of a small task."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.support.command import Done, run, start
from tests.support.socai_stand_in import VERSION

PINS = {
    "--jev-social-version": "0.1.13",
    "--jev-social-commit": "abcdef0123456789abcdef0123456789abcdef01",
    "--jev-model": "typesafe/jev-1.13-20260917",
    "--socai-version": VERSION,
    "--socai-commit": "0123456789abcdef0123456789abcdef01234567",
    "--profile-mode": "existing",
    "--region": "synthetic-lab",
    "--condition": "warm",
}
STAGE = re.compile(r"\[benchmark\] [a-z][a-z0-9_]{0,31}")
TASK = {
    "task_id": "3f0c8f0e-5f6b-4a4e-9a3d-0c5b1d2e7f60",
    "platform": "tiktok",
    "goal": "Search TikTok for kiln repair and download one video",
    "result_limit": 4,
    "max_steps": 4,
}


def written_task(folder: Path, **changes: Any) -> Path:
    """Write a task of a few steps and return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "task.json"
    file.write_text(json.dumps(TASK | changes), "utf-8")
    return file


def flags(task: Path, changes: Mapping[str, str | None] | None = None) -> list[str]:
    """Return the arguments; `changes` add and replace flags, None leaves one out."""
    given = {"--task": str(task), **PINS, **(changes or {})}
    return [text for flag, value in given.items() if value is not None for text in (flag, value)]


def started(
    variables: Mapping[str, str], *arguments: str | Path, **options: Any
) -> subprocess.Popen[bytes]:
    """Start `benchdata collect jev-social` as a process, for what only a process can go through."""
    return start("collect", "jev-social", *arguments, env=os.environ | variables, **options)


def collected(variables: Mapping[str, str], *arguments: str | Path) -> Done:
    """Run `benchdata collect jev-social` in this process."""
    with patch.dict(os.environ, variables):
        return run("collect", "jev-social", *arguments)


def wait_until(holds: Callable[[], bool], seconds: float = 30) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not become true"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Tell whether a process runs: one that has ended and is not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def in_groups(groups: Collection[int]) -> list[int]:
    """Return the processes that run in any of some process groups."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "stat").read_text("utf-8").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if words[0] != "Z" and int(words[2]) in groups:
            found.append(int(process.name))
    return found


def stages(done: Done) -> list[str]:
    """Return the stages; there must be nothing else on stderr."""
    lines = done.err.splitlines()
    assert all(STAGE.fullmatch(line) for line in lines), done.err
    return [line.removeprefix("[benchmark] ") for line in lines]


def said(done: Done) -> list[str]:
    """Return what a series says, without the stages of its attempts."""
    lines = [line.removeprefix("[benchmark] ") for line in done.err.splitlines()]
    return [line for line in lines if " " in line]
