"""Comparisons by a field, a table for each metric: the rows' own, and what each judge says of them.

The rows of a judge know no arms: its scores are compared as scores of the runs that it judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from benchdata.comparisons import claims, tables
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.tables import Table
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.errors import ContractError
from benchdata.gates.checked import checked
from benchdata.leaderboards.judged import Judge, judges


class Told(NamedTuple):
    """A table, and the name of the contract whose metric it compares."""

    contract: str
    table: Table


class Choice(NamedTuple):
    """What a reader chose: the field, its value that is the baseline, the metric, its M."""

    field: str
    baseline: str | None = None
    metric: str | None = None
    min_effect: float | None = None


def by_field(given: Dataset, choice: Choice) -> tuple[Told, ...]:
    """Return the comparison of the values of a field in each contract that has field and metric.

    Without a metric it is each contract's primary one. Where a judge scored runs, they are compared
    by the scores of each instrument, and no more by the metric that they lack.

    Raises:
        ContractError: No contract has such a field, or such a metric.
        BenchdataError: Fewer than two values, or no rows of the baseline.
    """
    found: list[Told] = []
    refused: list[ContractError] = []
    for contract in given.contracts:
        try:
            found += _of_contract(given, contract, choice)
        except ContractError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return tuple(found)


def _of_contract(given: Dataset, contract: Contract, choice: Choice) -> Iterator[Told]:
    rows, metric = given.of(contract), choice.metric
    scored = _by_judges(given, contract, choice)
    if not scored or metric in (None, *(each.name for each in contract.metrics)):
        claim = claims.of_contract(contract, metric, choice.min_effect)
        own = checked(tables.by_field(rows, claim, choice.field, choice.baseline), rows)
        told = {_place(*line) for _, table in scored for line in _lines(table)}
        own = _kept(own, lambda *line: _has_value(*line) or _place(*line) not in told)
        if own.findings or not scored:
            yield Told(contract.name, own)
    yield from _told(scored)


def of_judges(given: Dataset, contract: Contract, choice: Choice) -> Iterator[Told]:
    """Yield the comparison of runs by each instrument, of those that it scored: perhaps none.

    Raises:
        BenchdataError: Fewer than two values, or no rows of the baseline.
    """
    yield from _told(_by_judges(given, contract, choice))


def _by_judges(given: Dataset, contract: Contract, choice: Choice) -> list[tuple[Judge, Table]]:
    rows = given.of(contract)
    scored = (
        (judge, _kept(_scored(rows, judge, choice), _has_value))
        for judge in judges(given, contract, choice.metric)
    )
    return [(judge, table) for judge, table in scored if table.findings]


def _told(scored: Sequence[tuple[Judge, Table]]) -> Iterator[Told]:
    for judge, table in scored:
        contexts = (", ".join(filter(None, (where, judge.name))) for where in table.contexts)
        yield Told(judge.contract, replace(table, contexts=tuple(contexts)))


def _scored(rows: Dataset, judge: Judge, choice: Choice) -> Table:
    """Return the comparison of runs by what a judge scored them."""
    claim = judge.claim
    if choice.min_effect is not None:
        claim = claims.checked(claims.with_min_effect(claim, choice.min_effect))
    table = tables.by_field(rows, claim, choice.field, choice.baseline, judge.scores)
    findings = (
        replace(
            finding,
            baseline=judge.scored(finding.baseline),
            treatment=judge.scored(finding.treatment),
        )
        for finding in table.findings
    )
    return replace(table, findings=tuple(findings))


def _kept(table: Table, wanted: Callable[[str, Finding], bool]) -> Table:
    """Return a table with the comparisons that are wanted."""
    lines = [line for line in _lines(table) if wanted(*line)]
    return replace(
        table,
        contexts=tuple(context for context, _ in lines),
        findings=tuple(finding for _, finding in lines),
    )


def _lines(table: Table) -> Iterator[tuple[str, Finding]]:
    return zip(table.contexts, table.findings, strict=True)


def _has_value(_: str, finding: Finding) -> bool:
    return any(finding.result.n)


def _place(context: str, finding: Finding) -> tuple[str, str, str]:
    return context, finding.baseline.label, finding.treatment.label
