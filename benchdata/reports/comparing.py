"""Comparisons as they are asked for: B against baseline A, or by the values of a field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from benchdata.comparisons import claims, tables
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError
from benchdata.gates.checked import checked
from benchdata.leaderboards.tables import Choice
from benchdata.leaderboards.tables import by_field as tables_by_field
from benchdata.reports.comparison import Comparison, report
from benchdata.verdicts import Conditions


def of_inputs(
    a: Dataset, b: Dataset, metric: str | None, min_effect: float | None
) -> list[Comparison]:
    """Return how B does against baseline A, on a metric or the contract's primary one.

    Raises:
        BenchdataError: They cannot be compared; the message says why.
    """
    table = tables.of_inputs(a, b, claims.of_contract(a.contract, metric, min_effect))
    return [report(a.contract.name, checked(table, a, b))]


def by_field(rows: Dataset, choice: Choice) -> list[Comparison]:
    """Return how the values of a field do against one of them, a table for each metric.

    Raises:
        BenchdataError: They cannot be compared, or an effect was chosen for several metrics.
    """
    found = [report(*told) for told in tables_by_field(rows, choice)]
    if choice.min_effect is not None:
        refuse_several(found)
    return found


def held(made: Iterable[Comparison], conditions: Conditions) -> list[Comparison]:
    """Return comparisons that answer whether they meet conditions.

    Raises:
        BenchdataError: A loss to be excluded is no number, or beyond a metric's range; or several
            metrics are compared.
    """
    found = [replace(each, conditions=conditions) for each in made]
    if conditions.no_worse_than is not None:
        refuse_several(found)
        for each in found:
            claims.refuse_effect(each.table.claim, conditions.no_worse_than)
    return found


def refuse_several(found: Iterable[Comparison]) -> None:
    """Raise BenchdataError when an effect size would be read on the scales of several metrics."""
    metrics = {each.table.claim.metric.name for each in found}
    if len(metrics) > 1:
        raise BenchdataError(
            f"an effect size is one metric's own, and {' and '.join(sorted(metrics))} are compared:"
            " name one metric"
        )
