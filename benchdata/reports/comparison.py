"""A comparison as it is reported: the table, each verdict, and what is shown beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchdata import verdicts
from benchdata.comparisons import details, summaries, wording
from benchdata.comparisons.amounts import NO_MEAN
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.reach import TIMES
from benchdata.comparisons.summaries import Summary
from benchdata.comparisons.tables import Table
from benchdata.errors import counted
from benchdata.numbers import display, p_text
from benchdata.stats.results import CannotTell, Interval
from benchdata.stats.shifts import NOT_ESTIMABLE
from benchdata.verdicts import UNCONDITIONAL, Conditions, Verdict

NONE_OF_AMOUNTS = (NO_MEAN, NOT_ESTIMABLE)
HIGHER, SLOWER = ("lower", "higher"), ("faster", "slower")


@dataclass(frozen=True, slots=True)
class Compared:
    """One line of the table, with everything that is said of it.

    `reach` is the smallest effect found 8 times in 10, asked for where no difference is shown.
    """

    context: str
    finding: Finding
    verdict: Verdict
    baseline: Summary
    treatment: Summary
    descriptive: Interval | CannotTell | None
    reach: float | CannotTell | None
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All lines of one table; the `conditions` that it is held to are answered in it."""

    contract: str
    table: Table
    lines: tuple[Compared, ...]
    conditions: Conditions = UNCONDITIONAL

    @property
    def guessed(self) -> bool:
        """Return whether conditions hang on a baseline that nobody chose."""
        return self.table.first and self.conditions != UNCONDITIONAL

    @property
    def synthetic(self) -> bool:
        """Return whether any line is a pipeline proof."""
        return any(line.verdict.kind == "none" for line in self.lines)


def report(contract: str, table: Table) -> Comparison:
    """Return a table of findings with verdicts and details."""
    lines = zip(table.contexts, table.findings, strict=True)
    return Comparison(contract, table, tuple(compared(*line) for line in lines))


def compared(context: str, finding: Finding) -> Compared:
    """Return one finding, placed in its table, with its verdict and details."""
    verdict = verdicts.decide(finding)
    asked = verdict.kind == "no difference shown"
    return Compared(
        context=context,
        finding=finding,
        verdict=verdict,
        baseline=summaries.summarize(finding.baseline, finding.claim),
        treatment=summaries.summarize(finding.treatment, finding.claim),
        descriptive=details.descriptive(finding),
        reach=details.detectable(finding) if asked else None,
        remarks=tuple(_remarks(finding)),
    )


def _remarks(finding: Finding) -> Iterator[str]:
    """Yield what a reader must know of one line, beside its verdict."""
    yield from _cells(finding)
    yield from filter(None, _tests(finding))
    yield from finding.result.notes
    yield from finding.notes


def _cells(finding: Finding) -> Iterator[str]:
    """Yield what is missing, set aside or far apart."""
    if aside := finding.result.set_aside:
        repeats = counted(aside, "repeat")
        yield f"{repeats} beyond those of the other arm in the estimate, not in p"
    for arm, count in zip(finding.arms, finding.missing, strict=True):
        if count:
            yield f"{counted(count, 'planned cell')} of {arm.label} without a scored value"
    for arm, swing in zip(finding.arms, finding.swings, strict=True):
        if swing.words:
            yield f"{arm.label}: {swing.words}"


def _tests(finding: Finding) -> Iterator[str]:
    """Yield what other statistics say, or nothing where one has nothing to say."""
    bounds = finding.result.interval
    note = "" if isinstance(bounds, CannotTell) else bounds.note
    yield note and f"interval: {note}"
    if finding.result.estimate in NONE_OF_AMOUNTS:
        yield f"p ranks runs that failed or have no value as the worst: {wording.INSTEAD}"
    yield tendency_words(finding)
    yield details.contradiction(finding)
    mid, outcome = details.mid_p(finding), details.outcome(finding)
    yield "" if mid is None else f"mid-p {p_text(mid)}, which decides nothing"
    if outcome is not None:
        p = p_text(outcome.p)
        yield f"outcomes: {outcomes(finding)}, {outcome.test} p {p}, raw"


def tendency_words(finding: Finding) -> str:
    """Return `B tends to be higher, in 78% of 100 pairs`, where Mann-Whitney decides."""
    found = details.tendency(finding)
    if found is None:
        return ""
    n, m = finding.result.n
    words = SLOWER if finding.claim.metric.unit in TIMES else HIGHER
    share = max(found.share, 1 - found.share)
    pairs = f"{display(100 * share)}% of {n * m:,} pairs, ties by half"
    delta = f"(Cliff's delta {found.cliffs_delta:.2f})"
    if not found.cliffs_delta:
        return f"neither tends to be {words[1]} {delta}"
    return f"{finding.treatment.label} tends to be {words[found.share > 0.5]}, in {pairs} {delta}"


def outcomes(finding: Finding) -> str:
    """Return how many scored runs of each arm were a success."""
    counts = [sum(run.scored and run.success for run in arm.runs) for arm in finding.arms]
    parts = zip(finding.arms, counts, strict=True)
    return ", ".join(f"{arm.label} {count} of {arm.scored} succeeded" for arm, count in parts)
