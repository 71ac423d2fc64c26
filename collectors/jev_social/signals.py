"""Signals to stop: the first ends the attempt with a row, a second one of its kind the process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from collectors.harness import signals


class Stop(signals.Stop):
    """Hears signals while it is entered, in the main thread; `requested` says whether one came."""

    @contextmanager
    def cancelling(self) -> Iterator[None]:
        """Let a request cancel the asyncio task that runs this body."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is None:
            raise RuntimeError("there is no task to cancel")

        def cancel() -> None:
            with suppress(RuntimeError):  # the loop is closed: too late to cancel anything
                loop.call_soon_threadsafe(task.cancel)

        with self.telling(cancel):
            yield
