"""Is the median of one arm at most that of another? From the order statistics of both."""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.summaries import Summary, summarize
from benchdata.stats.families import Answer
from benchdata.stats.order_statistics import HALF, ranks

METHOD = (
    "yes when the upper end of the lane's 95% interval of the median is at most the lower end of"
    " the other's, no when its lower end is above the other's upper end: wrong at most once in 20"
)


Lacking = tuple[Arm, int]
"""An arm, and how many planned cells of it have no scored row."""


@dataclass(frozen=True, slots=True)
class AtMost:
    """The answer, and what each arm shows alone."""

    answer: Answer
    judged: Summary
    other: Summary


def at_most(claim: Claim, judged: Lacking, other: Lacking) -> AtMost:
    """Answer whether the median of an arm is at most that of another, in one task.

    Each interval misses its median on the side that matters at most once in 40, so both together
    once in 20. Runs without a value rank highest. Planned cells without a scored row count against
    either answer.
    Source: David and Nagaraja 2003, "Order statistics", section 7.1; Bonferroni.
    """
    answer: Answer = "cannot tell"
    upper, bound = _end(claim, judged, math.inf, high=True), _end(claim, other, -math.inf)
    lower, limit = _end(claim, judged, -math.inf), _end(claim, other, math.inf, high=True)
    if math.isfinite(upper) and upper <= bound:
        answer = "yes"
    elif math.isfinite(limit) and lower > limit:
        answer = "no"
    return AtMost(answer, summarize(judged[0], claim), summarize(other[0], claim))


def _end(claim: Claim, of: Lacking, filled: float, *, high: bool = False) -> float:
    """Return an end of the interval of the median, missing cells filled; infinite without one.

    Unlike an interval that is shown it may have no width: tied values bound the median too.
    """
    arm, missing = of
    present = [claim.value_of(run) for run in arm.runs if claim.counts(run)]
    values = [math.inf if value is None else float(value) for value in present]
    ordered = sorted([*values, *[filled] * missing])
    found = ranks(len(ordered), HALF)
    rank = found.high if high else found.low
    if rank is None:
        return math.inf if high else -math.inf
    return ordered[rank - 1]
