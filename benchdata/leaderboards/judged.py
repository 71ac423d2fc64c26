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
from benchdata.gates.checks import Checked, Tally, tally, verdicts
from benchdata.leaderboards.judge_accounts import Asked, asked, asked_fields
from benchdata.leaderboards.order_bias import OrderBias, order_bias
from benchdata.leaderboards.preferences import Pair, pairs, seen

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Judge:
    """One instrument: what its verdicts claim, its scores by run, whether its check passed.

    `contract` is that of its rows, `pins` what names it. `artefacts` are the digests of what each
    run left, `pairs` the runs that it compared with each other. `check` is what its latest check
    said, `tally` how many there were, `faults` why they do not pass. `asked` is what came of all it
    was asked. `unshown` are the artefacts that could not be rendered, so that they have the worst
    score.
    """

    contract: str
    pins: Mapping[str, Any]
    claim: Claim
    scores: Mapping[str, float]
    artefacts: Mapping[str, str]
    pairs: tuple[Pair, ...]
    bias: OrderBias
    check: tuple[Checked, ...]
    tally: Tally
    faults: tuple[str, ...]
    asked: tuple[Asked, ...]
    unshown: int
    synthetic: bool

    @property
    def name(self) -> str:
        """Return what tells the instrument from others."""
        return f"judged by {', '.join(map(str, self.pins.values()))}"

    @property
    def checked(self) -> bool:
        """Return whether it passes its checks."""
        return not self.faults

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
        one for one in several if all(judging(other, one) for other in several if other is not one)
    )
    return given.of(next(judged, None) or given.contract)


def judges(given: Dataset, contract: Contract, metric: str | None = None) -> Iterator[Judge]:
    """Yield each instrument among the rows given that judged runs of `contract`.

    Its scores are those of its primary metric, or of another score that it gave.
    """
    for judge in given.contracts:
        how = judging(judge, contract)
        if how is None or metric not in (None, *scores_of(judge)):
            continue
        claim = claims.of_contract(judge, metric)
        also = (claim.metric.path, *asked_fields(judge))
        found = instruments.by_instrument(given.of(judge), how, also)
        for pins, lines in sorted(found.by_pins.items(), key=lambda item: str(item[0])):
            verdicts_on_pairs = list(seen(lines, how))
            single = [line for line in lines if is_of_a_run(line, how)]
            if not (single or verdicts_on_pairs):
                continue
            yield Judge(
                contract=judge.name,
                pins=dict(zip(how.pins, pins, strict=False)),
                claim=claim,
                scores=_scores(single, how, claim.metric.path),
                artefacts={line[how.run]: line[how.artefact] for line in single},
                pairs=pairs(verdicts_on_pairs),
                bias=order_bias(verdicts_on_pairs),
                check=verdicts(lines, how),
                tally=tally(lines, how),
                faults=found.faults(pins),
                asked=asked(lines, how, judge),
                unshown=sum(how.not_shown(said[-1]) for said in _by_artefact(single, how).values()),
                synthetic=pins[-1],
            )


def scores_of(judge: Contract) -> tuple[str, ...]:
    """Return the metrics of a judge's rows that are scores of what it saw."""
    return tuple(metric.name for metric in judge.metrics if metric.bounds)


def is_of_a_run(line: Line, how: Judging) -> bool:
    """Tell whether a row is a verdict on what one run left, and none of a check."""
    return line[how.kind] == how.single and not instruments.of_check(line, how)


def judging(judge: Contract, contract: Contract) -> Judging | None:
    """Return how one contract's rows judge those of another, None where they do not."""
    found = judge.gate.judging if judge.gate else None
    return found if found and found.of == contract.name else None


def _scores(lines: Sequence[Line], how: Judging, score: str) -> dict[str, float]:
    """Return the score of each run: its artefacts averaged, verdicts on one of them first."""
    by_run: dict[str, list[float]] = defaultdict(list)
    for (run, _), said in _by_artefact(lines, how).items():
        by_run[run] += _score(said, how, score)
    return {run: _mean(scores) for run, scores in by_run.items() if scores}


def _by_artefact(lines: Sequence[Line], how: Judging) -> Mapping[tuple[str, str], list[Line]]:
    """Return what was said of each artefact of each run, in order of time."""
    found: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in lines:
        found[line[how.run], line[how.artefact]].append(line)
    return found


def _score(said: Sequence[Line], how: Judging, score: str) -> Iterator[float]:
    """Yield the score of one artefact, if there is one.

    What could not be shown is the worst, and has nothing else that a judge gives.
    """
    if how.not_shown(said[-1]):
        yield from (how.worst,) if score == how.score else ()
    elif scores := [line[score] for line in said if line[score] is not None]:
        yield _mean(scores)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
