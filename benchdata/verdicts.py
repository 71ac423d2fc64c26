"""From statistics to words: the decision table. The first row that holds is the verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from benchdata.comparisons import wording
from benchdata.comparisons.families import family
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.results import Result
from benchdata.errors import ANSWER_IS_NO, counted
from benchdata.numbers import p_text
from benchdata.stats.rationals import SIGNIFICANT
from benchdata.stats.results import CannotTell

Kind = Literal[
    "none", "cannot tell", "better", "worse", "within", "unstable", "no difference shown"
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said of a comparison, and one sentence of reason."""

    kind: Kind
    word: str
    reason: str

    def __str__(self) -> str:
        """Give what a verdict column holds."""
        return f"{self.word}: {self.reason}" if self.kind == "cannot tell" else self.word


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: `reason` gives the sentence when the row holds, else nothing."""

    kind: Kind
    reason: Callable[[Finding], str]


def decide(finding: Finding) -> Verdict:
    """Return the verdict on a finding that has its standing in its table.

    Raises:
        ValueError: The finding did not come out of `families.family`.
    """
    kind, reason = next((row.kind, why) for row in TABLE if (why := row.reason(finding)))
    return Verdict(kind, _word(kind, finding), reason)


def decided(findings: Sequence[Finding]) -> tuple[tuple[Finding, Verdict], ...]:
    """Return the findings of one table, adjusted for each other, with their verdicts."""
    return tuple((finding, decide(finding)) for finding in family(findings))


def no_worse(finding: Finding, loss: float) -> bool:
    """Return whether the treatment is shown to lose less than `loss`, read as M is.

    The interval's lower end must be above -loss, and stay so with missing cells scored against it.
    """
    if decide(finding).kind in {"none", "cannot tell"}:
        return False
    results = (finding.result, *(finding.rescored[:1] if finding.rescored else ()))
    upwards = finding.claim.upwards
    return all(result.lower_end_above(loss, upwards=upwards) for result in results)


def no_worse_words(finding: Finding, loss: float) -> str:
    """Return the answer of `no_worse`: `no worse than 0.05: not shown, the lower end is −0.3694`.

    The end is that of the interval on the side where the treatment is worse.
    """
    question = f"no worse than {wording.effect(finding.claim, loss)}"
    verdict, shown = decide(finding), no_worse(finding, loss)
    bounds, upwards = finding.result.interval, finding.claim.upwards
    if verdict.kind in {"none", "cannot tell"}:
        return f"{question}: not shown, {verdict.word}"
    if isinstance(bounds, CannotTell):
        return f"{question}: not shown, no interval: {bounds.reason}"
    side, end = ("lower", bounds.low) if upwards else ("upper", bounds.high)
    which = "not reached" if end is None else wording.number(finding, end)
    if not shown and finding.result.lower_end_above(loss, upwards=upwards):
        which += f", and {_cells(finding)} could undo it"
    return f"{question}: {'shown' if shown else 'not shown'}, the {side} end is {which}"


@dataclass(frozen=True, slots=True)
class Conditions:
    """What makes a command exit 3: a verdict `worse`; a loss of `no_worse_than` not excluded."""

    fail_on_worse: bool = False
    no_worse_than: float | None = None


UNCONDITIONAL = Conditions()


def exit_code(findings: Sequence[Finding], conditions: Conditions) -> int:
    """Return 3 when a condition fails for one of the findings, else 0."""
    failed = conditions.fail_on_worse and any(decide(each).kind == "worse" for each in findings)
    loss = conditions.no_worse_than
    if loss is not None:
        failed = failed or not all(no_worse(finding, loss) for finding in findings)
    return ANSWER_IS_NO if failed else 0


def _word(kind: Kind, finding: Finding) -> str:
    if kind == "none":
        return "none (pipeline proof)"
    if kind == "within":
        return f"within {wording.effect(finding.claim, finding.claim.min_effect)}"
    return kind


def _synthetic(finding: Finding) -> str:
    proof = finding.baseline.synthetic or finding.treatment.synthetic
    return "scripted, stand-in or synthetic rows prove the pipeline and measure nothing" * proof


def _interim(finding: Finding) -> str:
    return f"interim: {finding.interim}" if finding.interim else ""


def _hidden(finding: Finding) -> str:
    return f"groups differ in {', '.join(finding.hidden)}" if finding.hidden else ""


def _dependent(finding: Finding) -> str:
    return f"rows are not independent: {finding.dependent}" if finding.dependent else ""


def _unchecked(finding: Finding) -> str:
    failed = False in {finding.baseline.checked, finding.treatment.checked}
    return "instrument check missing: no passing check of the same judge" if failed else ""


def _too_few(finding: Finding) -> str:
    if min(finding.result.n) >= 2:
        return ""
    missing = finding.result.estimate
    if isinstance(missing, CannotTell) and not any(finding.result.n):
        why = "; ".join(filter(None, (missing.reason, finding.instead)))
        return f"fewer than 2 units: {why}"
    return f"fewer than 2 units: {wording.units(finding.result)}"


def _at_bound(finding: Finding) -> str:
    return "both arms are at the bound in every task" if finding.at_bound else ""


def _out_of_reach(finding: Finding) -> str:
    floor = finding.placed.adjusted_floor
    if floor <= SIGNIFICANT:
        return ""
    looks = f" after {finding.looks} looks" if finding.looks > 1 else ""
    return (
        f"{wording.units(finding.result)} cannot reach 0.05{wording.family(finding)}{looks}:"
        f" the smallest p is {p_text(floor)}; {wording.suffices(finding)}"
    )


def _missing_decide(finding: Finding) -> str:
    shown = _shown(finding, finding.result, finding.placed.adjusted_p)
    if not shown or finding.rescored is None:
        return ""
    rescored = zip(finding.rescored, finding.placed.rescored_p, strict=True)
    against_better, against_worse = (_shown(finding, result, p) for result, p in rescored)
    held = {
        "better": against_better == "better",
        "worse": against_worse == "worse",
        "within": against_better == against_worse == "within",
    }
    return "" if held[shown] else f"missing rows decide: {_cells(finding)} could undo {shown}"


def _cells(finding: Finding) -> str:
    return f"{counted(sum(finding.missing), 'planned cell')} without a scored value"


def _better(finding: Finding) -> str:
    return _difference(finding) if _claimed(finding) == "better" else ""


def _worse(finding: Finding) -> str:
    return _difference(finding) if _claimed(finding) == "worse" else ""


def _within(finding: Finding) -> str:
    if _claimed(finding) != "within":
        return ""
    return f"the interval {wording.interval(finding, finding.result.interval)} lies inside M"


def _unstable(finding: Finding) -> str:
    arms = zip(finding.arms, finding.swings, strict=True)
    wide = [arm.label for arm, swing in arms if swing.unstable]
    return f"the middle half of {' and of '.join(wide)} spreads by more than 2" if wide else ""


def _not_shown(finding: Finding) -> str:
    size = finding.claim.min_effect
    which = f"no difference of {wording.effect(finding.claim, size)} or more shown" * (size > 0)
    return f"{which or 'no difference shown'}: {_difference(finding)}"


def _difference(finding: Finding) -> str:
    adjusted = finding.placed.adjusted_p
    p = finding.p if adjusted is None else adjusted
    after = f"p {p_text(p)}{wording.family(finding)}"
    return f"{wording.estimate(finding)}, {after}{_moved(finding)}"


def _moved(finding: Finding) -> str:
    moved = finding.result.moved
    return f"; {moved.tasks - moved.tied:,} of {moved.tasks:,} tasks moved" if moved else ""


def _claimed(finding: Finding) -> str:
    return _shown(finding, finding.result, finding.placed.adjusted_p)


def _shown(finding: Finding, result: Result, p: Fraction | None) -> str:
    """Return better, worse or within, as one result shows it; nothing when it shows none."""
    claim = finding.claim
    if p is not None and p <= SIGNIFICANT and (way := result.direction(claim.min_effect)):
        return "better" if (way > 0) == claim.upwards else "worse"
    return "within" if result.within(claim.min_effect) else ""


TABLE = (
    Row("none", _synthetic),
    Row("cannot tell", _interim),
    Row("cannot tell", _hidden),
    Row("cannot tell", _dependent),
    Row("cannot tell", _unchecked),
    Row("cannot tell", _too_few),
    Row("cannot tell", _at_bound),
    Row("cannot tell", _out_of_reach),
    Row("cannot tell", _missing_decide),
    Row("better", _better),
    Row("worse", _worse),
    Row("within", _within),
    Row("unstable", _unstable),
    Row("no difference shown", _not_shown),
)
