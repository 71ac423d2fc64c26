"""A batch: a stage in a private folder, with what was recorded of each run beside it.

It can be ended at any moment and gone on with. Only its rows ever leave the folder.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.contracts import Contract
from benchdata.errors import BenchdataError, counted
from collectors.harness import running, stage_file, stages, user_settings
from collectors.harness.cluster import Cluster
from collectors.harness.folders import PRIVATE, RunFolder
from collectors.harness.progress import Progress, tell
from collectors.harness.running import Execute
from collectors.harness.schedule import Attempt
from collectors.harness.signals import Stop
from collectors.harness.stage_file import Experiment, StageFile
from collectors.harness.stages import ROWS, Account, Stage

STAGE = "stage"
"""Where the stage of a batch lies, but for one whose folder is the stage itself."""
RUNS = ".runs"
"""Hidden, so that who reads the rows of a folder does not walk into it."""
JUDGE = "judge"
"""Where a run has the runs of the model that grades it."""


@dataclass(frozen=True, slots=True)
class Batch:
    """An experiment and the folder where it runs, which must lie in nothing that is `read`.

    `plan` is what is shown before, and `made` returns what makes an attempt of a stage. `inner` is
    where in the folder the stage lies, and `seed` that of the order: None draws one. Without a
    `cluster` attempts are made here.
    """

    folder: Path
    contract: Contract
    experiment: Experiment
    plan: Mapping[str, Any]
    made: Callable[[StageFile], Execute]
    concurrency: int
    inner: str = STAGE
    seed: int | None = None
    read: Collection[Path] = ()
    cluster: Cluster | None = None

    def due(self) -> int:
        """Return how many attempts are still wanted: all, where none is begun. Nothing is made.

        Raises:
            BenchdataError: The folder is another batch's, none of a batch, or lies in what is read.
        """
        if self.folder.exists() and not self.folder.is_dir():
            raise BenchdataError(f"{self.folder}: is no folder; give a new one")
        refuse_inside(self.folder, self.read)
        if stage_file.read(self.folder / self.inner) is not None:
            with self._opened() as stage:
                return len(stage.due())
        if self.folder.exists() and stages.has_more(self.folder, self.inner):
            raise BenchdataError(
                f"{self.folder}: holds files and nothing to go on with; give a new folder"
            )
        return self.experiment.cells

    def execute(self, *, stop: Stop, progress: Progress) -> Account:
        """Make all attempts that are due and return what the batch has come to.

        Raises:
            BenchdataError: As `due`, a row could not be written, or the cluster is not fit.
        """
        refuse_inside(self.folder, self.read)
        private(self.folder)
        with self._opened() as stage, self._executor() as executor:
            closed(self.folder / RUNS)
            _clear(self.folder / RUNS, stage.facts.lost)
            running.run(
                stage,
                self.made(stage.facts),
                executor=executor,
                concurrency=self.concurrency,
                stop=stop,
                progress=progress,
            )
            account = stage.account()
            _clear(self.folder / RUNS, account.lost)
            return account

    def _executor(self) -> AbstractContextManager[Executor]:
        if self.cluster is None:
            return ThreadPoolExecutor(self.concurrency)
        return self.cluster.opened(self.folder)

    def _opened(self) -> AbstractContextManager[Stage]:
        place = self.folder / self.inner
        return stages.opened(place, self.contract, self.experiment, plan=self.plan, seed=self.seed)


def new_folder(environment: Mapping[str, str], kind: str) -> Path:
    """Return the folder of a new batch among the user's of this kind; it is not there yet."""
    return user_settings.config_folder(environment) / kind / str(uuid.uuid4())


def rows_of(folder: Path) -> Path:
    """Return the file of a batch's rows."""
    return folder / STAGE / ROWS


def told(account: Account, again: str = "") -> None:
    """Tell what a batch has come to, and how to go on: by the same command and what is `again`."""
    for line in account.lines():
        tell(line)
    if missing := account.cells - account.done:
        tell(
            f"stopped: {missing:,} of {counted(account.cells, 'execution')} still due;"
            f" run the same command again{again} to go on"
        )


def private(folder: Path) -> None:
    """Make a folder that only its owner may read; one that is there becomes so."""
    folder.mkdir(PRIVATE, parents=True, exist_ok=True)
    folder.chmod(PRIVATE)


def closed(folder: Path) -> None:
    """Make a folder of what was recorded, which git is to leave alone wherever it lies."""
    folder.mkdir(PRIVATE, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", "utf-8")


def refuse_inside(folder: Path, read: Iterable[Path]) -> None:
    """Refuse a folder in what is read: each run would find it changed by those before it.

    Raises:
        BenchdataError: It lies in one of these.
    """
    for place in sorted(read):
        if folder.resolve().is_relative_to(place.resolve()):
            raise BenchdataError(f"{folder}: lies in {place}, which is read; give another folder")


def _clear(runs: Path, lost: Iterable[Attempt]) -> None:
    """Remove what agents saw and made in runs that were lost with what ran them.

    What a worker that lost us just ends is left to it, or to the next time.
    """
    for attempt in lost:
        run = runs / attempt.run_id
        for place in (run, *(run / JUDGE).glob("*")):
            with suppress(OSError):
                RunFolder(place).remove()
