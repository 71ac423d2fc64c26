"""How the numbers of a comparison are written, in reasons and in tables alike."""

from __future__ import annotations

from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.results import Result
from benchdata.errors import counted
from benchdata.numbers import MISSING, display, p_text, span
from benchdata.stats import floors
from benchdata.stats.results import CannotTell, Interval

INSTEAD = "see the outcomes, or judge by a metric that every run has"
"""What to do where failed runs leave an amount without an estimate."""


def p_cell(finding: Finding) -> str:
    """Return the raw p of a finding, a dash where there was nothing to test."""
    return MISSING if finding.result.empty else p_text(finding.p)


def effect(claim: Claim, size: float) -> str:
    """Return an effect as M is given: 0.05 of a score, 5% of an amount."""
    return f"{display(100 * size)}%" if claim.kind == "amount" else display(size)


def estimate(finding: Finding) -> str:
    """Return the estimate: +0.24, ×1.31, +12 ms, or why there is none."""
    result = finding.result
    if isinstance(result.estimate, CannotTell):
        return result.estimate.reason
    return number(finding, result.estimate)


def number(finding: Finding, value: float) -> str:
    """Return a number on the scale of the finding's estimate."""
    if finding.result.scale == "ratio":
        return f"×{display(value)}"
    unit = f" {finding.claim.metric.unit}" if finding.claim.metric.unit else ""
    sign = "+" if value > 0 else "\N{MINUS SIGN}" if value < 0 else ""
    return f"{sign}{display(abs(value))}{unit}"


def interval(finding: Finding, found: Interval | CannotTell) -> str:
    """Return an interval on the scale of the finding's estimate, or why there is none."""
    if isinstance(found, CannotTell):
        return found.reason
    return span(found.low, found.high, lambda end: number(finding, end))


def units(result: Result) -> str:
    """Return the size of the design: 6 tasks, 3 against 3 repeats."""
    n, m = result.n
    if result.shape == "paired tasks":
        return counted(n, "task")
    noun = "tasks" if result.unit == "task" else "repeats"
    return f"{n:,} against {m:,} {noun}"


def family(finding: Finding) -> str:
    """Return by how many comparisons p was adjusted."""
    size = finding.placed.size
    return "" if size <= 1 else f" after Holm over {size}"


def suffices(finding: Finding) -> str:
    """Return the n a side that could reach .05 in this table."""
    result = finding.result
    if result.floor_at is None:
        return "no n is known to suffice"
    need = floors.suffices(result.floor_at, max(finding.placed.size, 1) * finding.looks)
    if isinstance(need, CannotTell):
        return need.reason
    each = " in each task" if result.shape == "fixed tasks" else ""
    return f"{need:,}{each} suffice"
