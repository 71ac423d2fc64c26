"""Comparisons and histories as cases: a verdict each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchdata import verdicts
from benchdata.dataset import Dataset
from benchdata.errors import ANSWER_IS_NO
from benchdata.histories.series import History, Judged, Series
from benchdata.reports import comparison_formats
from benchdata.reports.ci.cases import Case, Outcome, only_file
from benchdata.reports.comparison import Compared, Comparison, compared
from benchdata.verdicts import UNCONDITIONAL, Conditions

OPEN = {"none", "cannot tell", "unstable"}
"""The verdicts that claim nothing: such a comparison is skipped."""


def of_comparisons(found: Iterable[Comparison], rows: Dataset) -> Iterator[Case]:
    """Yield a case a comparison; it stands in the only file of `rows`, the judged ones."""
    file = only_file(rows)
    for comparison in found:
        metric, axis = comparison.table.claim.metric.name, comparison.table.axis
        suite = f"compare {comparison.contract} by {axis} on {metric}"
        for line in comparison.lines:
            yield _of_line(suite, line, comparison.conditions, file)


def _of_line(suite: str, line: Compared, conditions: Conditions, file: str) -> Case:
    finding, loss = line.finding, conditions.no_worse_than
    lines = [comparison_formats.first_line(line), comparison_formats.said(line)]
    if loss is not None:
        lines.append(verdicts.no_worse_words(finding, loss))
    name = _named(finding.treatment.label, finding.baseline.label, line.context)
    outcome = _of_verdict(line, conditions)
    return Case(suite, name, outcome, str(line.verdict), (*lines, *line.remarks), file)


def _of_verdict(line: Compared, conditions: Conditions) -> Outcome:
    """Return whether a comparison fails its conditions, or is worse where there are none."""
    kind = line.verdict.kind
    if conditions == UNCONDITIONAL:
        failed = kind == "worse"
    else:
        failed = verdicts.exit_code([line.finding], conditions) == ANSWER_IS_NO
    if failed:
        return "failed"
    return "skipped" if kind in OPEN and conditions.no_worse_than is None else "passed"


def of_history(history: History, rows: Dataset) -> Iterator[Case]:
    """Yield a case a release that was judged: one that is worse and not lifted has failed."""
    file = only_file(rows)
    suite = f"history {history.contract.name} of {history.field} on {history.claim.metric.name}"
    for series in history.series:
        for judged in series.judged:
            yield _of_release(suite, series, judged, file)


def _of_release(suite: str, series: Series, judged: Judged, file: str) -> Case:
    line = compared(series.context, judged.finding)
    outcome: Outcome = "skipped" if judged.verdict.kind in OPEN else "passed"
    outcome = "failed" if judged.alarm else outcome
    fresh = [judged.confirmation.reason] if judged.confirmation else []
    lines = (comparison_formats.first_line(line), comparison_formats.said(line), *fresh)
    name = _named(judged.release.label, series.baseline.label, series.context)
    return Case(suite, name, outcome, judged.word, (*lines, *line.remarks), file)


def _named(treatment: str, baseline: str, context: str) -> str:
    where = f" ({context})" if context else ""
    return f"{treatment} against {baseline}{where}"
