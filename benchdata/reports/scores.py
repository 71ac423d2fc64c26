"""Composite scores as they are reported: each arm with its interval, rank range, other presets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from operator import attrgetter

from benchdata import verdicts
from benchdata.comparisons import composites
from benchdata.comparisons.composites import CLAIM, NO_COSTS, Scored
from benchdata.comparisons.repricing import Repriced, reprice
from benchdata.comparisons.summaries import Summary, summarize
from benchdata.dataset import Dataset
from benchdata.errors import InputError
from benchdata.reports.baselines import Baseline, baseline
from benchdata.stats import pricing
from benchdata.stats.families import RankRange
from benchdata.stats.pricing import Prices
from benchdata.stats.results import CannotTell
from benchdata.stats.scoring import PRESETS, Preset

Estimate = float | CannotTell


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One arm under the preset; `beside` has its composite under every other shipped preset."""

    scored: Scored
    summary: Summary
    rank: RankRange
    beside: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Scores:
    """All arms of one contract's rows; `disagreements` are sentences on what presets decide.

    `left_out` rows are of a kind that is no result, or of arms without any score. `baselines` are
    the arms under the preset, context by context. `repriced` is how cost was priced again.
    """

    contract: str
    preset: Preset
    lines: tuple[ScoreLine, ...]
    disagreements: tuple[str, ...]
    left_out: int
    baselines: tuple[Baseline, ...]
    repriced: Repriced | None

    @property
    def synthetic(self) -> bool:
        """Return whether an arm has rows that measure nothing."""
        return any(line.scored.arm.synthetic for line in self.lines)


def scores(dataset: Dataset, preset: Preset, prices: Prices | None = None) -> Scores:
    """Return the composites of a dataset under a preset, the other shipped ones beside it.

    Cost is priced again by a table, the shipped one where none is given.

    Raises:
        ContractError: The contract compares nothing, or lacks a metric that the preset weighs.
        InputError: No row can be scored.
    """
    presets = {preset.name: preset, **PRESETS}
    repriced = reprice(dataset, prices or pricing.load())
    costs = repriced.costs if repriced else NO_COSTS
    by_preset = {
        name: {_key(each): each for each in composites.score(dataset, one, costs)}
        for name, one in presets.items()
        if name == preset.name or _fits(dataset, one)
    }
    own = list(by_preset[preset.name].values())
    if not own:
        raise InputError("no row can be scored: each lacks a value that the preset refuses to miss")
    means = {
        name: {key: summarize(each.arm, CLAIM).estimate for key, each in found.items()}
        for name, found in by_preset.items()
    }
    baselines = {name: _baselines(list(found.values())) for name, found in by_preset.items()}
    ranges = {
        _key(each): place
        for found in baselines[preset.name]
        for each, place in zip(found.lanes, found.ranking.ranges, strict=True)
    }
    none = CannotTell("no run can be scored")
    lines = tuple(
        ScoreLine(
            each,
            summarize(each.arm, CLAIM),
            ranges[_key(each)],
            {n: found.get(_key(each), none) for n, found in means.items() if n != preset.name},
        )
        for each in own
    )
    said = (*_orders(own, means), *_verdicts(baselines))
    left_out = dataset.rows - sum(len(each.arm.runs) for each in own)
    return Scores(
        dataset.contract.name,
        preset,
        lines,
        said,
        left_out,
        tuple(baselines[preset.name]),
        repriced,
    )


def _fits(dataset: Dataset, preset: Preset) -> bool:
    """Return whether the contract has what a shipped preset weighs: a user's may ask for others."""
    return composites.fault(dataset.contract, preset) == ""


def _key(each: Scored) -> tuple[str, str]:
    return each.context, each.arm.label


def _baselines(found: Sequence[Scored]) -> list[Baseline]:
    """Return the arms of each context with their ranking: arms of two contexts are no rivals."""
    return [baseline([*arms]) for _, arms in groupby(found, attrgetter("context"))]


def _orders(
    own: Sequence[Scored], means: Mapping[str, Mapping[tuple[str, str], Estimate]]
) -> Iterator[str]:
    """Yield each pair of arms of one context whose order two presets do not agree on."""
    for one, two in combinations(own, 2):
        if one.context != two.context:
            continue
        ahead = {}
        for name, found in means.items():
            values = found.get(_key(one)), found.get(_key(two))
            if isinstance(values[0], float) and isinstance(values[1], float):
                ahead[name] = values[0] - values[1]
        first = [name for name, lead in ahead.items() if lead > 0]
        second = [name for name, lead in ahead.items() if lead < 0]
        if first and second:
            yield (
                f"Presets disagree on the order{_where(one)}: {one.arm.label} is ahead of"
                f" {two.arm.label} under {', '.join(first)}, behind under {', '.join(second)}."
            )


def _verdicts(baselines: Mapping[str, Sequence[Baseline]]) -> Iterator[str]:
    """Yield each pair of arms on which presets come to different verdicts."""
    said: dict[tuple[str, str, str], dict[str, str]] = {}
    for name, contexts in baselines.items():
        for found in contexts:
            for finding in found.ranking.pairs:
                pair = (_where(found.lanes[0]), finding.baseline.label, finding.treatment.label)
                said.setdefault(pair, {})[name] = verdicts.decide(finding).word
    for (where, base, treatment), words in said.items():
        if len(set(words.values())) > 1:
            each = ", ".join(f"{word} under {name}" for name, word in words.items())
            yield f"Presets disagree on the verdict{where}: {treatment} against {base}: {each}."


def _where(each: Scored) -> str:
    return f" ({each.context})" if each.context else ""
