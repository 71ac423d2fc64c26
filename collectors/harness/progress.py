"""Lines on standard error that tell how far a schedule is and about how long it will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress

from benchdata.errors import printable

MINUTE_S, HOUR_S = 60, 3600


def tell(line: str) -> None:
    """Write a line; a standard error that is missing, closed or full stops nothing."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"{printable(line)}\n")
        sys.stderr.flush()


def span(seconds: float) -> str:
    """Return a duration as a reader says it: `45 s`, `12 min`, `1 h 5 min`."""
    if round(seconds) < MINUTE_S:
        return f"{round(seconds)} s"
    minutes = round(seconds / MINUTE_S)
    if minutes < HOUR_S // MINUTE_S:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, HOUR_S // MINUTE_S)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


class Progress:
    """Says each thing that happens, after the `name` of the benchmark in brackets."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._begun: dict[str, float] = {}
        self._spent = 0.0
        self._ended = 0

    def __call__(self, text: str) -> None:
        """Say one thing."""
        tell(f"[{self._name}] {text}")

    def begin(self, run_id: str) -> None:
        """Note that an attempt begins."""
        self._begun[run_id] = self._clock()

    def end(self, run_id: str) -> float:
        """Note that an attempt ended and return how many seconds it took."""
        took = self._clock() - self._begun.pop(run_id)
        self._spent += took
        self._ended += 1
        return took

    def remaining_s(self, attempts: int, at_once: int) -> float | None:
        """Return about how many seconds `attempts`, those under way among them, will yet take.

        The mean duration is all time spent, on ended attempts and on those under way, by the number
        that ended. Taking the ended ones alone would promise too little, since short attempts end
        first. None before the first end.

        Source: the total time on test of life testing (Epstein and Sobel 1953, J. Am. Stat. Assoc.
        48, 486–502).
        """
        if not self._ended:
            return None
        now = self._clock()
        spent = self._spent + sum(now - begun for begun in self._begun.values())
        return spent / self._ended * attempts / max(1, min(at_once, attempts))
