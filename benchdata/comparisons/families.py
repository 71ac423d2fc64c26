"""One table is one family: Holm's adjustment of the p and of what the designs can reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from benchdata.comparisons.findings import Finding, Standing
from benchdata.stats.families import Comparison, Member
from benchdata.stats.families import family as holm_family


def family(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings of one table with their standing, in the order given.

    Findings whose own floor is above .05 leave; those that no verdict will use for another reason
    (interim, dependent rows) stay, since the data decided that.
    """
    members = _members(findings, [finding.p for finding in findings])
    return tuple(
        replace(finding, standing=_standing(findings, index, member))
        for index, (finding, member) in enumerate(zip(findings, members, strict=True))
    )


def _standing(findings: Sequence[Finding], index: int, member: Member[int]) -> Standing:
    return Standing(
        member.adjusted_p, member.adjusted_floor, member.size, _rescored(findings, index)
    )


def _rescored(findings: Sequence[Finding], index: int) -> tuple[Fraction, Fraction]:
    """Return the adjusted p of a finding when its own missing cells are scored against it."""
    results = findings[index].rescored
    if results is None:
        return Fraction(1), Fraction(1)
    found = []
    for result in results:
        ps = [finding.p for finding in findings]
        ps[index] = result.p
        adjusted = _members(findings, ps)[index].adjusted_p
        found.append(Fraction(1) if adjusted is None else adjusted)
    return found[0], found[1]


def _members(findings: Sequence[Finding], ps: Sequence[Fraction]) -> list[Member[int]]:
    return holm_family(
        [
            Comparison(index, p, finding.result.floor)
            for index, (finding, p) in enumerate(zip(findings, ps, strict=True))
        ]
    )
