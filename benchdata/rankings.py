"""Rankings: every entry with the range of ranks that it may have, from all pairs of entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchdata import verdicts
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding, compare
from benchdata.stats.families import RankRange, rank_ranges


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rank range of each arm, in the order given, and the pairs that it comes from.

    All pairs are one family of their own.
    """

    ranges: tuple[RankRange, ...]
    pairs: tuple[Finding, ...]


def ranking(
    arms: Sequence[Arm],
    claim: Claim,
    hidden: Callable[[int, int], tuple[str, ...]] = lambda _one, _other: (),
) -> Ranking:
    """Return the rank ranges of arms of one context: an arm is behind those shown better.

    `hidden` gives the fields that differ between the arms at two places and must not: no verdict.

    Source: as `families.rank_ranges`.
    """
    places = list(combinations(range(len(arms)), 2))
    found = verdicts.decided(
        [compare(arms[i], arms[j], claim, hidden=hidden(i, j)) for i, j in places]
    )
    shown = [
        (j, i) if verdict.kind == "better" else (i, j)
        for (i, j), (_, verdict) in zip(places, found, strict=True)
        if verdict.kind in {"better", "worse"}
    ]
    ranges = rank_ranges(range(len(arms)), shown)
    return Ranking(
        tuple(ranges[place] for place in range(len(arms))), tuple(finding for finding, _ in found)
    )
