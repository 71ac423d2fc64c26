"""Runs whose score a judge gave: its verdicts, joined to the runs of the arms it never saw."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchdata.comparisons import claims
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Claim
from benchdata.contracts import Contract
from benchdata.contracts.gate import Judging
from benchdata.dataset import Dataset
from benchdata.gates import instruments
from benchdata.leaderboards.preferences import Pair, pairs


@dataclass(frozen=True, slots=True)
class Judge:
    """One instrument: what its verdicts claim, its scores by run, whether its check passed.

    `contract` is that of its rows. `pairs` are the runs that it compared with each other.
    """

    contract: str
    name: str
    claim: Claim
    scores: Mapping[str, float]
    pairs: tuple[Pair, ...]
    checked: bool
    synthetic: bool

    def scored(self, arm: Arm) -> Arm:
        """Return an arm of runs with these scores, told whether the instrument was checked."""
        return replace(arm, checked=self.checked, synthetic=arm.synthetic or self.synthetic)


def subject(given: Dataset) -> Dataset:
    """Return the rows that a dataset is about: all it has, or the runs that all others judge.

    Raises:
        ContractError: The rows follow several contracts, and not all others judge one of them.
    """
    several = given.contracts
    judged = (
        one for one in several if all(_judging(other, one) for other in several if other is not one)
    )
    return given.of(next(judged, None) or given.contract)


def judges(given: Dataset, contract: Contract) -> Iterator[Judge]:
    """Yield each instrument among the rows given that judged runs of `contract`."""
    for judge in given.contracts:
        judging = _judging(judge, contract)
        if judging is None:
            continue
        found = instruments.by_instrument(given.of(judge), judging)
        for pins, lines in sorted(found.by_pins.items(), key=lambda item: str(item[0])):
            yield Judge(
                contract=judge.name,
                name=f"judged by {', '.join(map(str, pins[:-1]))}",
                claim=claims.of_contract(judge),
                scores=_scores(lines, judging),
                pairs=pairs(lines, judging),
                checked=not found.faults(pins),
                synthetic=pins[-1],
            )


def _judging(judge: Contract, contract: Contract) -> Judging | None:
    """Return how one contract's rows judge those of another, None where they do not."""
    judging = judge.gate.judging if judge.gate else None
    return judging if judging and judging.of == contract.name else None


def _scores(lines: Sequence[Mapping[str, Any]], judging: Judging) -> dict[str, float]:
    """Return the score of each run: its artefacts averaged, verdicts on one of them first."""
    by_artefact: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if line[judging.kind] == judging.single and line[judging.score] is not None:
            by_artefact[line[judging.run]][line[judging.artefact]].append(line[judging.score])
    return {
        run: _mean([_mean(scores) for scores in artefacts.values()])
        for run, artefacts in by_artefact.items()
    }


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
