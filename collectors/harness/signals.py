"""Signals to stop: the first ends what runs in good order, a second one of its kind the process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self

HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Hears signals while it is entered, in the main thread; `requested` says whether one came."""

    def __init__(self) -> None:
        self.requested = False
        self._heard: set[int] = set()
        self._before: dict[int, Any] = {}
        self._tell: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        for number in HEARD:
            # started under nohup, it outlives the terminal
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        while self._before:
            signal.signal(*self._before.popitem())

    def request(self) -> None:
        """End what runs, and anything later, as a signal does; from any thread."""
        self.requested = True
        self._end()

    @contextmanager
    def telling(self, tell: Callable[[], None]) -> Iterator[None]:
        """Call `tell` once when a request comes in this body, or came before it."""
        self._tell = tell
        try:
            if self.requested:
                self._end()
            yield
        finally:
            self._tell = None

    def _end(self) -> None:
        """Tell once: a second time would end the ending."""
        tell, self._tell = self._tell, None
        if tell:
            tell()

    def _hear(self, number: int, _: FrameType | None) -> None:
        if number in self._heard:
            # what runs is ended by its watcher
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self._heard.add(number)
        self.request()
