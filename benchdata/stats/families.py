"""Several comparisons at once: adjusted p, members that cannot decide, and rank ranges."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal, TypeVar

from benchdata.stats.rationals import SIGNIFICANT, Number, rational

P = TypeVar("P", float, Fraction)
Key = TypeVar("Key", bound=Hashable)

Answer = Literal["yes", "no", "cannot tell"]


def holm(ps: Sequence[P]) -> list[P]:
    """Return the p adjusted for the family they make, in the order given; at most 1.

    The products are made of fractions, so 3 x 1/60 is 0.05. Doubles give doubles.
    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".

    Raises:
        ValueError: A p outside 0..1.
    """
    exact, order = _sorted(ps)
    adjusted = [Fraction(0)] * len(ps)
    highest = Fraction(0)
    for step, index in enumerate(order):
        highest = max(highest, min(Fraction(1), exact[index] * (len(ps) - step)))
        adjusted[index] = highest
    return _as_given(adjusted, ps)


def benjamini_hochberg(ps: Sequence[P]) -> list[P]:
    """Return the p adjusted for the false discovery rate, in the order given; at most 1.

    Source: Benjamini and Hochberg 1995, "Controlling the false discovery rate".

    Raises:
        ValueError: A p outside 0..1.
    """
    exact, order = _sorted(ps)
    adjusted = [Fraction(0)] * len(ps)
    lowest = Fraction(1)
    for place in range(len(ps), 0, -1):
        index = order[place - 1]
        lowest = min(lowest, exact[index] * len(ps) / place)
        adjusted[index] = lowest
    return _as_given(adjusted, ps)


@dataclass(frozen=True, slots=True)
class Comparison(Generic[Key]):
    """One comparison of a family: its p and the smallest p its design can reach."""

    key: Key
    p: Number
    floor: Number


@dataclass(frozen=True, slots=True)
class Member(Generic[Key]):
    """What the family says of one comparison.

    `left`: its own floor is above 0.05, so it is in no family and has no adjusted p. `reachable`:
    the adjusted floor is at most 0.05. A member that is not reachable is `cannot tell`. `size` is
    the number of comparisons in the family.
    """

    key: Key
    raw_p: Fraction
    adjusted_p: Fraction | None
    adjusted_floor: Fraction
    size: int

    @property
    def left(self) -> bool:
        """Whether it is no member of the family."""
        return self.adjusted_p is None

    @property
    def reachable(self) -> bool:
        """Whether the design could have shown a difference."""
        return self.adjusted_floor <= SIGNIFICANT

    @property
    def shown(self) -> bool:
        """Whether a difference is shown: Holm's p is at most 0.05."""
        return self.adjusted_p is not None and self.adjusted_p <= SIGNIFICANT


def family(comparisons: Sequence[Comparison[Key]]) -> list[Member[Key]]:
    """Return what Holm's method says of each comparison, in the order given.

    Comparisons whose own floor is above 0.05 leave; they cost the others nothing. The floors of the
    rest are adjusted as if every comparison reached its own.
    Source: Holm 1979; leaving by the smallest reachable p: Tarone 1990.

    Raises:
        ValueError: A p or a floor outside 0..1.
    """
    floors = _sorted([each.floor for each in comparisons])[0]
    raw = _sorted([each.p for each in comparisons])[0]
    stay = [index for index, floor in enumerate(floors) if floor <= SIGNIFICANT]
    adjusted = dict(zip(stay, holm([raw[index] for index in stay]), strict=True))
    reach = dict(zip(stay, holm([floors[index] for index in stay]), strict=True))
    return [
        Member(each.key, raw[i], adjusted.get(i), reach.get(i, floors[i]), len(stay))
        for i, each in enumerate(comparisons)
    ]


@dataclass(frozen=True, slots=True)
class RankRange:
    """The ranks from `best` to `worst`, from 1, that an entry may have."""

    best: int
    worst: int

    def __str__(self) -> str:
        """Give `1` or `1 to 3`."""
        return f"{self.best}" if self.best == self.worst else f"{self.best} to {self.worst}"

    def among_first(self, places: int = 2) -> Answer:
        """Return whether the entry is among the first `places`."""
        if self.worst <= places:
            return "yes"
        return "no" if self.best > places else "cannot tell"


def rank_ranges(
    entries: Collection[Key], shown_better: Collection[tuple[Key, Key]]
) -> Mapping[Key, RankRange]:
    """Return the rank range of each entry, given the pairs (better, worse) shown after Holm.

    best = 1 + entries shown better, worst = k - entries shown worse, from all pairs; the relation
    need not be transitive.
    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for ranks".

    Raises:
        ValueError: A pair names an unknown entry, one against itself, or is there both ways.
    """
    known, pairs = set(entries), set(shown_better)
    if any({*pair} - known or pair[0] == pair[1] or pair[::-1] in pairs for pair in pairs):
        raise ValueError("a pair is two different entries, one of them better")
    return {
        entry: RankRange(
            1 + sum(worse == entry for _, worse in pairs),
            len(known) - sum(better == entry for better, _ in pairs),
        )
        for entry in entries
    }


def _sorted(ps: Sequence[Number]) -> tuple[list[Fraction], list[int]]:
    """Return the p as fractions, and their indices by rising p (the earlier first among equals)."""
    exact = [rational(p) for p in ps]
    if not all(0 <= p <= 1 for p in exact):
        raise ValueError("a p lies between 0 and 1")
    return exact, sorted(range(len(ps)), key=exact.__getitem__)


def _as_given(adjusted: Sequence[Fraction], ps: Sequence[P]) -> list[P]:
    return [type(p)(each) for p, each in zip(ps, adjusted, strict=True)]
