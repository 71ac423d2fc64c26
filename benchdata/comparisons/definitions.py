"""What the numbers of a report are, in the words that stand beside them wherever they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from benchdata.comparisons.claims import Claim
from benchdata.comparisons.summaries import Statistic
from benchdata.contracts.meaning import Metric

P50 = "p50 by nearest rank (of two middle values the lower)"
MEDIAN = "median (of two middle values their midpoint)"
NEAREST_RANK = (
    "Percentiles are nearest rank: the smallest value with at least that share of the group at or"
    " below it. So a p50 is the lower of two middle values, of all scored rows that have one; the"
    " median of a comparison is the midpoint of the two."
)
FAILURE_RATE = (
    "A failure rate counts the failed of all scored rows, partial ones are not among them; in"
    " brackets stands its 95% interval (Wilson)."
)
VALUES: Mapping[Statistic, str] = {
    "rate": "the share of runs that passed",
    "mean of task means": "the mean over tasks of the mean of their runs",
    "mean over tasks": "the mean over these tasks of the mean of their runs",
    "median": f"the {MEDIAN}",
    "geometric mean": "the geometric mean over tasks",
}


def of_values(claim: Claim, statistics: Iterable[Statistic]) -> str:
    """Return what the values of arms are: their unit, how runs make one, which runs rank worst."""
    what = "; or ".join(VALUES[each] for each in dict.fromkeys(statistics))
    unit = f" in {claim.metric.unit}" if claim.metric.unit else ""
    counted = "tasks" if claim.tasks == "sampled" else "runs"
    return f"A value{unit} is {what}. {ranked_worst(claim.metric)}n counts {counted}."


def ranked_worst(metric: Metric) -> str:
    """Return which runs rank worst on a metric as a sentence and a blank, or nothing."""
    which = {
        ("worst", "measured"): "without a value",
        ("absent", "worst"): "that did not succeed",
        ("worst", "worst"): "that did not succeed or has no value",
    }.get((metric.null_ranks, metric.failure_ranks))
    return f"A run {which} counts as the worst. " if which else ""
