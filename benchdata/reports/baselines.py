"""Lanes under each model: their rank ranges, and whether two models put them in the same order."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from benchdata import verdicts
from benchdata.comparisons import sides
from benchdata.comparisons.composites import CLAIM, Scored
from benchdata.comparisons.summaries import summarize
from benchdata.errors import counted
from benchdata.numbers import display, p_text
from benchdata.rankings import Ranking, ranking
from benchdata.stats.results import CannotTell
from benchdata.stats.trends import Trend, mann_kendall

MODEL = "model"
VENDOR = frozenset({MODEL, "agent", "agent_version", "endpoint", "billing"})
"""The fields in which the baselines of two models may differ and still be compared."""
PROOF = "none (pipeline proof)"
WAYS = {1: "better", -1: "worse"}
ONE_MODEL = "cannot tell: the rows are of one model"

Lane = tuple[Any, tuple[Hashable, ...], str]
"""What makes a lane the same under two models: its name, its versions, and its tasks' digests."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The lanes that one agent and model built under the same pins: an arm each, and all pairs."""

    lanes: tuple[Scored, ...]
    ranking: Ranking

    @property
    def fields(self) -> Mapping[str, Any]:
        """Return the fields that all lanes share."""
        return self.lanes[0].side.context

    @property
    def synthetic(self) -> bool:
        """Return whether a lane has rows that measure nothing."""
        return any(lane.arm.synthetic for lane in self.lanes)


@dataclass(frozen=True, slots=True)
class Order:
    """Whether two baselines put the lanes that they share in the same order.

    `agreed` and `opposed` of the `pairs` of `lanes` are shown better one way in both, or in each
    another way. `trend` is Kendall's rank correlation of the composites, described and not decided
    by. `differing` are the fields that differ besides the model.
    """

    baselines: tuple[Baseline, Baseline]
    lanes: int
    pairs: int
    agreed: int
    opposed: tuple[str, ...]
    trend: Trend | CannotTell
    differing: tuple[str, ...]

    @property
    def word(self) -> str:
        """Return `holds`, `does not hold`, or why neither may be said."""
        if any(each.synthetic for each in self.baselines):
            return PROOF
        if self.lanes < 2:
            return f"cannot tell: {counted(self.lanes, 'lane')} the same under both"
        if self.opposed:
            return "does not hold"
        return "holds" if self.agreed == self.pairs else "cannot tell"

    @property
    def statistic(self) -> str:
        """Return how many pairs are shown alike, and how the composites' ranks go together."""
        alike = f"{self.agreed:,} of {counted(self.pairs, 'pair')} shown one way in both"
        against = f", {'; '.join(self.opposed)}" if self.opposed else ""
        if isinstance(self.trend, CannotTell):
            return f"{alike}{against}; Kendall's tau: {self.trend.reason}"
        return (
            f"{alike}{against}; Kendall's tau of {counted(self.lanes, 'lane')}"
            f" {display(self.trend.tau)}, p {p_text(self.trend.p)} (the smallest that so many"
            f" reach: {p_text(self.trend.floor)})"
        )


def baseline(lanes: Sequence[Scored]) -> Baseline:
    """Return the lanes of one context with their rank ranges; lanes judged unlike have no verdict.

    Source: as `families.rank_ranges`.
    """
    found = ranking([lane.arm for lane in lanes], CLAIM, lambda i, j: lanes[i].hidden(lanes[j]))
    return Baseline(tuple(lanes), found)


def names(contexts: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return how baselines are called: by the model, and by the fields that tell them apart."""
    paths = sides.telling(contexts, [path for each in contexts for path in each], (MODEL,))
    return tuple(
        ", ".join(
            sides.short(each.get(path))
            if path == MODEL
            else f"{path} {sides.short(each.get(path))}"
            for path in paths
        )
        for each in contexts
    )


def orders(baselines: Sequence[Baseline]) -> tuple[Order, ...]:
    """Return what each two baselines of different models say of the order of lanes.

    An order holds when every pair of lanes is shown one way in both, each after Holm over all pairs
    of its baseline; it does not when some pair is shown one way here and the other way there. Two
    wrong verdicts are needed for a false "holds" of a pair, and one of two families that err at
    most once in 40 towards either side for a false "does not hold".
    Source: Berger 1982, "Multiparameter hypothesis testing and acceptance sampling".
    """
    found = []
    for one, two in combinations(baselines, 2):
        differing = sides.differ(one.fields, two.fields)
        if MODEL in differing and VENDOR.issuperset(differing):
            apart = tuple(path for path in differing if path != MODEL)
            found.append(_order(one, two, apart))
    return tuple(found)


def _order(one: Baseline, two: Baseline, differing: tuple[str, ...]) -> Order:
    first, second = ({_lane(lane): lane for lane in each.lanes} for each in (one, two))
    shared = [key for key in first if key in second]
    shown, there = _shown(one), _shown(two)
    pairs = [*combinations(shared, 2)]
    opposed = [
        f"{first[b].arm.label} against {first[a].arm.label}: {WAYS[shown[a, b]]} under the first,"
        f" {WAYS[there[a, b]]} under the second"
        for a, b in pairs
        if shown[a, b] * there[a, b] < 0
    ]
    return Order(
        (one, two),
        len(shared),
        len(pairs),
        sum(shown[pair] * there[pair] > 0 for pair in pairs),
        tuple(opposed),
        _trend([(_value(first[key]), _value(second[key])) for key in shared]),
        differing,
    )


def _lane(lane: Scored) -> Lane:
    tasks = {task: sides.key(lane.side.tasks[task]) for task in sorted(lane.side.tasks)}
    return lane.side.value, lane.side.kin, sides.key(tasks)


def _shown(found: Baseline) -> Mapping[tuple[Lane, Lane], int]:
    """Return of every pair of lanes whether the second is shown better (1), worse (-1) or not."""
    said: dict[tuple[Lane, Lane], int] = {}
    keys = map(_lane, found.lanes)
    for (a, b), finding in zip(combinations(keys, 2), found.ranking.pairs, strict=True):
        kind = verdicts.decide(finding).kind
        said[a, b] = next((way for way, word in WAYS.items() if word == kind), 0)
        said[b, a] = -said[a, b]
    return said


def _trend(values: Sequence[tuple[float, float]]) -> Trend | CannotTell:
    """Return Mann-Kendall of one baseline's composites in the order of the other's."""
    for pairs in (values, [(there, here) for here, there in values]):
        if len({here for here, _ in pairs}) == len(pairs):
            return mann_kendall([there for _, there in sorted(pairs)])
    return CannotTell("composites are tied under both")


def _value(lane: Scored) -> float:
    """Return the composite of a lane, which has one: lanes without are no part of a baseline."""
    found = summarize(lane.arm, CLAIM).estimate
    if isinstance(found, CannotTell):
        raise TypeError(found.reason)
    return found
