"""What is shown beside a finding and never decides: tasks, tendency, bootstrap, reach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scipy.special import ndtri

from benchdata.comparisons.amounts import MANN_WHITNEY
from benchdata.comparisons.claims import Cells, Claim, cells, mean
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.methods import measure, shape_of
from benchdata.comparisons.results import Result
from benchdata.comparisons.scores import MCNEMAR, numbers
from benchdata.contracts.meaning import Metric
from benchdata.stats import ranks, tables
from benchdata.stats.bootstrap import bootstrap
from benchdata.stats.detectable import POWER, detectable_mean, detectable_shift
from benchdata.stats.intervals import NORMAL_QUANTILE, exponential
from benchdata.stats.ranks import Rankable
from benchdata.stats.results import ALPHA, CannotTell, Interval
from benchdata.stats.samples import sample, variance

WIDEST = 300.0
"""The largest logarithm of an effect that is told; what is made of it stays in double precision."""

SUCCESS = Metric("success", "", "", "higher", bounds=(0, 1))


@dataclass(frozen=True, slots=True)
class TaskPair:
    """One task that both arms scored: its means, and treatment - baseline (or the ratio).

    None where a run without a value or a 0 leaves none.
    """

    task: str
    baseline: float | None
    treatment: float | None
    effect: float | None
    repeats: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tendency:
    """How two groups of runs lie to each other.

    `share` is that of pairs in which the treatment is higher, ties by half; `cliffs_delta` from -1
    to 1, above 0 where the treatment is higher; then both medians.
    """

    share: float
    cliffs_delta: float
    medians: tuple[float | CannotTell, float | CannotTell]


def task_pairs(finding: Finding) -> tuple[TaskPair, ...]:
    """Return the tasks of a paired comparison, or of one over fixed tasks, sorted by id."""
    if finding.result.shape not in {"paired tasks", "fixed tasks"}:
        return ()
    a, b = _both(finding)
    ratio = finding.result.scale == "ratio"
    return tuple(_pair(task, a[task], b[task], ratio=ratio) for task in sorted(a.keys() & b.keys()))


def descriptive(finding: Finding) -> Interval | CannotTell | None:
    """Return the bootstrap interval over tasks of the estimate of paired tasks, else None."""
    if finding.result.shape != "paired tasks":
        return None
    effects = [pair.effect for pair in task_pairs(finding)]
    known = [effect for effect in effects if effect is not None]
    if len(known) < len(effects):
        return CannotTell("not estimable")
    if finding.result.scale != "ratio":
        return bootstrap(known)
    return exponential(bootstrap([math.log(effect) for effect in known]))


def tendency(finding: Finding) -> Tendency | None:
    """Return how runs of one task tend, where Mann-Whitney decides; else None."""
    if finding.result.test != MANN_WHITNEY:
        return None
    a, b = ([v for cell in side.values() for v in cell] for side in _both(finding))
    nulls = finding.claim.nulls
    counted = ranks.pairs(a, b, nulls=nulls)
    if isinstance(counted, CannotTell):
        return None
    medians = (ranks.median(a, nulls=nulls), ranks.median(b, nulls=nulls))
    delta = counted.cliffs_delta
    return Tendency((1 + delta) / 2, delta, medians)


def contradiction(finding: Finding) -> str:
    """Return both numbers where the shift and the difference of medians differ in sign."""
    found, result = tendency(finding), finding.result
    if found is None or isinstance(result.estimate, CannotTell):
        return ""
    before, after = found.medians
    if isinstance(before, CannotTell) or isinstance(after, CannotTell):
        return ""
    shift = result.estimate - (1 if result.scale == "ratio" else 0)
    if shift * (after - before) >= 0:
        return ""
    return (
        f"the shift and the difference of medians differ in sign: {result.estimate:.4g}"
        f" and {after - before:.4g}"
    )


def mid_p(finding: Finding) -> float | None:
    """Return McNemar's mid-p, where McNemar's test decides."""
    moved = finding.result.moved
    if finding.result.test != MCNEMAR or moved is None:
        return None
    return tables.mcnemar(moved.better, moved.worse).mid_p


def outcome(finding: Finding) -> Result | None:
    """Return how the success of both arms' scored runs compares; its p is raw.

    It stands beside a verdict on latency, which ranks runs that failed as the worst.
    """
    if finding.claim.kind != "amount":
        return None
    claim = Claim(SUCCESS, "pass", finding.claim.tasks, 0.0)
    a, b = (
        replace(arm, runs=[replace(run, value=int(run.success)) for run in arm.runs])
        for arm in finding.arms
    )
    found = measure(cells(a, claim), cells(b, claim), claim, shape_of(claim, a.tasks, b.tasks))
    return None if isinstance(found.estimate, CannotTell) else found


def detectable(finding: Finding) -> float | CannotTell:
    """Return the smallest effect that this design finds 8 times in 10, at the spread it has seen.

    A difference in the unit of the metric, or a ratio above 1; for the first step of the table's
    family, after all looks. Paired tasks and runs of one task have the power of their own tests,
    others that of a normal estimate with the interval's width. Nothing where the metric spans less.
    """
    found = _detectable(finding)
    return found if isinstance(found, CannotTell) else finding.claim.possible(found)


def _detectable(finding: Finding) -> float | CannotTell:
    comparisons = max(finding.placed.size, 1) * finding.looks
    shape = finding.result.shape
    if shape == "paired tasks":
        return _detectable_pairs(finding, comparisons)
    if finding.result.test == MANN_WHITNEY and shape == "one task":
        return _detectable_runs(finding, comparisons)
    return _detectable_width(finding, comparisons)


def _detectable_width(finding: Finding, comparisons: int) -> float | CannotTell:
    """Return the effect by the width of the interval: (z_level + z_power) standard errors.

    Source: Cohen 1988, "Statistical power analysis for the behavioral sciences", section 1.5.
    """
    found, ratio = finding.result.interval, finding.result.scale == "ratio"
    if isinstance(found, CannotTell):
        return found
    if found.low is None or found.high is None:
        return CannotTell("not estimable: an end of the interval is not reached")
    ends = [math.log(end) if ratio else end for end in (found.low, found.high)]
    error = (ends[1] - ends[0]) / 2 / NORMAL_QUANTILE
    effect = float(ndtri(1 - ALPHA / 2 / comparisons) + ndtri(POWER)) * error
    return _on_scale(effect, ratio=ratio)


def _detectable_pairs(finding: Finding, comparisons: int) -> float | CannotTell:
    effects = [pair.effect for pair in task_pairs(finding)]
    known = [effect for effect in effects if effect is not None]
    if len(known) < len(effects) or len(known) < 2:
        return CannotTell("not estimable")
    ratio = finding.result.scale == "ratio"
    spread = _deviation([math.log(effect) for effect in known] if ratio else known)
    found = detectable_mean(len(known), comparisons) if spread else CannotTell("no spread was seen")
    return found if isinstance(found, CannotTell) else _on_scale(found * spread, ratio=ratio)


def _detectable_runs(finding: Finding, comparisons: int) -> float | CannotTell:
    sides = [[v for cell in side.values() for v in cell] for side in _both(finding)]
    present = [[float(v) for v in side if v is not None] for side in sides]
    if any(len(p) < max(2, len(s)) for p, s in zip(present, sides, strict=True)):
        return CannotTell("not estimable among runs without a value")
    ratio = finding.result.scale == "ratio"
    values = [[math.log(v) for v in side] if ratio else side for side in present]
    # Of both groups, each around its own middle.
    spread = math.sqrt(sum(_deviation(side) ** 2 for side in values) / 2)
    if not spread:
        return CannotTell("no spread was seen")
    found = detectable_shift(len(values[0]), len(values[1]), comparisons)
    return found if isinstance(found, CannotTell) else _on_scale(found * spread, ratio=ratio)


def _on_scale(effect: float, *, ratio: bool) -> float | CannotTell:
    """Return an effect in the unit of the metric; of logarithms the ratio that they stand for."""
    if ratio and effect > WIDEST:
        return CannotTell("not estimable: the values spread too far")
    return math.exp(effect) if ratio else effect


def _deviation(values: Sequence[float]) -> float:
    return math.sqrt(variance(sample(values)))


def _pair(
    task: str, before: Sequence[Rankable], after: Sequence[Rankable], *, ratio: bool
) -> TaskPair:
    first, second = mean(before), mean(after)
    effect = None
    if first is not None and second is not None and (first or not ratio):
        effect = second / first if ratio else second - first
    return TaskPair(task, first, second, effect, (len(before), len(after)))


def _both(finding: Finding) -> tuple[Cells, Cells]:
    claim = finding.claim
    a, b = (cells(arm, claim) for arm in finding.arms)
    return (a, b) if claim.kind == "amount" else (_scores(a, claim), _scores(b, claim))


def _scores(found: Cells, claim: Claim) -> Cells:
    return dict(numbers(found, claim))
