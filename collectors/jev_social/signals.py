"""Signals to stop: the first ends the attempt with a row, a second one of its kind the process."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Self

HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Hears signals while it is entered, in the main thread; `requested` says whether one came."""

    def __init__(self) -> None:
        self.requested = False
        self._heard: set[int] = set()
        self._before: dict[int, Any] = {}
        self._cancel: Callable[[], None] | None = None

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
        """End the attempt that runs, and any later one, as a signal does; from any thread."""
        self.requested = True
        self._end_attempt()

    @contextmanager
    def cancelling(self) -> Iterator[None]:
        """Let a request cancel the asyncio task that runs this body."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is None:
            raise RuntimeError("there is no task to cancel")

        def cancel() -> None:
            with suppress(RuntimeError):  # the loop is closed: too late to cancel anything
                loop.call_soon_threadsafe(task.cancel)

        self._cancel = cancel
        try:
            if self.requested:
                self._end_attempt()
            yield
        finally:
            self._cancel = None

    def _end_attempt(self) -> None:
        """Cancel once: a second time would end the ending."""
        cancel, self._cancel = self._cancel, None
        if cancel:
            cancel()

    def _hear(self, number: int, _: FrameType | None) -> None:
        if number in self._heard:
            # what runs is ended by its watcher
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self._heard.add(number)
        self.request()
