"""Charts of one series of a history; fixed tasks are drawn one by one and never pooled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import polars as pl

from benchdata import charts
from benchdata.comparisons.claims import cells
from benchdata.comparisons.definitions import MEDIAN
from benchdata.histories.series import History, Release, Series
from benchdata.reports import history_tables
from benchdata.reports.report import Prose
from benchdata.reports.subjects import findings, samples
from benchdata.stats.results import ends, known

if TYPE_CHECKING:
    import altair as alt

VERSION = {"version": pl.String}
SHIFT = {
    **VERSION,
    **dict.fromkeys(("estimate", "low", "high"), pl.Float64),
    "verdict": pl.String,
}


def subject(words: str, *where: str) -> str:
    """Return what a chart is about, and of which context and task."""
    return ": ".join(filter(None, (words, " · ".join(filter(None, where)))))


def runs(made: History, series: Series) -> Iterator[alt.TopLevelMixin]:
    """Yield the runs of all releases with their medians, a chart a task."""
    metric = made.claim.metric
    for task in _tasks(made, series):
        frame = _frame(made, series.releases, task)
        middles = samples.medians(frame, metric, nearest_rank=False)
        yield charts.version_runs(
            frame.rename({"group": "version"}),
            middles.rename({"group": "version"}),
            subject=subject(f"{metric.label} by release", series.context, task),
            unit=findings.value_unit(made.claim),
            middle=MEDIAN,
            interval=samples.INTERVAL,
        )


def shifts(made: History, series: Series) -> Iterator[alt.TopLevelMixin | Prose]:
    """Yield the shift of each release against the baseline, a chart for each scale."""
    claim = made.claim
    for scale in dict.fromkeys(judged.finding.result.scale for judged in series.judged):
        rows = [
            (
                judged.release.label,
                known(judged.finding.result.estimate),
                *ends(judged.finding.result.interval),
                judged.verdict.word,
            )
            for judged in series.judged
            if judged.finding.result.scale == scale
        ]
        yield charts.version_shifts(
            pl.DataFrame(rows, SHIFT, orient="row"),
            subject=subject(f"Shift against {series.baseline.label}", series.context),
            unit=findings.unit_of(claim, scale),
            min_effect=0.0 if scale == "shift" else claim.min_effect,
            ratio=scale == "ratio",
            interval=findings.interval_words(judged.finding for judged in series.judged),
        )


def course(made: History, series: Series) -> alt.TopLevelMixin:
    """Draw the estimates of all releases, changes of level as upright lines."""
    rows = [(one.label, known(one.summary.estimate)) for one in series.releases]
    said = history_tables.trend(series.course), *history_tables.unmoved(series)
    turns = history_tables.levels(series.course)
    return charts.version_changes(
        pl.DataFrame(rows, {**VERSION, "p50": pl.Float64}, orient="row"),
        pl.DataFrame(
            [(level.release, level.before, level.after) for level in turns],
            {**VERSION, "before": pl.Float64, "after": pl.Float64},
            orient="row",
        ),
        [f"{words[0].upper()}{words[1:]}." for words in said],
        subject=subject(
            f"{made.claim.metric.label}, {series.baseline.summary.statistic}", series.context
        ),
        unit=findings.value_unit(made.claim),
    )


def newest(made: History, series: Series) -> Iterator[alt.TopLevelMixin]:
    """Yield the runs of the newest release beside those of the baseline, a chart a task."""
    judged = series.newest
    words = f"{judged.release.label} against {series.baseline.label}"
    for task in _tasks(made, series):
        yield charts.ecdf(
            _frame(made, (series.baseline, judged.release), task),
            subject=subject(f"{made.claim.metric.label}: {words}", series.context, task),
            unit=findings.value_unit(made.claim),
        )


def spread(_: History, series: Series) -> alt.TopLevelMixin:
    """Draw p75 / p25 of each release, of several tasks the largest."""
    rows = [(release.label, release.spread) for release in series.releases]
    return charts.version_spread(
        pl.DataFrame(rows, {**VERSION, "spread": pl.Float64}, orient="row"),
        subject=subject(
            "Spread by release: p75 / p25, of several tasks the largest", series.context
        ),
    )


def _frame(made: History, releases: Iterable[Release], task: str) -> pl.DataFrame:
    """Return `group, value`: the runs of each release in a task."""
    rows = [(one.label, value) for one in releases for value in _values(made, one, task)]
    return pl.DataFrame(rows, {"group": pl.String, "value": pl.Float64}, orient="row")


def _tasks(made: History, series: Series) -> Sequence[str]:
    """Return the fixed tasks, which are never pooled; "" stands for all sampled ones."""
    if made.claim.tasks == "sampled":
        return ("",)
    return sorted({task for release in series.releases for task in release.arm.tasks})


def _values(made: History, release: Release, task: str) -> Iterator[float | None]:
    """Yield the runs of a fixed task, or the means of sampled ones; None where one ranks worst."""
    found = cells(release.arm, made.claim)
    if made.claim.tasks == "sampled":
        for cell in found.values():
            known = [float(value) for value in cell if value is not None]
            yield sum(known) / len(known) if len(known) == len(cell) else None
        return
    for value in found.get(task, ()):
        yield None if value is None else float(value)
