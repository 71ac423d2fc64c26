"""What runs on a worker of a Dask cluster: its examination, and an attempt that can be recalled."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from benchdata.errors import BenchdataError
from collectors.harness.attempt import Setting
from collectors.harness.billing import LOOPBACK, Payer
from collectors.harness.running import Execute, Halt
from collectors.harness.sandbox import probe
from collectors.harness.schedule import Attempt, Cell

if TYPE_CHECKING:
    from dask.typing import Key
    from distributed import Worker

ENDING = ("stopping", "stopped", "closing", "closed", "failed")
"""How a worker is that ends, such as one without a scheduler."""


def exposed(place: str, payer: Payer) -> str | None:
    """Say what is wrong with an address where somebody pays and others can run programs."""
    url = urlsplit(place)
    if not payer.source or url.scheme == "tls" or LOOPBACK.fullmatch(url.hostname or ""):
        return None
    return (
        f"is at {place}: whoever reaches it could take the credential of the workers;"
        " use tls://, or a cluster of this machine with --host 127.0.0.1"
    )


@dataclass(frozen=True, slots=True)
class Needs:
    """What a worker is examined for; it must find `text` in the file `seen`."""

    seen: Path
    text: str
    setting: Setting
    agent_version: str
    paths: tuple[Path, ...]

    def fault(self) -> str | None:
        """Say what this machine lacks, if it does."""
        driver, found = self.setting.driver, None
        with suppress(OSError):
            found = self.seen.read_text("utf-8")
        if found != self.text:
            return f"does not see {self.seen.parent}: the folder must be on a disk that all share"
        if lacking := [path for path in self.paths if not path.exists()]:
            return f"has no {lacking[0]}"
        if (there := driver.version()) != self.agent_version:
            return f"has {driver.name} {there} and not {self.agent_version}"
        probe.choose(self.setting.sandbox.name)  # only for what it raises where that does not work
        return None


def examined(needs: bytes) -> str | None:
    """Say on a worker why that is not fit, if it is not."""
    from distributed import get_worker

    try:
        found: Needs = pickle.loads(needs)  # a payer takes up the credential that is here
        places = [one.listen_address for one in get_worker().listeners]
        faults = (exposed(place, found.setting.payer) for place in places)
        return next(filter(None, faults), None) or found.fault()
    except BenchdataError as error:
        return str(error)


@dataclass(frozen=True, slots=True)
class Recall(Halt):
    """The halt of an attempt on a worker: also when nobody waits for its row any more."""

    worker: Worker
    task: Key

    def __call__(self) -> bool:
        """Tell whether the attempt is to end now."""
        task = self.worker.state.tasks.get(self.task)
        waited_for = task is not None and task.state == "executing"
        ends = self.worker.status.name in ENDING
        # by name: super() means the class from before `slots` made another one of it
        return not waited_for or ends or Halt.__call__(self)


def execute(make: bytes, cell: Cell, attempt: Attempt, halt: Halt) -> Mapping[str, Any]:
    """Make an attempt on a worker, by an `Execute` in bytes."""
    from distributed import get_worker

    worker, execution = get_worker(), cast("Execute", pickle.loads(make))
    return execution(cell, attempt, Recall(halt.file, worker, worker.get_current_task()))
