"""What a gate on `worse` would miss: the smallest worsening that it finds 8 times in 10."""

from __future__ import annotations

import math

from scipy.special import ndtri

from benchdata.comparisons import details, wording
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding
from benchdata.numbers import display
from benchdata.stats.detectable import POWER
from benchdata.stats.rationals import SIGNIFICANT
from benchdata.stats.results import ALPHA, CannotTell

# Of the 2.80 standard errors that are found 8 times in 10, 0.84 lie beyond the border of `found`.
BEYOND = float(ndtri(POWER) / (ndtri(POWER) + ndtri(1 - ALPHA / 2)))
TIMES = frozenset({"ms", "s"})


def worsening(finding: Finding) -> float | CannotTell:
    """Return the smallest worsening that gets the verdict `worse` 8 times in 10.

    A difference above 0 in the unit of the metric, or a ratio above 1; at these n and the spread
    that was seen. M counts: an effect of exactly M is estimated below M half of the time.
    """
    floor = finding.placed.adjusted_floor
    if floor > SIGNIFICANT:
        return CannotTell(f"{wording.units(finding.result)} cannot reach 0.05")
    found = details.detectable(finding)
    if isinstance(found, CannotTell):
        return found
    margin = finding.result.margin(finding.claim.min_effect).high
    if finding.result.scale == "ratio":
        return math.exp(_with_margin(math.log(found), math.log(margin)))
    return finding.claim.possible(_with_margin(found, margin))


def words(finding: Finding, missed: float | CannotTell) -> str:
    """Return what a gate would miss: `a slowdown under 12%`, `a loss under 0.08`."""
    noun = _noun(finding.claim)
    if isinstance(missed, CannotTell):
        nothing = missed == finding.claim.possible(math.inf)
        out_of_reach = nothing or finding.placed.adjusted_floor > SIGNIFICANT
        which = f"any {noun}" if out_of_reach else f"a {noun} of unknown size"
        why = wording.INSTEAD if missed == finding.result.estimate else missed.reason
        return f"{which} ({why})"
    if finding.result.scale == "ratio":
        share = 1 - 1 / missed if finding.claim.upwards else missed - 1
        return f"a {noun} under {display(100 * share)}%"
    unit = f" {finding.claim.metric.unit}" if finding.claim.metric.unit else ""
    return f"a {noun} under {display(missed)}{unit}"


def _with_margin(found: float, margin: float) -> float:
    return max(found, margin + BEYOND * found)


def _noun(claim: Claim) -> str:
    if claim.upwards:
        return "loss"
    return "slowdown" if claim.metric.unit in TIMES else "rise"
