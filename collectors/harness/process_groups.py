"""Process groups: every program that is started leads one, and none outlives this process."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

GRACE_S = 1.0
"""From SIGTERM to SIGKILL."""
# The pipe to it ends with this process, however that is killed; a second line says all is well.
WATCHER = """
read -r group && ! read -r _ && kill -s TERM -- "-$group" && sleep 1 && kill -s KILL -- "-$group"
"""


@contextmanager
def started(
    argv: Sequence[str], environment: Mapping[str, str], **streams: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program with standard input closed; when this process ends in the body, it ends too.

    What runs on when the body ends is not touched.

    Raises:
        OSError, ValueError: It cannot be started.
    """
    with _watcher() as watcher:
        process = subprocess.Popen(
            argv, env=environment, stdin=subprocess.DEVNULL, start_new_session=True, **streams
        )
        _tell(watcher, f"{process.pid}\n")
        try:
            yield process
        finally:
            _tell(watcher, "\n")


async def end(process: subprocess.Popen[bytes]) -> None:
    """End a group: SIGTERM, and SIGKILL to what is there a second later; at once when cancelled."""
    try:
        for number in (signal.SIGTERM, signal.SIGKILL):
            if not _signal(process.pid, number):
                break
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE_S):
                    # killed members that nobody collects are there for ever: only the first matters
                    while process.poll() is None or (
                        number == signal.SIGTERM and _signal(process.pid, 0)
                    ):
                        await asyncio.sleep(0.01)
    finally:
        if process.poll() is None or _signal(process.pid, 0):
            _signal(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def _watcher() -> Iterator[subprocess.Popen[bytes]]:
    """Start what ends a group that this process can no longer end itself."""
    with subprocess.Popen(
        ["/bin/sh", "-c", WATCHER],
        env={"PATH": os.defpath},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        bufsize=0,
    ) as watcher:
        yield watcher


def _tell(watcher: subprocess.Popen[bytes], line: str) -> None:
    """Write a line to the watcher; one that somebody has ended cannot be told anything."""
    with suppress(BrokenPipeError):
        assert watcher.stdin is not None
        watcher.stdin.write(line.encode())


def _signal(group: int, number: int) -> bool:
    """Send a signal to a group and return whether there is one."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
