"""Runs a resolved batch in a private folder, which can be ended and gone on with at any moment.

The folder has `stage/` with the plan, the order and the rows, and `.runs/` with what was recorded
of each attempt, where nothing that reads folders of rows looks. Only rows ever leave it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from benchdata.contracts.build_run import BUILD_RUN
from benchdata.errors import BenchdataError
from collectors.build_bench import snapshots
from collectors.build_bench.bench import Bench
from collectors.build_bench.runner import JUDGE, RUNS, Runner
from collectors.build_bench.turns import SCRATCH
from collectors.harness import running, stage_file, stages
from collectors.harness.folders import RunFolder
from collectors.harness.progress import Progress
from collectors.harness.schedule import Attempt
from collectors.harness.signals import Stop
from collectors.harness.stages import ROWS, Account

NAME = "build-bench"
STAGE = "stage"
PRIVATE = 0o700


def new_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of a new batch, which is not there yet."""
    base = environment.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base, "benchdata", "builds", str(uuid.uuid4()))


def rows_of(folder: Path) -> Path:
    """Return the file of a batch's rows."""
    return folder / STAGE / ROWS


def due(bench: Bench, folder: Path, seed: int | None) -> int:
    """Return how many attempts a batch in `folder` still wants: all, where there is none.

    Raises:
        BenchdataError: The folder is another batch's, or none of a batch.
    """
    if stage_file.read(folder / STAGE) is None:
        if folder.exists() and any(path.name != STAGE for path in folder.iterdir()):
            raise BenchdataError(f"{folder}: holds files and no batch; give a new folder")
        return bench.plan().executions
    with stages.opened(folder / STAGE, BUILD_RUN, bench.experiment, plan={}, seed=seed) as stage:
        return len(stage.due())


def execute(
    bench: Bench, folder: Path, *, seed: int | None, stop: Stop, progress: Progress
) -> Account:
    """Make all attempts that are due and return what the batch has come to.

    Raises:
        BenchdataError: The folder cannot be used, or a row could not be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(PRIVATE)
    plan = asdict(bench.plan())
    with stages.opened(folder / STAGE, BUILD_RUN, bench.experiment, plan=plan, seed=seed) as stage:
        _clear(folder, stage.facts.lost)
        runner = Runner(bench, stage.facts.stage_id, stage.facts.seed, folder)
        with ThreadPoolExecutor(bench.concurrency) as pool:
            running.run(
                stage,
                runner,
                executor=pool,
                concurrency=bench.concurrency,
                stop=stop,
                progress=progress,
            )
        return stage.account()


def _clear(folder: Path, lost: Iterable[Attempt]) -> None:
    """Remove what agents saw and made in runs that were lost with the command that ran them."""
    for attempt in lost:
        run = folder / RUNS / attempt.run_id
        snapshots.discard(run / SCRATCH)
        for place in (run, *(run / JUDGE).glob("*")):
            if (left := RunFolder(place)).agent.exists():
                left.remove()
