"""Benchmarks that run while the agent that asked for them does something else."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from typing import Literal

from benchdata.errors import BenchdataError, shorten
from collectors.harness import batches
from collectors.harness.progress import Progress
from collectors.harness.signals import Stop
from collectors.harness.stages import Account
from collectors.skill_eval import benchmark, sharing
from collectors.skill_eval.resolved import Resolved

END_S = 20.0
"""How long the end of what runs is waited for when the server ends."""

State = Literal["running", "finished", "stopped", "failed"]


class Watched(Progress):
    """Progress that also can be asked: `said` is its last line, `ended` counts attempts."""

    def __init__(self) -> None:
        super().__init__(benchmark.NAME)
        self.said = "starting"
        self.ended = 0

    def __call__(self, text: str) -> None:
        """Say one thing, and keep it."""
        self.said = text
        super().__call__(text)

    def end(self, run_id: str) -> float:
        """Note that an attempt ended and return how many seconds it took."""
        self.ended += 1
        return super().end(run_id)


class Run:
    """One benchmark in a thread of its own, from now on; its id is the name of its folder."""

    def __init__(self, resolved: Resolved, folder: Path, environment: Mapping[str, str]) -> None:
        self.id = folder.name
        self.folder = folder
        self.executions = resolved.plan().executions
        self.progress = Watched()
        self.account: Account | None = None
        self.fault = ""
        self.unshared: str | None = None
        self._resolved = resolved
        self._environment = environment
        self._stop = Stop()
        self._thread = Thread(target=self._go, name=self.id, daemon=True)
        self._thread.start()

    @property
    def state(self) -> State:
        """How far it is."""
        if self._thread.is_alive():
            return "running"
        if self.fault:
            return "failed"
        return "stopped" if self._stop.requested else "finished"

    def end(self) -> None:
        """End what runs in good order; its rows are kept."""
        self._stop.request()
        self._thread.join(END_S)

    def _go(self) -> None:
        try:
            account = benchmark.execute(
                self._resolved, self.folder, stop=self._stop, progress=self.progress
            )
            if account.done == account.cells:
                rows = benchmark.dataset(self.folder)
                self.unshared = sharing.share(rows, self._environment)
            self.account = account
        except BenchdataError as error:
            self.fault = str(error)
        except Exception as error:  # noqa: BLE001 -- in a thread; whoever asks is told
            self.fault = f"the benchmark broke: {shorten(repr(error))}"


class Runs:
    """The benchmarks that this server has begun, and by their folders those of earlier ones."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._runs: dict[str, Run] = {}

    def begin(self, resolved: Resolved) -> Run:
        """Begin a benchmark in a new private folder."""
        folder = batches.new_folder(self._environment, benchmark.KIND)
        run = Run(resolved, folder, self._environment)
        self._runs[run.id] = run
        return run

    def find(self, run_id: str) -> Run | Path:
        """Return a benchmark of this server, or the folder of an earlier one.

        Raises:
            BenchdataError: There is none of this id.
        """
        if run := self._runs.get(run_id):
            return run
        try:
            name = str(uuid.UUID(run_id))  # and nothing that leads out of the folder
        except ValueError:
            name = ""
        folder = batches.new_folder(self._environment, benchmark.KIND).with_name(name or "-")
        if name and folder.is_dir():
            return folder
        raise BenchdataError(f"run_id: no benchmark has the id {shorten(run_id, 60)}")

    def end(self) -> None:
        """End all that run."""
        for run in self._runs.values():
            run.end()
