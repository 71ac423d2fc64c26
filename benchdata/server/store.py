"""The file of accepted rows: written and synced by one thread, for all that wait at once."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from benchdata.contracts.shared_result import SHARED_RESULT
from benchdata.errors import InputError
from benchdata.rows.strict_json import encode
from benchdata.rows.writing import appended, appending, write_line
from benchdata.server.standings import Tally

FILE = "shared-results.ndjson"
MOST_WAITING = 1_024


class Full(Exception):
    """More rows wait to be written than may."""


class Waiting(NamedTuple):
    """A row that is not on disk yet, and what is told when it is."""

    row: Mapping[str, Any]
    done: asyncio.Future[None]


class Store:
    """Accepted rows on disk, and their `tally`. Made by `opened`; used in one event loop."""

    def __init__(self, file: int, tally: Tally) -> None:
        self.tally = tally
        self._file = file
        self._queue: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._waiting = 0

    async def keep(self, row: Mapping[str, Any]) -> None:
        """Return when the row is on disk.

        Raises:
            Full: Too many rows wait; this one was not taken.
            OSError: It could not be written; the file is as it was.
        """
        if self._waiting >= MOST_WAITING:
            raise Full
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting += 1
        self._queue.put(Waiting(row, done))
        await done

    def write(self) -> None:
        """Write what comes until `end` was called and nothing is left."""
        ended = False
        while not ended:
            taken = [self._queue.get()]
            with suppress(queue.Empty):
                while True:
                    taken.append(self._queue.get_nowait())
            ended = None in taken
            if batch := [each for each in taken if each]:
                self._commit(batch)

    def end(self) -> None:
        """Let `write` return once all that wait are written."""
        self._queue.put(None)

    def _commit(self, batch: list[Waiting]) -> None:
        fault = None
        try:
            write_line(self._file, b"".join(encode(dict(each.row)) for each in batch))
        except OSError as error:
            fault = error
        # a loop that has ended has nobody left to tell
        with suppress(RuntimeError):
            batch[0].done.get_loop().call_soon_threadsafe(self._settle, batch, fault)

    def _settle(self, batch: list[Waiting], fault: OSError | None) -> None:
        """Tell all of a batch how it went; runs in the event loop."""
        self._waiting -= len(batch)
        for row, done in batch:
            if not fault:
                self.tally.add(row)
            if done.done():  # its request was given up
                continue
            if fault:
                done.set_exception(fault)
            else:
                done.set_result(None)


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    """Yield the store of a folder, which is made if it is not there; no other process may have it.

    Raises:
        InputError: Another server has it, or the folder cannot be used.
        RowError: A line of its file is no row of the contract; `line` tells which.
    """
    file = folder / FILE
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with ExitStack() as held:
        try:
            descriptor = held.enter_context(appending(file, wait=False))
        except BlockingIOError:
            raise InputError(
                f"{file}: another server writes it; end that one, or name another folder"
            ) from None
        tally = Tally()
        for row in appended(file, SHARED_RESULT):
            tally.add(row)
        store = Store(descriptor, tally)
        writer = threading.Thread(target=store.write, name="store")
        writer.start()
        try:
            yield store
        finally:
            store.end()
            writer.join()
