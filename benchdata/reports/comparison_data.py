"""A comparison as data: everything as JSON, one line a comparison as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from benchdata import verdicts
from benchdata.comparisons import details
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.summaries import Summary
from benchdata.contracts.fields import instant_text
from benchdata.reports.comparison import Compared, Comparison
from benchdata.reports.data import csv_text, interval_data, json_text, number_data
from benchdata.reports.notices import FOOTER
from benchdata.stats.results import Interval, ends, known

HEAD = (
    *("treatment", "baseline", "context", "metric", "verdict", "reason", "scale", "estimate"),
    *("low", "high", "level", "p", "adjusted_p", "family", "n_baseline", "n_treatment", "unit"),
    *("test", "method", "set_aside", "missing_baseline", "missing_treatment"),
)


def as_json(comparisons: Sequence[Comparison]) -> str:
    """Return everything as indented JSON, in a fixed order: of several tables, an array."""
    documents = [document(comparison) for comparison in comparisons]
    return json_text(documents if len(documents) > 1 else documents[0])


def document(comparison: Comparison) -> dict[str, Any]:
    """Return the object form of a comparison."""
    table = comparison.table
    claim = table.claim
    return {
        "schemaVersion": 1,
        "contract": comparison.contract,
        "metric": claim.metric.name,
        "unit": claim.metric.unit,
        "better": claim.metric.better,
        "tasks": claim.tasks,
        "minEffect": claim.min_effect,
        "minEffectOverridden": claim.overridden,
        "axis": table.axis,
        "baseline": table.baseline,
        "baselineIsFirstInOrder": table.first,
        "synthetic": comparison.synthetic,
        "comparisons": [
            line_data(line) | _answer(line.finding, comparison.conditions.no_worse_than)
            for line in comparison.lines
        ],
        "withoutCounterpart": list(table.alone),
        "noResults": list(table.no_results),
        "remark": FOOTER,
    }


def line_data(line: Compared) -> dict[str, Any]:
    """Return one comparison with everything that is said of it."""
    finding, result, standing = line.finding, line.finding.result, line.finding.placed
    outcome = details.outcome(finding)
    return {
        "context": line.context,
        "verdict": str(line.verdict),
        "kind": line.verdict.kind,
        "reason": line.verdict.reason,
        "scale": result.scale,
        "estimate": number_data(result.estimate),
        "interval": interval_data(result.interval),
        "descriptiveInterval": interval_data(line.descriptive),
        "test": result.test,
        "method": result.method,
        "p": float(finding.p),
        "exactP": str(finding.p),
        "adjustedP": None if standing.adjusted_p is None else float(standing.adjusted_p),
        "family": standing.size,
        "floor": float(result.floor),
        "adjustedFloor": float(standing.adjusted_floor),
        "midP": details.mid_p(finding),
        "outcomeP": outcome and float(outcome.p),
        "smallestEffectFound8In10": number_data(line.reach),
        "n": list(result.n),
        "nUnit": result.unit,
        "shape": result.shape,
        "moved": asdict(result.moved) if result.moved else None,
        "setAside": result.set_aside,
        "missing": list(finding.missing),
        "looks": finding.looks,
        "hidden": list(finding.hidden),
        "pinsChanged": list(finding.pins),
        "tendency": _tendency(finding),
        "sides": [
            _side(finding.baseline, line.baseline),
            _side(finding.treatment, line.treatment),
        ],
        "tasks": [asdict(pair) for pair in details.task_pairs(finding)],
        "remarks": list(line.remarks),
    }


def _answer(finding: Finding, loss: float | None) -> dict[str, Any]:
    """Return what is said of a loss that is to be excluded, where one is."""
    if loss is None:
        return {}
    words, shown = verdicts.no_worse_words(finding, loss), verdicts.no_worse(finding, loss)
    return {"noWorse": {"than": loss, "shown": shown, "answer": words}}


def _side(arm: Arm, summary: Summary) -> dict[str, Any]:
    return {
        "label": arm.label,
        "fields": {path: _plain(value) for path, value in arm.fields.items()},
        "statistic": summary.statistic,
        "estimate": number_data(summary.estimate),
        "interval": interval_data(summary.interval),
        "descriptiveInterval": interval_data(summary.descriptive),
        "n": summary.n,
        "rows": summary.runs,
        "scored": summary.scored,
        "succeeded": summary.succeeded,
    }


def _tendency(finding: Finding) -> dict[str, Any] | None:
    found = details.tendency(finding)
    if found is None:
        return None
    return {
        "treatmentHigher": found.share,
        "cliffsDelta": found.cliffs_delta,
        "medians": [number_data(median) for median in found.medians],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return instant_text(value)
    return value.isoformat() if isinstance(value, date) else value


def as_csv(comparisons: Sequence[Comparison]) -> str:
    """Return tables as one CSV: a line a comparison, which names its metric."""
    lines = (comparison_cells(line) for comparison in comparisons for line in comparison.lines)
    return csv_text(HEAD, ([line[name] for name in HEAD] for line in lines))


def comparison_cells(line: Compared) -> dict[str, Any]:
    """Return one comparison as the cells of a line."""
    finding, result, standing = line.finding, line.finding.result, line.finding.placed
    bounds = result.interval if isinstance(result.interval, Interval) else None
    low, high = ends(result.interval)
    return {
        "treatment": finding.treatment.label,
        "baseline": finding.baseline.label,
        "context": line.context,
        "metric": finding.claim.metric.name,
        "verdict": line.verdict.word,
        "reason": line.verdict.reason,
        "scale": result.scale,
        "estimate": known(result.estimate),
        "low": low,
        "high": high,
        "level": bounds and bounds.level,
        "p": float(finding.p),
        "adjusted_p": None if standing.adjusted_p is None else float(standing.adjusted_p),
        "family": standing.size,
        "n_baseline": result.n[0],
        "n_treatment": result.n[1],
        "unit": result.unit,
        "test": result.test,
        "method": result.method,
        "set_aside": result.set_aside,
        "missing_baseline": finding.missing[0],
        "missing_treatment": finding.missing[1],
    }
