"""Findings as the charts of every report take them: one frame or one chart for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import polars as pl

from benchdata import charts
from benchdata.comparisons import curves, details
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.guards import NO_ORDER, ordered
from benchdata.comparisons.results import Scale
from benchdata.numbers import display
from benchdata.reports.report import Prose
from benchdata.stats.independence import LEAST_ROWS
from benchdata.stats.results import CannotTell, Interval, ends, known
from benchdata.verdicts import Verdict

if TYPE_CHECKING:
    import altair as alt

FOREST = {
    "group": pl.String,
    **dict.fromkeys(("estimate", "low", "high", "n", "p"), pl.Float64),
    "verdict": pl.String,
}


def unit_of(claim: Claim, scale: Scale) -> str:
    """Return what an estimate on a scale is measured in."""
    if scale == "ratio":
        return "ratio"
    return claim.metric.unit or "difference"


def value_unit(claim: Claim) -> str:
    """Return what a value of the metric is measured in."""
    return claim.metric.unit or ("share" if claim.metric.bounds == (0, 1) else "score")


def forest(
    named: Sequence[tuple[str, Finding, Verdict]], *, subject: str, name: str = "forest"
) -> Iterator[alt.TopLevelMixin | Prose]:
    """Yield a forest for each scale that the findings are on, and say which have no estimate."""
    scales = dict.fromkeys(finding.result.scale for _, finding, _ in named)
    lacking = []
    for scale in scales:
        rows = []
        for group, finding, verdict in named:
            if finding.result.scale != scale:
                continue
            if isinstance(finding.result.estimate, CannotTell):
                lacking.append(f"{group}: {finding.result.estimate.reason}.")
            else:
                rows.append((group, *_placed(finding), str(verdict.word)))
        if not rows:
            continue
        claim = named[0][1].claim
        size = 0.0 if scale == "shift" else claim.min_effect
        yield charts.forest(
            pl.DataFrame(rows, FOREST, orient="row"),
            subject=subject,
            unit=unit_of(claim, scale),
            min_effect=size,
            ratio=scale == "ratio",
            interval=interval_words([finding for _, finding, _ in named]),
            name=name,
        )
    if lacking:
        yield Prose("No estimate:", "\n".join(f"- {line}" for line in lacking))


def interval_words(found: Iterable[Finding]) -> str:
    """Return what the bars of several findings are: their level and method where they share one."""
    bounds = [finding.result.interval for finding in found]
    kinds = {(one.level, one.method) for one in bounds if isinstance(one, Interval)}
    if len(kinds) != 1:
        return "interval"
    ((level, method),) = kinds
    return f"{display(100 * level)}% interval ({method})"


def _placed(finding: Finding) -> tuple[float | None, ...]:
    result, p = finding.result, finding.placed.adjusted_p
    n, m = result.n
    return (
        known(result.estimate),
        *ends(result.interval),
        n if result.shape == "paired tasks" else n + m,
        None if p is None else float(p),
    )


def slopes(finding: Finding, subject: str) -> alt.TopLevelMixin:
    """Draw the task means of both arms, a line a task."""
    pairs = details.task_pairs(finding)
    rows = [(pair.task, pair.baseline, pair.treatment) for pair in pairs]
    schema = {"task": pl.String, "baseline": pl.Float64, "treatment": pl.Float64}
    return charts.slopes(
        pl.DataFrame(rows, schema, orient="row"),
        subject=subject,
        unit=value_unit(finding.claim),
        arms=(finding.baseline.label, finding.treatment.label),
    )


def ecdf(finding: Finding, subject: str) -> alt.TopLevelMixin:
    """Draw the share of runs at or below each value, a curve an arm."""
    rows = [
        (arm.label, None if value is None else float(value))
        for arm in finding.arms
        for value in values(arm, finding.claim)
    ]
    frame = pl.DataFrame(rows, {"group": pl.String, "value": pl.Float64}, orient="row")
    return charts.ecdf(frame, subject=subject, unit=value_unit(finding.claim))


def values(arm: Arm, claim: Claim) -> list[float | None]:
    """Return the value of every run that counts, None where it ranks worst."""
    found = (claim.value_of(run) for run in arm.runs if claim.counts(run))
    return [None if value is None else float(value) for value in found]


def differences(finding: Finding, subject: str) -> alt.TopLevelMixin | Prose:
    """Draw the difference of every task that both arms scored, of a ratio in percent."""
    pairs = details.task_pairs(finding)
    if not pairs:
        return Prose(f"{subject}: no task is paired with another, so none has a difference.")
    result = finding.result
    ratio = result.scale == "ratio"
    rows = [(pair.task, _change(pair.effect, ratio=ratio)) for pair in pairs]
    schema = {"task": pl.String, "difference": pl.Float64}
    numbers = known(result.estimate), *ends(result.interval)
    mean = [_change(value, ratio=ratio) for value in numbers]
    return charts.differences(
        pl.DataFrame(rows, schema, orient="row"),
        pl.DataFrame([mean], dict.fromkeys(("estimate", "low", "high"), pl.Float64), orient="row"),
        subject=subject,
        unit="% of the baseline" if ratio else unit_of(finding.claim, result.scale),
        # of a ratio M has two ends, which are not equally far from 0 %
        min_effect=finding.claim.min_effect if result.scale == "difference" else 0.0,
        interval=result.interval.method if isinstance(result.interval, Interval) else "interval",
    )


def _change(value: float | None, *, ratio: bool) -> float | None:
    return 100 * (value - 1) if ratio and value is not None else value


def collection(finding: Finding, subject: str) -> alt.TopLevelMixin | Prose:
    """Draw how the runs rank in the order in which they started, with what the guard said."""
    if not all(map(ordered, finding.arms)):
        return Prose(f"{subject}: {NO_ORDER}.")
    claim = finding.claim
    runs = [(arm.label, run) for arm in finding.arms for run in arm.runs if claim.counts(run)]
    beyond = float("-inf") if claim.upwards else float("inf")
    values = [claim.value_of(run) for _, run in runs]
    ranks = pl.Series([beyond if v is None else float(v) for v in values], dtype=pl.Float64).rank()
    frame = pl.DataFrame(
        {
            "time": [run.start for _, run in runs],
            "group": [label for label, _ in runs],
            "rank": ranks,
        }
    )
    if runs and not isinstance(runs[0][1].start, datetime):
        return Prose(f"{subject}: the rows tell their order, but no time.")
    return charts.collection_order(frame, _guarded(finding), subject=subject)


def _guarded(finding: Finding) -> str:
    """Return what the guard for independence said of both arms."""
    if finding.dependent:
        return f"The guard for independence speaks: {finding.dependent}."
    counts = [sum(map(finding.claim.counts, arm.runs)) for arm in finding.arms]
    if min(counts) < LEAST_ROWS:
        return f"The guard for independence needs {LEAST_ROWS} rows an arm."
    return "The guard for independence is silent: it does not find that rows follow each other."


def power(
    named: Sequence[tuple[str, Finding]], subject: str
) -> Iterator[alt.TopLevelMixin | Prose]:
    """Yield a curve for each finding: how often its design finds an effect of every size."""
    rows: list[tuple[str, float, float]] = []
    silent = []
    ratio = any(finding.result.scale == "ratio" for _, finding in named)
    for group, finding in named:
        found = curves.power_curve(finding)
        if isinstance(found, CannotTell):
            silent.append(f"{group}: {found.reason}.")
        elif (finding.result.scale == "ratio") == ratio:
            rows += [(group, _change(e, ratio=ratio) or 0.0, chance) for e, chance in found]
    if rows:
        claim = named[0][1].claim
        schema = {"group": pl.String, "effect": pl.Float64, "chance": pl.Float64}
        yield charts.power_curve(
            pl.DataFrame(rows, schema, orient="row"),
            unit="% slower or dearer" if ratio else unit_of(claim, "difference"),
            min_effect=100 * claim.min_effect if ratio else claim.min_effect,
            subject=subject,
        )
    if silent:
        yield Prose("No power curve:", "\n".join(f"- {line}" for line in silent))
