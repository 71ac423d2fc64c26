"""Tables of a comparison: verdicts, reasons, fields that differ, what is in no estimate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdata.comparisons import wording
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.sides import DIGEST, DIGITS
from benchdata.numbers import MISSING
from benchdata.reports.comparison import Compared, Comparison
from benchdata.reports.comparison_formats import COLUMNS
from benchdata.reports.report import Prose
from benchdata.reports.tables import Align, Table
from benchdata.stats.results import CannotTell

# What a reader looks for stands first: wide tables are scrolled.
PLACED = ("Verdict", "Effect", "Interval", "p", "p after Holm", "Baseline value", "Value")
CELLS = {head: (side, cell) for head, side, cell in COLUMNS}


def label(line: Compared) -> str:
    """Return how a comparison is told from the others of its table."""
    return f"{line.finding.treatment.label}{_where(line)}"


def title(line: Compared) -> str:
    """Return what a chart of one comparison is about."""
    return f"{line.finding.claim.metric.label}: {against(line)}"


def against(line: Compared) -> str:
    """Return who is compared with whom, and where."""
    return f"{line.finding.treatment.label} against {line.finding.baseline.label}{_where(line)}"


def _where(line: Compared) -> str:
    return f" · {line.context}" if line.context else ""


def verdicts(comparison: Comparison) -> Table:
    """Return effect, interval, raw and adjusted p and verdict, a line a comparison."""
    claim = comparison.table.claim
    size = wording.effect(claim, claim.min_effect)
    given = " as given" if claim.overridden else ""
    return Table(
        f"Verdicts on {claim.metric.name} (M {size}{given}; level .05, two-sided)",
        ("Comparison", *PLACED),
        tuple((against(line), *_cells(line)) for line in comparison.lines),
        ("left", *(CELLS[head][0] for head in PLACED)),
    )


def _cells(line: Compared) -> Iterator[str]:
    return (CELLS[head][1](line) for head in PLACED)


def reasons(comparison: Comparison) -> Table:
    """Return the reason of each verdict, and the smallest effect that its design finds."""
    rows = [
        (against(line), line.verdict.reason, reach(line.finding, line.reach))
        for line in comparison.lines
    ]
    head = ("Comparison", "Reason of the verdict", "Found 8 times in 10")
    return Table("Reasons", head, tuple(rows), ("left", "left", "right"))


def remarks(comparison: Comparison) -> Table:
    """Return what must be known beside each verdict."""
    rows = [(against(line), "; ".join(line.remarks) or MISSING) for line in comparison.lines]
    return Table("Remarks", ("Comparison", "Remarks"), tuple(rows), ("left", "left"))


def reach(finding: Finding, found: float | CannotTell | None) -> str:
    """Return the smallest effect found 8 times in 10, or why it is not known."""
    if found is None:
        return MISSING
    return found.reason if isinstance(found, CannotTell) else wording.number(finding, found)


def differing(comparison: Comparison) -> Table | Prose:
    """Return the fields that differ between arms: which may, and which forbid a verdict."""
    rows = [
        (against(line), _listed(line.finding.pins), _listed(line.finding.hidden))
        for line in comparison.lines
        if line.finding.pins or line.finding.hidden
    ]
    if not rows:
        return Prose("The arms differ in nothing but what is compared.")
    head = ("Comparison", "Changes with what is compared", "Must be equal, so no verdict")
    return Table("Fields that differ", head, tuple(rows), ("left", "left", "left"))


def _listed(fields: Sequence[str]) -> str:
    """Return fields as one text, digests by their first digits."""
    return DIGEST.sub(lambda found: found[0][:DIGITS], ", ".join(fields)) or MISSING


def exclusions(comparison: Comparison) -> Table:
    """Return the rows and cells of each arm that are in no estimate."""
    rows = [*_arms(comparison)]
    rows += [(alone, *("no counterpart",) * 5) for alone in comparison.table.alone]
    rows += [(left, *("no result",) * 5) for left in comparison.table.no_results]
    head = (
        *("Arm", "Rows", "Not scored", "Scored without a value", "Planned cells without a score"),
        "Repeats in no p",
    )
    sides: tuple[Align, ...] = ("left", *("right",) * 5)
    return Table("What is in no estimate", head, tuple(rows), sides)


def _arms(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Yield a line for each arm of each comparison, the same line once."""
    seen: set[tuple[str, ...]] = set()
    for line in comparison.lines:
        finding = line.finding
        for arm, missing in zip(finding.arms, finding.missing, strict=True):
            treated = arm is finding.treatment
            row = (f"{arm.label}{_where(line)}", *_counts(arm, finding.claim), f"{missing:,}")
            aside = f"{finding.result.set_aside:,}" if treated else MISSING
            if (*row, aside) not in seen:
                seen.add((*row, aside))
                yield (*row, aside)


def _counts(arm: Arm, claim: Claim) -> tuple[str, str, str]:
    counted = sum(claim.counts(run) for run in arm.runs)
    unscored = len(arm.runs) - arm.scored
    return f"{len(arm.runs):,}", f"{unscored:,}", f"{arm.scored - counted:,}"
