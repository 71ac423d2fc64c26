"""Composites of a build bench under several presets: the chart of their parts, and the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from benchdata import charts
from benchdata.comparisons import composites as composing
from benchdata.comparisons.composites import CLAIM, NO_COSTS, Scored
from benchdata.comparisons.summaries import Summary, summarize
from benchdata.dataset import Dataset
from benchdata.errors import counted
from benchdata.numbers import MISSING, display
from benchdata.reports.leaderboard_tables import ends, estimate
from benchdata.reports.scores import Scores
from benchdata.reports.tables import Align, Table
from benchdata.stats.families import RankRange
from benchdata.stats.results import known
from benchdata.stats.scoring import Preset

if TYPE_CHECKING:
    import altair as alt

PARTS = {
    **dict.fromkeys(("group", "preset", "component"), pl.String),
    **dict.fromkeys(("score", "composite"), pl.Float64),
    "n": pl.Int64,
}
COLUMNS: tuple[tuple[str, Align], ...] = (
    *(("Lane", "left"), ("Preset", "left"), ("Composite", "right"), ("Interval", "right")),
    *(("Rank", "right"), ("Runs", "right"), ("Forfeited", "left"), ("Clipped", "left")),
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """One lane under one preset; its rank range under the chosen one alone."""

    preset: str
    scored: Scored
    summary: Summary
    ranks: RankRange | None = None

    @property
    def lane(self) -> str:
        """Return the lane, and the context where there are several."""
        where = f" · {self.scored.context}" if self.scored.context else ""
        return f"{self.scored.arm.label}{where}"


def chosen(found: Scores) -> Iterator[Weighed]:
    """Yield the lanes under the preset that was chosen, with their rank ranges."""
    for line in found.lines:
        yield Weighed(found.preset.name, line.scored, line.summary, line.rank)


def under(dataset: Dataset, presets: Iterable[Preset], found: Scores) -> Iterator[Weighed]:
    """Yield the lanes under other presets than the one that was chosen, of the same costs."""
    costs = found.repriced.costs if found.repriced else NO_COSTS
    for preset in presets:
        for scored in composing.score(dataset, preset, costs):
            yield Weighed(preset.name, scored, summarize(scored.arm, CLAIM))


def chart(every: Sequence[Weighed]) -> alt.TopLevelMixin:
    """Draw each component of each lane from 0 to 1, the whole as a tick, preset by preset."""
    rows = [
        (
            one.lane,
            one.preset,
            part.name,
            part.normalized,
            known(one.summary.estimate),
            one.scored.runs,
        )
        for one in every
        for part in one.scored.components
    ]
    return charts.composites(pl.DataFrame(rows, PARTS, orient="row"))


def composites(every: Sequence[Weighed]) -> Table:
    """Return a line a lane and preset; a forfeited weight makes a composite provisional."""
    rows = [
        (
            one.lane,
            one.preset,
            estimate(one.summary.estimate),
            ends(one.summary.interval),
            str(one.ranks) if one.ranks else MISSING,
            f"{one.scored.runs:,}",
            _told({part.name: part.lost for part in one.scored.components}),
            _told({part.name: part.clipped for part in one.scored.components}),
        )
        for one in every
    ]
    heads, sides = zip(*COLUMNS, strict=True)
    return Table(f"Composites, means over tasks ({_weights(every)})", heads, tuple(rows), sides)


def _weights(every: Sequence[Weighed]) -> str:
    """Return the weights of each preset."""
    presets = {one.preset: one.scored.components for one in every}
    return "; ".join(
        f"{name}: {', '.join(f'{part.name} {display(part.weight)}' for part in parts)}"
        for name, parts in presets.items()
    )


def _told(counts: dict[str, int]) -> str:
    """Return which axes, and in how many runs."""
    return ", ".join(f"{name} in {counted(n, 'run')}" for name, n in counts.items() if n) or MISSING
