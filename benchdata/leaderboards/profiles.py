"""What judges say beside their primary score: each dimension, arm against baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchdata.comparisons.findings import Finding
from benchdata.comparisons.summaries import Summary, summarize
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.leaderboards.judged import judging, scores_of
from benchdata.leaderboards.tables import Choice, of_judges


@dataclass(frozen=True, slots=True)
class Dimension:
    """One arm on one dimension: exploratory, so the finding has a raw p and no verdict."""

    name: str
    context: str
    finding: Finding
    baseline: Summary
    treatment: Summary


def profile(given: Dataset, contract: Contract) -> Iterator[Dimension]:
    """Yield the dimensions of what judges scored, each for every arm of `contract`'s runs.

    An arm of which nothing was scored on the baseline's tasks has none.

    Raises:
        BenchdataError: The runs have one arm alone.
    """
    for judge in given.contracts:
        if judging(judge, contract) is None:
            continue
        for metric in (judge.metric(name) for name in scores_of(judge)):
            if metric.name == judge.primary:
                continue
            field = contract.design.compared[0]
            for told in of_judges(given, contract, Choice(field, metric=metric.name)):
                pairs = zip(told.table.contexts, told.table.findings, strict=True)
                for context, found in pairs:
                    ends = (summarize(arm, found.claim) for arm in found.arms)
                    yield Dimension(metric.label, context, found, *ends)
