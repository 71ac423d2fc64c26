"""A resolved batch in its private folder."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from benchdata.contracts.build_run import BUILD_RUN
from collectors.build_bench.bench import Bench
from collectors.build_bench.runner import Runner
from collectors.harness.batches import Batch

NAME = "build-bench"
KIND = "builds"


def of(bench: Bench, folder: Path, seed: int | None) -> Batch:
    """Return the batch of what is resolved, in `folder`; without a seed one is drawn."""
    return Batch(
        folder,
        BUILD_RUN,
        bench.experiment,
        plan=asdict(bench.plan()),
        made=lambda facts: Runner(bench, facts.stage_id, facts.seed, folder),
        concurrency=bench.concurrency,
        seed=seed,
        cluster=bench.cluster,
    )
