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
from benchdata.dataset import Dataset
from tests.support.drawn import Row, demo_rows, write
from tests.support.probe import PROBE, probe_row

NAMES = (
    *("alike", "evidence", "groups", "outcomes", "percentiles", "stop_reasons", "throughput"),
    "timeline",
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


class Case(NamedTuple):
    """A contract and what makes rows of it."""

    contract: Contract
    rows: Callable[[], list[Row]]


CASES: Mapping[str, Case] = {"demo": Case(JEV_SOCIAL, demo_rows), "probe": Case(TIMED, probes)}


def opened(folder: Path, rows: Sequence[Row], contract: Contract, parts: int = 1) -> Dataset:
    """Return rows as a dataset, dealt out to so many files."""
    files = [write(folder / f"{part}.ndjson", rows[part::parts]) for part in range(parts)]
    return benchdata.open(files, contract)


def again(row: Row) -> Row:
    """Return a row with another identity, alike in all else."""
    other = {"seq": row["seq"] + 1000} if "seq" in row else {"run_id": "f" * 7 + row["run_id"][7:]}
    return row | other
