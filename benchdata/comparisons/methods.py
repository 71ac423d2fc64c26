"""Which method: from the kind of number and the shape of the data, by one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchdata.comparisons import amounts, ratios, scores
from benchdata.comparisons.claims import Cells, Claim, Kind
from benchdata.comparisons.results import Result, Shape

Method = Callable[[Cells, Cells, Claim], Result]

METHODS: Mapping[tuple[Kind, Shape], Method] = {
    ("pass", "paired tasks"): scores.lifted,
    ("pass", "other tasks"): scores.passes_apart,
    ("pass", "one task"): scores.passes,
    ("pass", "fixed tasks"): scores.inside,
    ("score", "paired tasks"): scores.lifted,
    ("score", "other tasks"): scores.apart,
    ("score", "one task"): scores.inside,
    ("score", "fixed tasks"): scores.inside,
    ("amount", "paired tasks"): ratios.ratios,
    ("amount", "other tasks"): ratios.ratios,
    ("amount", "one task"): amounts.tendency,
    ("amount", "fixed tasks"): amounts.inside,
}


def shape_of(claim: Claim, baseline: frozenset[str], treatment: frozenset[str]) -> Shape:
    """Return how the tasks of two arms lie to each other.

    Scores are paired when one arm attempted all tasks of the other: a hole is no other suite.
    Amounts are paired where a task is in both arms, since those of other tasks are never compared.
    """
    if claim.tasks == "fixed":
        return "one task" if len(baseline | treatment) <= 1 else "fixed tasks"
    nested = baseline <= treatment or treatment <= baseline or claim.kind == "amount"
    return "paired tasks" if nested and baseline & treatment else "other tasks"


def measure(a: Cells, b: Cells, claim: Claim, shape: Shape) -> Result:
    """Return what the method for this claim and shape makes of the values of two arms."""
    return METHODS[claim.kind, shape](a, b, claim)
