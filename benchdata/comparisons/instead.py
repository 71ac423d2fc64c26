"""What to judge by where no run has a value of a metric: another one that the same runs have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from benchdata.comparisons import claims
from benchdata.comparisons.arms import Run
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding
from benchdata.contracts import Contract

Findings = Sequence[Finding]


def told(
    findings: Findings, contract: Contract, again: Callable[[Claim], Findings]
) -> tuple[Finding, ...]:
    """Return findings; those in which no run has a value name the score that the runs do have.

    `again` compares the same arms on another metric, in the same order.
    """
    if all(any(_values(each)) for each in findings):
        return tuple(findings)
    others = [claims.of_contract(contract, name) for name in _scores(contract)]
    found = [(other.metric.name, again(other)) for other in others]
    return tuple(
        each
        if any(_values(each))
        else replace(each, instead=_advice((name, them[place]) for name, them in found))
        for place, each in enumerate(findings)
    )


def _scores(contract: Contract) -> Iterator[str]:
    for metric in contract.metrics:
        if metric.bounds is not None and metric.better != "neither":
            yield metric.name


def _advice(others: Iterator[tuple[str, Finding]]) -> str:
    for name, other in others:
        values = list(_values(other))
        if any(values):
            which = "every run has" if all(values) else "some runs have"
            return f"{which} {name}: --metric {name}"
    return ""


def _values(finding: Finding) -> Iterator[bool]:
    """Yield of each scored run whether it has a value."""
    runs: Iterator[Run] = (run for arm in finding.arms for run in arm.runs if run.scored)
    return (run.value is not None for run in runs)
