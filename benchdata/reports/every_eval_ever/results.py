"""The scores of every arm, as the leaderboards count them, and which rows each is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchdata.comparisons import axes, claims, sides
from benchdata.comparisons.arms import Arm, Run
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.entities import entities, is_result
from benchdata.comparisons.summaries import Summary, summarize
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.leaderboards.judged import Judge, judges


@dataclass(frozen=True, slots=True)
class Result:
    """One arm on one metric: `context` are the fields that all arms of a document share.

    `rows` are the identities of the arm's rows. A `judge` gave the scores, else the rows have them.
    """

    claim: Claim
    arm: Arm
    context: Mapping[str, Any]
    summary: Summary
    rows: frozenset[str]
    judge: Judge | None

    @property
    def name(self) -> str:
        """Return what tells it from the others of its document: `passed:none`."""
        judged = f"{self.judge.name}:" if self.judge else ""
        return f"{judged}{self.claim.metric.name}:{self.arm.label}"

    def score(self, row: Mapping[str, Any]) -> float | None:
        """Return the score of one row, None where it has no part in the arm's.

        A run that ranks worst has the worst score, as in the arm's own.
        """
        judge, claim = self.judge, self.claim
        value = judge.scores.get(row["row_id"]) if judge else row[claim.metric.column]
        result = row["row_result"]
        run = Run(value=value, scored=result != "unscored", success=result == "success")
        if not claim.counts(run):
            return None
        worst = claim.bounds[0 if claim.upwards else 1]
        counted = claim.value_of(run)
        return float(worst if counted is None else counted)


def results(rows: Dataset, given: Dataset) -> Iterator[Result]:
    """Yield the results of rows of one contract by each of its scores, then by each judge's.

    `given` are all rows that were opened, those of a judge among them.
    """
    contract = rows.contract
    for claim in bounded_claims(contract):
        yield from _of_claim(rows, claim, None)
    for judge in judges(given, contract):
        yield from _of_claim(rows, judge.claim, judge)


def bounded_claims(contract: Contract) -> list[Claim]:
    """Return the claims about metrics between bounds, the primary first: times are no scores."""
    bounded = [metric.name for metric in contract.metrics if metric.bounds]
    bounded.sort(key=contract.primary.__ne__)
    return [claims.of_contract(contract, name) for name in bounded]


def _of_claim(rows: Dataset, claim: Claim, judge: Judge | None) -> Iterator[Result]:
    contract = rows.contract
    axis = axes.by_field(contract, contract.design.compared[0])
    found = entities(rows, claim, judge.scores if judge else None)
    members = [each for each in found if is_result(contract, each.fields)]
    owned: dict[str, set[str]] = defaultdict(set)
    for each in members:
        owned[sides.owner(each, axis)] |= each.rows
    arms = sides.of(members, axis, lambda each: axis.value(each.fields))
    for side in arms:
        arm = sides.told(side, arms)
        yield Result(
            claim=claim,
            arm=judge.scored(arm) if judge else arm,
            context=side.context,
            summary=summarize(arm, claim),
            rows=frozenset(owned[side.name]),
            judge=judge,
        )


def by_context(found: Iterable[Result]) -> list[list[Result]]:
    """Return results in lists of one context each, in the order of contexts."""
    lists: dict[str, list[Result]] = defaultdict(list)
    for result in found:
        lists[sides.key(result.context)].append(result)
    return [lists[name] for name in sorted(lists)]
