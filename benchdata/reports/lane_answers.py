"""What is asked of one lane: is it among the first two, is it as quick to green as another?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdata import verdicts
from benchdata.comparisons import claims, medians, pairwise
from benchdata.comparisons.axes import Axis, by_field
from benchdata.comparisons.entities import entities, judged
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.sides import key
from benchdata.comparisons.summaries import Summary
from benchdata.dataset import Dataset
from benchdata.errors import ReportError, counted, did_you_mean
from benchdata.gates.bars import bar_of
from benchdata.numbers import display, span
from benchdata.reports.baselines import MODEL, ONE_MODEL, PROOF, Baseline, names
from benchdata.stats.families import RankRange
from benchdata.stats.results import CannotTell

LANE = "lane"
PLACES = 2
HELD_TO = "nestjs"
"""The lane whose median of the turns to green others are held to."""
BAR = "self-bench"
GREEN = "turns_to_green"
EVERY = "every baseline"
RANK = f"Is the composite's rank at most {PLACES}?"
TURNS = f"Is the median {GREEN} of t1 at most that of lane {HELD_TO}?"


@dataclass(frozen=True, slots=True)
class Answer:
    """A question about a lane under one baseline, its answer, and the numbers it stands on."""

    question: str
    lane: str
    baseline: str
    word: str
    numbers: str

    @property
    def sentence(self) -> str:
        """Return all of it as one sentence."""
        return f"{self.question} Lane {self.lane}, {self.baseline}: {self.word} ({self.numbers})."


def answers(dataset: Dataset, baselines: Sequence[Baseline], lane: str) -> tuple[Answer, ...]:
    """Return the answers for a lane, each of its versions apart: baseline by baseline, then all.

    Raises:
        ReportError: No row that is a result is of that lane.
    """
    claim = claims.of_contract(dataset.contract, GREEN)
    members = judged(entities(dataset, claim), dataset.contract)
    there = sorted({str(each.fields[LANE]) for each in members})
    if lane not in there:
        hint = did_you_mean(lane, there) or f"; there are {', '.join(there) or 'none'}"
        raise ReportError(f"-p lane={lane}: no run is of that lane{hint}")
    axis = by_field(dataset.contract, LANE)
    found = [axis.context(each.fields) for each in members]
    contexts = {key(context): context for context in found}
    called = dict(zip(contexts, names([*contexts.values()]), strict=True))
    ranked = [*_ranks(baselines, lane, called)]
    return (*ranked, *_all(ranked, baselines), *_turns(dataset, axis, lane, called))


def leading(found: Sequence[Answer]) -> Iterator[Answer]:
    """Yield the answers that stand for the others: a rank under all baselines, not under each."""
    yield from (each for each in found if each.baseline == EVERY or each.question != RANK)


def _ranks(baselines: Sequence[Baseline], lane: str, called: Mapping[str, str]) -> Iterator[Answer]:
    for baseline in baselines:
        for scored, rank in zip(baseline.lanes, baseline.ranking.ranges, strict=True):
            if scored.side.value == lane:
                word = _ranked(baseline, rank)
                lanes = counted(len(baseline.lanes), "lane")
                numbers = f"rank {rank} of {lanes}"
                yield Answer(RANK, scored.arm.label, called[key(baseline.fields)], word, numbers)


def _ranked(baseline: Baseline, rank: RankRange) -> str:
    if baseline.synthetic:
        return PROOF
    if len(baseline.lanes) <= PLACES:
        return f"cannot tell: no more than {PLACES} lanes"
    return rank.among_first(PLACES)


def _all(ranked: Sequence[Answer], baselines: Sequence[Baseline]) -> Iterator[Answer]:
    """Yield whether each version of a lane has its rank under every baseline: of two models."""
    models = {baseline.fields[MODEL] for baseline in baselines}
    for lane in dict.fromkeys(each.lane for each in ranked):
        words = [each.word for each in ranked if each.lane == lane]
        numbers = (
            f"yes in {words.count('yes')} of {counted(len(baselines), 'baseline')},"
            f" {counted(len(models), 'model')}"
        )
        yield Answer(RANK, lane, EVERY, _together(words, len(baselines), len(models)), numbers)


def _together(words: Sequence[str], baselines: int, models: int) -> str:
    if PROOF in words:
        return PROOF
    if "no" in words:
        return "no"
    if models < 2:
        return ONE_MODEL
    if len(words) < baselines:
        return "cannot tell: the lane is not in every baseline"
    return "yes" if set(words) == {"yes"} else "cannot tell"


def _turns(dataset: Dataset, axis: Axis, lane: str, called: Mapping[str, str]) -> Iterator[Answer]:
    """Yield how many turns of the first task a lane needs beside those of the one it is held to."""
    if lane == HELD_TO:
        return
    found = _held(dataset, lane)
    for context, baseline in called.items():
        mine = [each for each in found if key(axis.context(each.baseline.fields)) == context]
        if not mine:
            numbers = f"no runs of t1 by both {lane} and {HELD_TO}"
            yield Answer(TURNS, lane, baseline, "cannot tell", numbers)
        for finding in mine:
            yield _answered(finding, baseline)


def _held(dataset: Dataset, lane: str) -> list[Finding]:
    """Return each version of a lane against each of the one it is held to, in the first task."""
    bar = bar_of(dataset.contract, BAR)
    first = bar.ids(bar.tasks[0])

    def takes_part(fields: Mapping[str, Any]) -> bool:
        return (
            fields["task_id"] in first
            and fields[LANE] in {lane, HELD_TO}
            and fields["kind"] != "conformance"
        )

    claim = claims.of_contract(dataset.contract, GREEN)
    table = pairwise.all_pairs(dataset, claim, LANE, takes_part)
    return [
        each
        for each in table.findings
        if {arm.fields[LANE] for arm in each.arms} == {lane, HELD_TO}
    ]


def _answered(finding: Finding, baseline: str) -> Answer:
    both = zip(finding.arms, finding.missing, strict=True)
    mine, other = sorted(both, key=lambda each: each[0].fields[LANE] == HELD_TO)
    found = medians.at_most(finding.claim, mine, other)
    numbers = "; ".join(map(_median, (found.judged, found.other)))
    verdict = verdicts.decide(finding)
    barred = {"none": PROOF, "cannot tell": str(verdict)}
    word = barred.get(verdict.kind, found.answer)
    return Answer(TURNS, mine[0].label, baseline, word, numbers)


def _median(found: Summary) -> str:
    middle = found.estimate
    words = middle.reason if isinstance(middle, CannotTell) else display(middle)
    return f"{found.label} median {words} of {counted(found.n, 'run')} ({_interval(found)})"


def _interval(found: Summary) -> str:
    between = found.interval
    if isinstance(between, CannotTell):
        return f"no interval: {between.reason}"
    return span(between.low, between.high)
