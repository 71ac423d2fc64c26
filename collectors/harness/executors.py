"""Attempts on many machines: an executor of `concurrent.futures` on the workers of a cluster."""

from __future__ import annotations

import pickle
import platform
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

from benchdata.errors import BenchdataError, shorten
from collectors.harness.workers import Needs, examined, execute

if TYPE_CHECKING:
    from dask.typing import Key
    from distributed import Client
    from distributed import Future as Task

T = TypeVar("T")

WORKER_S = 30.0
"""How long a worker is waited for where there is none: one that died may be started again."""
EXAMINED_S = 120.0
LOOK_S = 1.0
"""How often it is looked which workers are there."""
GONE = (AttributeError, OSError, RuntimeError)
"""What the client raises when its scheduler is gone: then it has none to ask."""
VERSIONS: Mapping[str, Callable[[], str]] = {
    "Python": platform.python_version,
    "benchdata": partial(version, "benchdata"),
    "distributed": partial(version, "distributed"),
}
"""What must be alike, by functions of Python itself: nothing else is sure to be on a worker."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An attempt under way: its worker, what stands for it in the cluster, and for our caller."""

    worker: str
    task: Task[Any]
    future: Future[Any]


class ClusterExecutor(Executor):
    """Executes attempts, each on one worker and never on a second one by itself.

    The future of an attempt raises CancelledError when its worker or the scheduler is gone.
    """

    def __init__(self, address: str, client: Client, needs: Needs) -> None:
        self._address = address
        self._client = client
        self._needs = needs
        self._fit: set[str] = set()
        self._placed: dict[Key, Placed] = {}
        self._ending = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="workers", daemon=True)
        self._watcher.start()

    def pick(self) -> str:
        """Return the worker that has the least to do for its threads, examined when it is new.

        Raises:
            BenchdataError: There is none, or one is not fit.
        """
        until = time.monotonic() + WORKER_S
        while not (threads := self._threads()):
            if time.monotonic() > until:
                raise BenchdataError(f"executor: {self._address} has no worker")
            time.sleep(LOOK_S / 5)
        for worker in sorted(threads.keys() - self._fit):
            self._examine(worker)
        # Of what is under way a copy, here and below: the client's thread takes out what ended.
        busy = Counter(placed.worker for placed in [*self._placed.values()])
        return min(sorted(threads), key=lambda one: busy[one] / max(1, threads[one]))

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Execute an attempt on one worker.

        Raises:
            BenchdataError: There is none, or one is not fit.
        """
        worker, future, made = self.pick(), Future[T](), _sealed(fn)
        task = self._client.submit(execute, made, *args, **kwargs, pure=False, workers=[worker])
        self._placed[task.key] = Placed(worker, task, future)
        task.add_done_callback(self._end)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Withdraw what is under way, which ends it, and look no more for workers."""
        self._ending.set()
        if wait:
            self._watcher.join()
        if cancel_futures or wait:
            for key in [*self._placed]:
                self._lose(key, "it was withdrawn")

    def _threads(self) -> Mapping[str, int]:
        """Return how many threads each worker has; none when the scheduler is gone."""
        with suppress(*GONE):
            found: Mapping[str, int] = self._client.nthreads()
            return found
        return {}

    def _examine(self, worker: str) -> None:
        """Raise BenchdataError when a worker is not fit."""
        for name, here in VERSIONS.items():
            if (there := self._asked(worker, here)) != here():
                raise BenchdataError(
                    f"executor: the worker {worker} has {name} {there}, and here it is {here()};"
                    " install the same everywhere"
                )
        if fault := self._asked(worker, examined, _sealed(self._needs)):
            raise BenchdataError(f"executor: the worker {worker} {fault}")
        self._fit.add(worker)

    def _asked(self, worker: str, question: Callable[..., T], *arguments: Any) -> T:
        """Return what a worker answers; BenchdataError when it does not."""
        task = self._client.submit(question, *arguments, pure=False, workers=[worker])
        try:
            answer: T = task.result(timeout=EXAMINED_S)
        except Exception as error:  # noqa: BLE001 -- of another machine, so it may be anything
            raise BenchdataError(
                f"executor: the worker {worker} cannot be examined: {shorten(repr(error))}"
            ) from None
        return answer

    def _end(self, task: Task[Any]) -> None:
        """Pass on the row of an attempt, or what it raised."""
        from distributed import KilledWorker

        row = fault = None
        try:
            row = task.result()
        except (CancelledError, KilledWorker):
            self._lose(task.key, "its worker or the scheduler is gone")
            return
        except Exception as error:  # noqa: BLE001 -- as any executor
            fault = error
        if placed := self._placed.pop(task.key, None):
            if fault is None:
                placed.future.set_result(row)
            else:
                placed.future.set_exception(fault)

    def _watch(self) -> None:
        """Lose the attempts of workers that are gone; the scheduler would wait for ever."""
        while not self._ending.wait(LOOK_S):
            there = self._threads()
            for key, placed in [*self._placed.items()]:
                if placed.worker not in there:
                    self._lose(key, f"the worker {placed.worker} is gone")

    def _lose(self, key: Key, why: str) -> None:
        """Withdraw an attempt and say that it is lost."""
        if placed := self._placed.pop(key, None):
            with suppress(*GONE):
                placed.task.cancel()
            placed.future.set_exception(CancelledError(why))


def _sealed(value: object) -> bytes:
    """Return what a worker alone opens.

    Dask unpickles arguments on the scheduler too, where a payer may find no credential.
    """
    return pickle.dumps(value)
