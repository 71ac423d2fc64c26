"""Claims: which metric is compared, what kind of number it is, which effect is worth a word."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Literal

from benchdata.comparisons.arms import Arm, Run
from benchdata.contracts import Contract
from benchdata.contracts.meaning import Metric
from benchdata.errors import ContractError
from benchdata.numbers import display
from benchdata.stats.ranks import Rankable, Worst
from benchdata.stats.rationals import rational
from benchdata.stats.results import CannotTell

Kind = Literal["pass", "score", "amount"]
"""Pass or fail, a score between bounds (compared by differences), an amount (by ratios)."""

Cells = Mapping[str, Sequence[Rankable]]
"""The values of an arm by task, sorted by repeat; None is a run that ranks worst."""

UNIT_RANGE = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a comparison is about.

    `tasks` says whether the claim is about tasks like these (`sampled`) or about these (`fixed`).
    `min_effect` is M: in the unit of a score, as a share of an amount; `overridden` when the user
    gave it.
    """

    metric: Metric
    kind: Kind
    tasks: Literal["fixed", "sampled"]
    min_effect: float
    overridden: bool = False

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the ends of a score; those of pass or fail are 0 and 1."""
        return self.metric.bounds or UNIT_RANGE

    @property
    def metric_range(self) -> float:
        """Return how far apart two scores can be."""
        return self.bounds[1] - self.bounds[0]

    def spanned(self, size: float) -> str:
        """Return `passed spans 1` when no two scores lie `size` apart; of amounts nothing."""
        if self.kind == "amount" or size <= self.metric_range:
            return ""
        return f"{self.metric.name} spans {display(self.metric_range)}"

    def possible(self, size: float) -> float | CannotTell:
        """Return an effect that a design finds, or that it finds none that there can be."""
        spans = self.spanned(size)
        return CannotTell(f"nothing: {spans}") if spans else size

    @property
    def upwards(self) -> bool:
        """Return whether more is better."""
        return self.metric.better == "higher"

    @property
    def nulls(self) -> Worst:
        """Return the side on which runs without a value rank."""
        return "lowest" if self.upwards else "highest"

    def counts(self, run: Run) -> bool:
        """Return whether a run has a part in the comparison: scored, and with a value or a rank."""
        ranks = self.metric.null_ranks == "worst" or self._worst(run)
        return run.scored and (run.value is not None or ranks)

    def value_of(self, run: Run) -> Rankable:
        """Return the value of a run that counts, None when it ranks worst."""
        return None if self._worst(run) else run.value

    def _worst(self, run: Run) -> bool:
        return not run.success and self.metric.failure_ranks == "worst"


def of_contract(
    contract: Contract, metric: str | None = None, min_effect: float | None = None
) -> Claim:
    """Return the claim about a contract's primary metric, or another one.

    Raises:
        ContractError: There is no such metric, it has no better direction, or M is no number >= 0
            or beyond the range of the metric.
    """
    chosen = contract.metric(contract.primary if metric is None else metric)
    kind: Kind = "amount" if chosen.bounds is None else "score"
    if contract.kinds[chosen.path] == "flag":
        kind = "pass"
    sampled = contract.unit == "task" and contract.tasks == "sampled"
    claim = Claim(chosen, kind, "sampled" if sampled else "fixed", chosen.min_effect)
    return checked(claim if min_effect is None else with_min_effect(claim, min_effect))


def with_min_effect(claim: Claim, min_effect: float) -> Claim:
    """Return the claim with the user's own M."""
    return replace(claim, min_effect=min_effect, overridden=True)


def checked(claim: Claim) -> Claim:
    """Return the claim; raise ContractError when no verdict on it could have a meaning."""
    if claim.metric.better == "neither":
        raise ContractError(
            f"metric {claim.metric.name} has no better direction, so nothing can be judged by it"
        )
    refuse_effect(claim, claim.min_effect)
    return claim


def refuse_effect(claim: Claim, size: float) -> None:
    """Raise ContractError for an effect that is no finite number of 0 or more, or that none is.

    A loss beyond the range of a metric is excluded whatever the rows say.
    """
    if not (math.isfinite(size) and size >= 0):
        raise ContractError(f"an effect is a finite number of 0 or more, not {size}")
    if spans := claim.spanned(size):
        points = "; five points are 0.05" if claim.metric_range == 1 else ""
        raise ContractError(f"{spans}: no difference is {display(size)}{points}")


def cells(arm: Arm, claim: Claim) -> Cells:
    """Return the values of an arm by task, in the order of repeats; rows of one cell averaged."""
    found: dict[str, dict[Hashable, list[Rankable]]] = defaultdict(lambda: defaultdict(list))
    for run in sorted(arm.runs, key=attrgetter("cell")):
        if claim.counts(run):
            found[run.task][run.cell].append(claim.value_of(run))
    return {task: [_averaged(values) for values in found[task].values()] for task in sorted(found)}


def mean(cell: Sequence[Rankable]) -> float | None:
    """Return the mean of a cell, None without runs or when one ranks worst."""
    found = _averaged(cell) if cell else None
    return None if found is None else float(found)


def _averaged(values: Sequence[Rankable]) -> Rankable:
    if len(values) == 1:
        return values[0]
    present = [rational(value) for value in values if value is not None]
    return sum(present, Fraction(0)) / len(present) if len(present) == len(values) else None
