"""Ends a command at random moments of its life, as SIGKILL and the loss of a machine do."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

Start = Callable[[int], "subprocess.Popen[bytes]"]
"""Starts the command for the n-th time, n from 0."""
SEED = 20261201
FIRST = 0.4  # of a whole run: before that nothing but imports happens
LAST = 1.1


@dataclass
class Kills:
    """How many runs the signal ended, and how many had come to their end before it."""

    killed: int = 0
    ended: int = 0


def kill_again_and_again(start: Start, times: int, holds: Callable[[], None]) -> Kills:
    """Start a command until `times` runs of it were killed; after each, what must hold is checked.

    The first run is let be, to learn how long one takes: every other is killed at a random moment
    of that time.
    """
    draw, number, kills = random.Random(SEED), 1, Kills()
    began = time.monotonic()
    _, said = start(0).communicate(timeout=300)
    took = time.monotonic() - began
    holds()
    while kills.killed < times:
        assert kills.ended <= 3 * times + 10, "the command ends before it can be killed"
        process = start(number)
        time.sleep(draw.uniform(FIRST, LAST) * took)
        process.kill()
        _, said = process.communicate(timeout=60)
        assert process.returncode in {0, -signal.SIGKILL}, said.decode()
        assert b"Traceback" not in said
        kills.killed += process.returncode != 0
        kills.ended += process.returncode == 0
        number += 1
        holds()
    return kills
