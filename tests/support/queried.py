"""Two datasets to ask the named queries of."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import benchdata
from benchdata.contracts import Contract
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.contracts.meaning import Throughput
from benchdata.contracts.trial import TRIAL
from benchdata.dataset import Dataset
from tests.support import trial_rows
from tests.support.drawn import Row, demo_rows, write
from tests.support.probe import PROBE, probe_row

NAMES = (
    *("alike", "cells", "composite", "evidence", "exclusions", "groups", "history", "leaderboard"),
    *("outcomes", "paired", "per_task", "percentiles", "stop_reasons", "task_means", "throughput"),
    *("timeline", "tokens_time", "variance"),
)
TIMED = replace(PROBE, throughput=Throughput("rate", "seq", "wall_ms"))


def probes() -> list[Row]:
    """Return 90 rows in 3 groups: fractions that do not add up alike in every order, nulls."""
    rng = random.Random(11)
    return [
        probe_row(
            seq,
            subject=rng.choice(["a", "b", "B"]),
            wall_ms=rng.choice([None, rng.random() * 100, float(seq)]),
            score=rng.random(),
            passed=rng.random() < 0.7,
            skipped=rng.random() < 0.2,
            why=rng.choice([None, "late", "lost"]),
        )
        for seq in range(90)
    ]


def trials() -> list[Row]:
    """Return 72 trials in two arms and two studies, some lost; times are as they come."""
    rng = random.Random(5)
    rows = []
    for number in range(72):
        score = rng.choice([0.0, 0.25, 1 / 3, 1.0])
        scored = {"score": score, "passed": score == 1, "outcome": "completed"}
        lost = {"score": None, "passed": None, "outcome": "infrastructure"}
        fields = scored if rng.random() < 0.8 else lost
        arm, study = ("none", "curated")[number // 3 % 2], f"study-{number % 2}"
        row = trial_rows.numbered_row(number, arm=arm, study=study, **fields)
        rows.append(row | {"task_id": f"task-{number // 6 % 6}", "wall_s": rng.random()})
    return rows


class Case(NamedTuple):
    """A contract, what makes rows of it, and the queries that these have no answer to."""

    contract: Contract
    rows: Callable[[], list[Row]]
    silent: tuple[str, ...] = ()


CASES: Mapping[str, Case] = {
    "demo": Case(JEV_SOCIAL, demo_rows, ("paired", "throughput")),
    "probe": Case(TIMED, probes, ("history", "leaderboard", "paired", "per_task", "task_means")),
}
ARMED: Mapping[str, Case] = {"trial": Case(TRIAL, trials, ("throughput",))}
"""One more, of rows that have arms and a plan."""


def opened(folder: Path, rows: Sequence[Row], contract: Contract, parts: int = 1) -> Dataset:
    """Return rows as a dataset, dealt out to so many files."""
    files = [write(folder / f"{part}.ndjson", rows[part::parts]) for part in range(parts)]
    return benchdata.open(files, contract)


def again(row: Row) -> Row:
    """Return a row with another identity, alike in all else."""
    if "seq" in row:
        return row | {"seq": row["seq"] + 1000}
    name = "run_id" if "run_id" in row else "trial_id"
    return row | {name: "f" * 7 + row[name][7:]}
