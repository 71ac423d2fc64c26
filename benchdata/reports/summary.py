"""The summary of a dataset: groups, percentiles, reasons, gate, leaderboards, one frozen object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchdata import gates, queries
from benchdata.contracts import Contract
from benchdata.dataset import Dataset, collation, grouping
from benchdata.gates import Gate, GroupGate
from benchdata.leaderboards.boards import Board, leaderboards
from benchdata.stats.intervals import wilson
from benchdata.stats.percentiles import is_maximum
from benchdata.stats.results import CannotTell, Interval

RESULTS = ("success", "partial", "failed")


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Nearest-rank p50 and p95 of `n` values; None where there is no value."""

    n: int
    p50: float | None
    p95: float | None

    @property
    def p95_is_maximum(self) -> bool:
        """Tell whether the p95 is nothing but the largest value: so up to 19 values."""
        return is_maximum(self.n, 95)


NO_VALUE = Percentiles(0, None, None)


@dataclass(frozen=True, slots=True)
class Group:
    """What is known of one group."""

    id: str
    label: str
    fields: Mapping[str, Any]
    runs: int
    outcomes: Mapping[str, int]
    unscored: int
    synthetic: bool
    started: datetime | None
    ended: datetime | None
    reasons: Mapping[str, int]
    metrics: Mapping[str, Percentiles]
    gate: GroupGate

    @property
    def scored(self) -> int:
        """Return the number of scored rows."""
        return self.runs - self.unscored

    @property
    def failure_interval(self) -> Interval | CannotTell:
        """Return Wilson's 95% interval of the failure rate, 0 to 1."""
        return wilson(self.outcomes["failed"], self.scored)

    @property
    def failure_rate_percent(self) -> float:
        """Return failed rows of all scored ones in percent, one decimal, halves rounded up."""
        scored = self.scored
        return (2000 * self.outcomes["failed"] + scored) // (2 * scored) / 10 if scored else 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole summary of one contract's rows; `boards` where arms were compared."""

    contract: Contract
    rows: int
    set_aside: int
    groups: tuple[Group, ...]
    gate: Gate
    boards: tuple[Board, ...]


def summarize_each(dataset: Dataset, *, accept_rejects: int = 0) -> tuple[Summary, ...]:
    """Return a summary for each contract of a dataset; runs know the verdicts of their judge."""
    found = gates.judge_each(dataset, accept_rejects=accept_rejects)
    return tuple(_summary(dataset.of(contract), dataset, gate) for contract, gate in found)


def _summary(dataset: Dataset, given: Dataset, gate: Gate) -> Summary:
    contract = dataset.contract
    metrics = _percentiles(dataset)
    measured = [metric.name for metric in contract.metrics]
    reasons: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in dataset.sql(queries.text("stop_reasons")).iter_rows(named=True):
        reasons[row["group_id"]][row["stop_reason"]] += row["n"]
    rows = dataset.sql(queries.text("groups")).iter_rows(named=True)
    groups = tuple(
        Group(
            id=row["group_id"],
            label=row["group_label"],
            fields=grouping.fields(contract, row),
            runs=row["runs"],
            outcomes={result: int(row[result]) for result in RESULTS},
            unscored=int(row["unscored"]),
            synthetic=row["synthetic"],
            started=row["first_start"],
            ended=row["last_end"],
            reasons=_in_order(reasons[row["group_id"]]),
            metrics={name: metrics[row["group_id"]].get(name, NO_VALUE) for name in measured},
            gate=group_gate,
        )
        for row, group_gate in zip(rows, gate.groups, strict=True)
    )
    boards = leaderboards(dataset, given)
    return Summary(contract, dataset.rows, dataset.set_aside, groups, gate, boards)


def _percentiles(dataset: Dataset) -> dict[str, dict[str, Percentiles]]:
    """Return the percentiles by group and metric; those of whole numbers are whole numbers."""
    contract = dataset.contract
    whole = {metric.name for metric in contract.metrics if contract.whole(metric)}
    found: dict[str, dict[str, Percentiles]] = defaultdict(dict)
    for row in dataset.sql(queries.text("percentiles")).iter_rows(named=True):
        p50, p95 = (
            int(value) if value is not None and row["metric"] in whole else value
            for value in (row["p50"], row["p95"])
        )
        found[row["group_id"]][row["metric"]] = Percentiles(row["n"], p50, p95)
    return found


def _in_order(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts by name in the collation that groups are ordered by."""
    return {name: counts[name] for name in sorted(counts, key=collation.key)}
