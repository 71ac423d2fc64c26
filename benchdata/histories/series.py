"""Histories: every release in order of its first start, judged against one pinned baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from benchdata import verdicts
from benchdata.comparisons import axes, guards, reach, sides
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.axes import Axis
from benchdata.comparisons.claims import Claim, cells
from benchdata.comparisons.entities import Entity, entities, judged, no_results
from benchdata.comparisons.findings import Finding, compare
from benchdata.comparisons.sides import Side
from benchdata.comparisons.summaries import Summary, summarize
from benchdata.comparisons.tables import told_apart
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError, ContractError, InputError, counted
from benchdata.gates.checked import telling
from benchdata.histories.confirmation import NONE, Confirmation, confirmed
from benchdata.histories.courses import Alarms, Course, Spread, alarms, course, spreads
from benchdata.stats.results import CannotTell
from benchdata.verdicts import Verdict

ENOUGH = 30
"""Repeats of a baseline: with fewer, its own chance error is in every comparison with it."""


@dataclass(frozen=True, slots=True)
class Release:
    """One value of the followed field: its runs, what they show alone, their first and last start.

    `spreads` is one a fixed task, or one over all task means.
    """

    arm: Arm
    summary: Summary
    first: datetime
    last: datetime
    spreads: tuple[Spread, ...]

    @property
    def label(self) -> str:
        """Return the value of the field, with its companions where that alone is not enough."""
        return self.arm.label

    @property
    def spread(self) -> float | None:
        """Return the largest p75 / p25 of its tasks, None when one has no such ratio."""
        ratios = [spread.ratio for spread in self.spreads]
        known = [ratio for ratio in ratios if ratio is not None]
        return max(known) if known and len(known) == len(ratios) else None


@dataclass(frozen=True, slots=True)
class Judged:
    """One release against the baseline, as one comparison of its own.

    `missed` is the smallest worsening found 8 times in 10 at these n: a difference, or a ratio
    above 1. `drift` says that all runs of one started before the first of the other, so that what
    changed with time cannot be told from what changed with the release. `confirmation` is set for
    `worse` alone.
    """

    release: Release
    finding: Finding
    verdict: Verdict
    missed: float | CannotTell
    drift: bool
    confirmation: Confirmation | None

    @property
    def word(self) -> str:
        """Return the word of the verdict, of `worse` with its state: `worse (unconfirmed)`."""
        state = f" ({self.confirmation.state})" if self.confirmation else ""
        return f"{self.verdict.word}{state}"

    @property
    def alarm(self) -> bool:
        """Return whether the release is worse and fresh repeats have not shown otherwise."""
        return self.confirmation is not None and self.confirmation.state != "not confirmed"


@dataclass(frozen=True, slots=True)
class Series:
    """The releases of one context in order of first start, `baseline` among them.

    `judged` are all others in that order. `thin` says that the baseline has fewer than 30 repeats,
    or nothing.
    """

    context: str
    baseline: Release
    releases: tuple[Release, ...]
    judged: tuple[Judged, ...]
    course: Course
    alarms: Alarms
    thin: str

    @property
    def newest(self) -> Judged:
        """Return the last release that was judged."""
        return self.judged[-1]


@dataclass(frozen=True, slots=True)
class History:
    """All series along one field; `alone` are releases in no comparison, and why."""

    contract: Contract
    claim: Claim
    field: str
    series: tuple[Series, ...]
    alone: tuple[str, ...]

    @property
    def synthetic(self) -> bool:
        """Return whether any series is a pipeline proof."""
        return any(judged.verdict.kind == "none" for one in self.series for judged in one.judged)

    @property
    def alarm(self) -> bool:
        """Return whether any release is worse and not shown otherwise by fresh repeats."""
        return any(judged.alarm for one in self.series for judged in one.judged)


def history(
    dataset: Dataset,
    claim: Claim,
    over: str | None = None,
    baseline: str | None = None,
    confirm: Dataset | None = None,
) -> History:
    """Return the history of the contract's followed field, or of the field `over`.

    Every release is one comparison with the baseline, without Holm: each gate is its own decision.
    `baseline` is a value of the field, else the contract's own (`none`, of arms), else the first of
    each context. `confirm` has fresh repeats.
    What a judge says has no verdict without a passing check of it, in the rows or the fresh ones.

    Raises:
        ContractError: No field is followed, or it is none that rows may be told apart by, or the
            fresh repeats follow another contract.
        BenchdataError: No two releases share all other fields, a run has no start, or there is no
            such baseline.
        InputError: A fresh repeat is in the history as well.
    """
    contract = dataset.contract
    axis = axes.by_field(contract, _followed(contract) if over is None else over)
    every = entities(dataset, claim)
    members = judged(every, contract)
    tell = telling(dataset, *([confirm] if confirm else []))
    arms = _arms(members, axis, tell)
    if baseline is not None:
        _refuse_unknown(baseline, arms, axis.field)
    again = None if confirm is None else _fresh(confirm, members, contract, claim)
    fresh = None if again is None else _arms(again, axis, tell)
    tracks: dict[str, list[Side]] = {}
    for side in arms:
        tracks.setdefault(sides.key(side.context), []).append(side)
    words = dict(
        zip(tracks, told_apart([t[0] for t in tracks.values()], arms, contract.shown), strict=True)
    )
    found: list[Series] = []
    alone = [f"{rows}, no result" for rows in no_results(every, contract)]
    for name, track in tracks.items():
        ordered = sorted(track, key=lambda side: _starts(side, axis)[0])
        base = _baseline(ordered, baseline, axes.own_baselines(contract, axis))
        if base is None or len(ordered) < 2:
            why = f"no rows of baseline {baseline}" if base is None else "the only one"
            alone += [", ".join(filter(None, (s.arm.label, words[name], why))) for s in ordered]
        else:
            found.append(_series(words[name], base, ordered, arms, claim, axis, fresh))
    if not found:
        raise BenchdataError(_nothing(arms, axis.field))
    return History(contract, claim, axis.field, tuple(found), tuple(alone))


def _series(
    context: str,
    base: Side,
    ordered: Sequence[Side],
    arms: Sequence[Side],
    claim: Claim,
    axis: Axis,
    fresh: Sequence[Side] | None,
) -> Series:
    releases = {id(side): _release(side, arms, claim, axis) for side in ordered}
    pinned = releases[id(base)]
    judged = tuple(
        _judged(base, side, pinned, releases[id(side)], claim, axis, fresh)
        for side in ordered
        if side is not base
    )
    every = tuple(releases.values())
    return Series(
        context=context,
        baseline=pinned,
        releases=every,
        judged=judged,
        course=course([r.label for r in every], [r.summary.estimate for r in every]),
        alarms=alarms([release.first for release in every]),
        thin=_thin(pinned, claim),
    )


def _release(side: Side, arms: Sequence[Side], claim: Claim, axis: Axis) -> Release:
    arm, starts = sides.told(side, arms), _starts(side, axis)
    return Release(arm, summarize(arm, claim), starts[0], starts[-1], spreads(arm, claim))


def _judged(
    base: Side,
    side: Side,
    pinned: Release,
    release: Release,
    claim: Claim,
    axis: Axis,
    fresh: Sequence[Side] | None,
) -> Judged:
    hidden, pins = tuple(sides.hidden(base, side, axis)), tuple(sides.pins(base, side, axis))
    compared = compare(pinned.arm, release.arm, claim, hidden=hidden, pins=pins)
    ((finding, verdict),) = verdicts.decided([compared])
    confirmation = None
    if verdict.kind == "worse":
        confirmation = NONE if fresh is None else confirmed(base, side, fresh, claim, axis)
    drift = guards.drift(pinned.arm, release.arm)
    return Judged(release, finding, verdict, reach.worsening(finding), drift, confirmation)


def _thin(baseline: Release, claim: Claim) -> str:
    found = cells(baseline.arm, claim)
    sampled = claim.tasks == "sampled"
    n = len(found) if sampled else min(map(len, found.values()), default=0)
    if n >= ENOUGH:
        return ""
    noun = counted(n, "task" if sampled else "repeat")
    each = " in a task" if not sampled and len(found) > 1 else ""
    return f"the baseline has {noun}{each}, fewer than {ENOUGH}"


def _arms(members: Sequence[Entity], axis: Axis, tell: Callable[[Arm], Arm]) -> list[Side]:
    found = sides.of(members, axis, lambda each: axis.value(each.fields))
    return [replace(side, arm=tell(side.arm)) for side in found]


def _fresh(
    confirm: Dataset, members: Sequence[Entity], contract: Contract, claim: Claim
) -> list[Entity]:
    """Return the fresh repeats; raise when they are of another contract, or not fresh."""
    if confirm.contract.name != contract.name:
        raise ContractError(
            f"fresh repeats of {confirm.contract.name} cannot confirm rows of {contract.name}"
        )
    found = judged(entities(confirm, claim), contract)
    known = frozenset[str]().union(*(each.rows for each in members))
    if shared := len(known & frozenset[str]().union(*(each.rows for each in found))):
        raise InputError(
            f"{counted(shared, 'row')} of the fresh repeats in the history as well:"
            " what gave an alarm cannot confirm it"
        )
    return found


def _followed(contract: Contract) -> str:
    if contract.followed is None:
        raise ContractError(f"{contract.name} follows no field: name one with --over FIELD")
    return contract.followed


def _baseline(ordered: Sequence[Side], wanted: str | None, own: Sequence[str]) -> Side | None:
    """Return the release that the others are judged against: `wanted`, else one of `own`."""
    if wanted is not None:
        return next((side for side in ordered if side.arm.label == wanted), None)
    return next((side for name in own for side in ordered if side.value == name), ordered[0])


def _refuse_unknown(baseline: str, arms: Sequence[Side], field: str) -> None:
    labels = list(dict.fromkeys(side.arm.label for side in arms))
    if baseline not in labels:
        raise BenchdataError(f"no row has {field} {baseline}; there are {', '.join(labels)}")


def _starts(side: Side, axis: Axis) -> list[datetime]:
    """Return when the runs of a release started, in order."""
    found = [run.start for run in side.arm.runs if isinstance(run.start, datetime)]
    if len(found) < len(side.arm.runs):
        raise BenchdataError(
            f"{axis.field} {side.arm.label} has rows without a start time, and a history needs"
            " the order of releases: use `benchdata compare --by`"
        )
    return sorted(found)


def _nothing(arms: Sequence[Side], field: str) -> str:
    labels = list(dict.fromkeys(side.arm.label for side in arms))
    if len(labels) < 2:
        return f"{field} has only {', '.join(labels) or 'no value'}: a history needs two"
    differ = dict.fromkeys(_differing(arms))
    return (
        f"no two values of {field} share all other fields: {', '.join(labels)} differ in"
        f" {', '.join(differ)}"
    )


def _differing(arms: Sequence[Side]) -> Iterator[str]:
    for side in arms[1:]:
        yield from sides.differ(arms[0].context, side.context)
