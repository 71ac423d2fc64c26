"""The command of `--between`: the shell runs it before each attempt, and it must succeed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress

from collectors.jev_social.signals import Stop

LONGEST_S = 600
GRACE_S = 1.0


def restarted(command: str, stop: Stop) -> bool:
    """Run the command and return whether it succeeded.

    What it says is thrown away: it may hold anything. What it leaves running, such as a browser,
    runs on, unless the command itself had to be ended, after 10 minutes or because of a signal.
    """
    shell = subprocess.Popen(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + LONGEST_S
    while shell.poll() is None:
        if stop.requested or time.monotonic() > deadline:
            _end(shell)
            return False
        time.sleep(0.02)
    return shell.returncode == 0


def _end(shell: subprocess.Popen[bytes]) -> None:
    """End the command and what it started: SIGTERM, and SIGKILL to what is there a second later."""
    with suppress(ProcessLookupError):
        os.killpg(shell.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            shell.wait(GRACE_S)
        os.killpg(shell.pid, signal.SIGKILL)
    shell.wait()
