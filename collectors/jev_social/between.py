"""The command of `--between`: the shell runs it before each attempt, and it must succeed."""

from __future__ import annotations

import asyncio
import os
import subprocess

from collectors.harness import process_groups
from collectors.jev_social.signals import Stop

LONGEST_S = 600
NOWHERE = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def restarted(command: str, stop: Stop) -> bool:
    """Run the command and return whether it succeeded.

    What it says is thrown away: it may hold anything. What it leaves running, such as a browser,
    runs on, unless the command itself had to be ended, after 10 minutes or because of a signal.
    """
    try:
        return asyncio.run(_code(command, stop)) == 0
    except (OSError, asyncio.CancelledError):  # a TimeoutError is an OSError
        return False


async def _code(command: str, stop: Stop) -> int:
    shell = ("/bin/sh", "-c", command)
    with stop.cancelling(), process_groups.started(shell, os.environ, **NOWHERE) as process:
        try:
            async with asyncio.timeout(LONGEST_S):
                while process.poll() is None:
                    await asyncio.sleep(0.02)
        finally:
            if process.poll() is None:
                await process_groups.end(process)
    return process.returncode
