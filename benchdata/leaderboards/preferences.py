"""Which of two arms a judge prefers: pairs shown in both orders, one sign a task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchdata.contracts.gate import Judging
from benchdata.stats.tables import SignTest, sign_test

Line = Mapping[str, Any]
TIE = ""


class Seen(NamedTuple):
    """One verdict on a pair: its task, its runs, the run shown first, the winner or a TIE."""

    task: str
    runs: tuple[str, str]
    first: str
    winner: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs of one task, and the run that the judge prefers in every order.

    `winner` is empty for a tie in both orders. A pair whose orders do not agree, one tie included,
    is a `conflict`; one that was judged in a single order is `single`. Neither has a winner.
    """

    task: str
    runs: tuple[str, str]
    winner: str
    conflict: bool = False
    single: bool = False


@dataclass(frozen=True, slots=True)
class Preference:
    """How two arms stand by the pairs of their runs: tasks won, lost and tied by the treatment.

    Conflicts and pairs that were judged in one order are counted apart and decide nothing.
    """

    treatment: str
    baseline: str
    better: int
    worse: int
    tied: int
    conflicts: int
    single: int

    @property
    def test(self) -> SignTest | None:
        """Return the sign test over the tasks with a winner, its p raw; None where none has one."""
        return sign_test(self.better, self.worse) if self.better or self.worse else None


def seen(lines: Iterable[Line], judging: Judging) -> Iterator[Seen]:
    """Yield what a judge said of pairs, in the order of its rows."""
    for line in lines:
        if line[judging.kind] != judging.pair or line[judging.winner] is None:
            continue
        one, two = line[judging.run], line[judging.other_run]
        yield Seen(
            task=line["row_task"] or "",
            runs=(min(one, two), max(one, two)),
            first=one if line[judging.order] == judging.first else two,
            winner={judging.wins: one, judging.loses: two}.get(line[judging.winner], TIE),
        )


def pairs(verdicts: Iterable[Seen]) -> tuple[Pair, ...]:
    """Return the pairs that a judge compared, from its verdicts in both orders."""
    found: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    tasks: dict[tuple[str, str], str] = {}
    for one in verdicts:
        found[one.runs][one.first].add(one.winner)
        tasks[one.runs] = one.task
    return tuple(_pair(tasks[runs], runs, by_order) for runs, by_order in sorted(found.items()))


def _pair(task: str, runs: tuple[str, str], by_order: Mapping[str, set[str]]) -> Pair:
    winners = {winner for order in by_order.values() for winner in order}
    if len(winners) > 1:
        return Pair(task, runs, TIE, conflict=True)
    if len(by_order) == 1:
        return Pair(task, runs, TIE, single=True)
    return Pair(task, runs, winners.pop())


def preferences(
    judged: Iterable[Pair], arm_of: Mapping[str, str], order: Sequence[str]
) -> tuple[Preference, ...]:
    """Return what the pairs say of every two arms that they hold, the earlier one as baseline.

    `arm_of` names the arm of each run, `order` all arms. Repeats of a task are summed to one sign.
    """
    place = {arm: number for number, arm in enumerate(order)}
    found: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in judged:
        arms = [arm_of.get(run) for run in pair.runs]
        if None not in arms and arms[0] != arms[1]:
            first, second = sorted(filter(None, arms), key=place.__getitem__)
            found[first, second].append(pair)
    return tuple(
        _preference(first, second, found[first, second], arm_of)
        for first, second in sorted(found, key=lambda arms: tuple(map(place.__getitem__, arms)))
    )


def _preference(
    baseline: str, treatment: str, held: Sequence[Pair], arm_of: Mapping[str, str]
) -> Preference:
    signs = list(_signs(held, treatment, arm_of))
    return Preference(
        treatment=treatment,
        baseline=baseline,
        better=sum(sign > 0 for sign in signs),
        worse=sum(sign < 0 for sign in signs),
        tied=sum(sign == 0 for sign in signs),
        conflicts=sum(pair.conflict for pair in held),
        single=sum(pair.single for pair in held),
    )


def _signs(held: Sequence[Pair], treatment: str, arm_of: Mapping[str, str]) -> Iterator[int]:
    """Yield for each task that has a pair whose orders agree how often the treatment won more."""
    tasks: dict[str, int] = defaultdict(int)
    for pair in held:
        if pair.conflict or pair.single:
            continue
        tasks[pair.task] += (arm_of[pair.winner] == treatment) * 2 - 1 if pair.winner else 0
    yield from tasks.values()
