"""A history in words and tables: first lines, verdicts, alarms, pins, and the course over all."""

from __future__ import annotations

from collections.abc import Iterator

from benchdata.comparisons import definitions, reach, wording
from benchdata.comparisons.guards import DRIFT
from benchdata.contracts.fields import instant_text
from benchdata.errors import counted
from benchdata.histories.courses import Alarms, Course, Level
from benchdata.histories.series import History, Judged, Series
from benchdata.numbers import MISSING, display, p_text
from benchdata.reports.comparison_formats import (
    effect_text,
    interval_cell,
    own_text,
    p_after_holm,
    size_text,
)
from benchdata.reports.tables import Column, Table, of_columns
from benchdata.stats.results import CannotTell

VERDICTS: tuple[Column[Judged], ...] = (
    ("Release", "left", lambda judged: judged.release.label),
    ("First start", "left", lambda judged: instant_text(judged.release.first)),
    ("Value", "right", lambda judged: own_text(judged.release.summary)),
    ("p75 / p25", "right", lambda judged: display(judged.release.spread)),
    ("Effect", "right", lambda judged: wording.estimate(judged.finding)),
    ("Interval", "right", lambda judged: interval_cell(judged.finding)),
    ("p", "right", lambda judged: wording.p_cell(judged.finding)),
    ("Would miss", "left", lambda judged: reach.words(judged.finding, judged.missed)),
    ("Time", "left", lambda judged: DRIFT if judged.drift else "interleaved"),
    ("Verdict", "left", lambda judged: judged.word),
)


def first_line(series: Series) -> str:
    """Return `V against B: VERDICT on METRIC …; this gate would miss a slowdown under X%`."""
    judged = series.newest
    finding = judged.finding
    where = f" ({series.context})" if series.context else ""
    found = f"{effect_text(finding)}, {p_after_holm(finding)}, {size_text(finding.result)}"
    if judged.verdict.kind == "cannot tell":
        found = judged.verdict.reason
    drift = f"; {DRIFT}" if judged.drift else ""
    return (
        f"{judged.release.label} against {series.baseline.label}{where}: {judged.word} on"
        f" {finding.claim.metric.name}; {found}{drift}; this gate would miss"
        f" {reach.words(finding, judged.missed)}."
    )


def definition(history: History) -> str:
    """Return what the values of the releases are, and in which unit."""
    releases = (release for series in history.series for release in series.releases)
    return definitions.of_values(history.claim, (one.summary.statistic for one in releases))


def verdicts(series: Series) -> Table:
    """Return a line a release that was judged, in order of first start."""
    title = f"Against {series.baseline.label}"
    caption = f"{title}, {series.context}" if series.context else title
    return of_columns(caption, VERDICTS, series.judged)


def alarms(series: Series) -> Table:
    """Return a line a release that was found worse: whether fresh repeats agree, and why not."""
    rows = tuple(
        (judged.release.label, judged.confirmation.state, judged.confirmation.reason)
        for judged in series.judged
        if judged.confirmation
    )
    none = ((MISSING, "no alarm", MISSING),)
    return Table("Alarms", ("Release", "State", "Reason"), rows or none, ("left",) * 3)


def pins(series: Series) -> Table:
    """Return a line a pin that differs between a release and the baseline."""
    rows = tuple(
        (judged.release.label, pin) for judged in series.judged for pin in judged.finding.pins
    )
    return Table("Pins changed", ("Release", "Pin"), rows or ((MISSING, "none"),), ("left",) * 2)


def remarks(series: Series) -> Iterator[str]:
    """Yield what is said of all releases together, and decides nothing."""
    yield f"baseline {series.baseline.label}: {own_text(series.baseline.summary)}"
    if series.thin:
        yield f"{series.thin}: its own chance error is in every comparison with it"
    yield from course(series)
    yield alarm_words(series.alarms)


def course(series: Series) -> Iterator[str]:
    """Yield what the estimates of the releases show in order of first start: reported only."""
    found = series.course
    yield trend(found)
    yield from map(_level, levels(found))
    yield from unmoved(series)
    if found.left_out:
        n = len(series.releases)
        yield f"{counted(found.left_out, 'release')} of {n} without an estimate, left out of these"


def trend(found: Course) -> str:
    """Return what the test for a trend over all releases found."""
    if isinstance(found.trend, CannotTell):
        return f"Mann-Kendall over the releases: {found.trend}"
    return (
        f"Mann-Kendall over {counted(found.trend.n, 'release')}: tau {found.trend.tau:.2f},"
        f" p {p_text(found.trend.p)} ({found.trend.method}), reported only"
    )


def levels(found: Course) -> tuple[Level, ...]:
    """Return the changes of level, none where none can be told."""
    return () if isinstance(found.levels, CannotTell) else found.levels


def unmoved(series: Series) -> Iterator[str]:
    """Yield why there is no change of level, where there is none."""
    found = series.course
    if isinstance(found.levels, CannotTell):
        yield f"change points: {found.levels}"
    elif not found.levels:
        releases = counted(len(series.releases) - found.left_out, "release")
        yield f"no change of level over {releases}"


def alarm_words(found: Alarms) -> str:
    """Return how many false alarms a year to expect, and how that was computed."""
    if isinstance(found.per_year, CannotTell):
        return f"expected false alarms a year: {found.per_year}"
    releases = counted(found.releases, "release")
    return (
        f"expected false alarms a year: at most {display(found.per_year)}: {releases} judged in"
        f" {display(found.days)} days, each worse by chance with at most 2.5% (the worse half of"
        " the two-sided 5%), before fresh repeats"
    )


def _level(level: Level) -> str:
    return (
        f"change of level at {level.release}: {display(level.before)} to {display(level.after)}"
        f" (medians of releases, p {p_text(level.p)})"
    )
