"""A history as data: everything as JSON, one line a judged release as CSV."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from benchdata.contracts.fields import instant_text
from benchdata.histories.courses import Course
from benchdata.histories.series import History, Judged, Release, Series
from benchdata.reports.comparison import compared
from benchdata.reports.comparison_data import comparison_cells, line_data
from benchdata.reports.data import csv_text, interval_data, json_text, number_data
from benchdata.reports.history_tables import alarm_words
from benchdata.reports.notices import FOOTER
from benchdata.stats.results import CannotTell, known


def as_json(history: History) -> str:
    """Return everything as indented JSON, in a fixed order."""
    return json_text(document(history))


def document(history: History) -> dict[str, Any]:
    """Return the object form of a history."""
    claim = history.claim
    return {
        "schemaVersion": 1,
        "contract": history.contract.name,
        "metric": claim.metric.name,
        "unit": claim.metric.unit,
        "better": claim.metric.better,
        "tasks": claim.tasks,
        "minEffect": claim.min_effect,
        "field": history.field,
        "synthetic": history.synthetic,
        "series": [_series(one) for one in history.series],
        "withoutComparison": list(history.alone),
        "remark": FOOTER,
    }


def _series(series: Series) -> dict[str, Any]:
    return {
        "context": series.context,
        "baseline": series.baseline.label,
        "baselineRemark": series.thin,
        "releases": [_release(release) for release in series.releases],
        "judged": [_judged(judged, series.context) for judged in series.judged],
        **_course(series.course),
        "expectedAlarms": {
            "releases": series.alarms.releases,
            "days": series.alarms.days,
            "perYear": number_data(series.alarms.per_year),
            "computed": alarm_words(series.alarms),
        },
    }


def _release(release: Release) -> dict[str, Any]:
    summary = release.summary
    return {
        "release": release.label,
        "firstStart": instant_text(release.first),
        "lastStart": instant_text(release.last),
        "statistic": summary.statistic,
        "estimate": number_data(summary.estimate),
        "interval": interval_data(summary.interval),
        "n": summary.n,
        "rows": summary.runs,
        "scored": summary.scored,
        "succeeded": summary.succeeded,
        "spreads": [asdict(spread) for spread in release.spreads],
    }


def _judged(judged: Judged, context: str) -> dict[str, Any]:
    confirmation = judged.confirmation
    fresh = confirmation and confirmation.finding
    return {
        "release": judged.release.label,
        "word": judged.word,
        "wouldMiss": number_data(judged.missed),
        "driftCannotBeSeparated": judged.drift,
        "alarm": judged.alarm,
        "state": confirmation and confirmation.state,
        "stateReason": confirmation and confirmation.reason,
        "comparison": line_data(compared(context, judged.finding)),
        "freshComparison": line_data(compared(context, fresh)) if fresh else None,
    }


def _course(course: Course) -> dict[str, Any]:
    trend, levels = course.trend, course.levels
    return {
        "mannKendall": number_data(trend)
        if isinstance(trend, CannotTell)
        else {
            "s": trend.s,
            "tau": trend.tau,
            "n": trend.n,
            "p": trend.p,
            "floor": float(trend.floor),
            "method": trend.method,
        },
        "levels": number_data(levels)
        if isinstance(levels, CannotTell)
        else [asdict(level) for level in levels],
        "leftOut": course.left_out,
    }


def as_csv(history: History) -> str:
    """Return the history as CSV: one line a judged release."""
    lines = [
        {
            **comparison_cells(compared(series.context, judged.finding)),
            "first_start": instant_text(judged.release.first),
            "would_miss": known(judged.missed),
            "drift": judged.drift,
            "state": judged.confirmation and judged.confirmation.state,
        }
        for series in history.series
        for judged in series.judged
    ]
    return csv_text(list(lines[0]), (line.values() for line in lines))
