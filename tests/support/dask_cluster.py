"""A Dask cluster of this machine: a scheduler and workers, each a process that a test may kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.collecting import wait_until
from tests.support.command import ROOT

HERE = "127.0.0.1"
START_S = 120.0


@dataclass
class DaskCluster:
    """What runs; a process that was killed may have been followed by another."""

    folder: Path
    host: str
    held: ExitStack
    scheduler: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        """Start the scheduler."""
        options = ("--port", "0", "--scheduler-file", self._file)
        self.scheduler = self._start("scheduler", "--host", self.host, *options)
        wait_until(lambda: bool(self.address), START_S)

    @property
    def _file(self) -> Path:
        return self.folder / "scheduler.json"

    @property
    def address(self) -> str:
        """Where the scheduler is found."""
        with suppress(OSError, ValueError):
            return str(json.loads(self._file.read_bytes())["address"])
        return ""

    def worker(self, *, exposed: bool = False, **environment: str) -> subprocess.Popen[bytes]:
        """Start a worker of one thread with some variables besides; it need not be there yet.

        One that is exposed listens to other machines too.
        """
        alone = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0")
        local = ("--local-directory", self.folder / "local")
        host = () if exposed else ("--host", HERE)
        port = self.address.rpartition(":")[2]
        return self._start("worker", *alone, *local, *host, f"{HERE}:{port}", **environment)

    def _start(
        self, what: str, *arguments: str | Path, **environment: str
    ) -> subprocess.Popen[bytes]:
        program = [sys.executable, "-m", f"distributed.cli.dask_{what}"]
        program += ["--no-dashboard", *map(str, arguments)]
        with (self.folder / f"{what}.log").open("ab") as log:
            process = subprocess.Popen(program, cwd=ROOT, env=os.environ | environment, stderr=log)
        self.held.callback(_end, process)
        return process


@contextmanager
def dask_cluster(folder: Path, host: str = HERE) -> Iterator[DaskCluster]:
    """Give a cluster without workers, whose scheduler listens at `host`."""
    folder.mkdir()
    with ExitStack() as held:
        yield DaskCluster(folder, host, held)


@contextmanager
def in_process(workers: int) -> Iterator[str]:
    """Give the address of a cluster in this process, each worker with one thread."""
    import distributed

    settings: dict[str, Any] = {"processes": False, "protocol": "tcp", "dashboard_address": ":0"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a busy machine took long to start it
        cluster = distributed.LocalCluster(workers, threads_per_worker=1, **settings)
    with cluster:
        yield cluster.scheduler_address


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
