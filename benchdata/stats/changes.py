"""Change points of a series: where its level moves, at most 5% of the time when it does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchdata.stats.draws import numbers as random_numbers
from benchdata.stats.draws import p_of_draws
from benchdata.stats.rationals import SIGNIFICANT, Number, scaled
from benchdata.stats.results import CannotTell
from benchdata.stats.samples import FloatArray

DRAWS = 9_999
SHORTEST = 3  # values on either side of a change
LONGEST = 2_000

# Statistics of two orders that are equal in exact arithmetic differ by rounding.
NEAR = 1 - 1e-12


@dataclass(frozen=True, slots=True)
class Change:
    """The first position (0-based) of a new level, and the p of the split that found it."""

    position: int
    p: Fraction


def change_points(values: Iterable[Number]) -> tuple[Change, ...] | CannotTell:
    """Return where the level of n values in order changes, by position; none is an empty tuple.

    Binary segmentation of the ranks: the split with the largest standardised difference of mean
    ranks counts when a permutation test (9,999 draws) finds it at 5%; each part is searched again
    at half its parent's level. So a series of exchangeable values shows a change in at most 5% of
    cases, whatever their distribution. Values that depend on their predecessors show more.
    Sources: Pettitt 1979, "A non-parametric approach to the change-point problem"; Scott and Knott
    1974 (binary segmentation).

    Raises:
        ValueError: A value is not finite.
    """
    numbers, _ = scaled(values)
    if len(numbers) < 2 * SHORTEST:
        return CannotTell(f"fewer than {2 * SHORTEST} values")
    if len(numbers) > LONGEST:
        return CannotTell(f"more than {LONGEST:,} values")
    return tuple(sorted(_search(numbers, 0, SIGNIFICANT), key=lambda change: change.position))


def _search(numbers: list[int], offset: int, alpha: Fraction) -> list[Change]:
    if len(numbers) < 2 * SHORTEST:
        return []
    ranks = _doubled_midranks(numbers)
    heights = _heights(ranks[np.newaxis, :])[0]
    best = int(heights.argmax())
    p = p_of_draws(_as_high(ranks, heights[best] * NEAR), DRAWS)
    if p > alpha:
        return []
    split = best + SHORTEST
    return [
        Change(offset + split, p),
        *_search(numbers[:split], offset, alpha / 2),
        *_search(numbers[split:], offset + split, alpha / 2),
    ]


def _as_high(ranks: NDArray[np.int64], height: float) -> int:
    """Return how many of 9,999 random orders of the ranks hold a split as high.

    Seeded by the ranks in order: one stream for all series of a length would give all of them the
    same error in the level.
    """
    found = 0
    for block in random_numbers("change points", ranks.tolist(), len(ranks), DRAWS):
        orders = ranks[np.argsort(block, axis=1)]
        found += int(np.count_nonzero(_heights(orders).max(axis=1) >= height))
    return found


def _heights(ranks: NDArray[np.int64]) -> FloatArray:
    """Return, for each order (row) and split, the squared difference in units of its variance.

    Shape (orders, n - 5): the first split leaves three values on the left. The numerator is a
    whole number.
    """
    n = ranks.shape[1]
    sizes = np.arange(SHORTEST, n - SHORTEST + 1)
    left = np.cumsum(ranks, axis=1)[:, sizes - 1]
    gaps = (n * left - sizes * ranks.sum(axis=1, keepdims=True)).astype(np.float64)
    heights: FloatArray = gaps**2 / (sizes * (n - sizes))
    return heights


def _doubled_midranks(numbers: list[int]) -> NDArray[np.int64]:
    ordered = sorted(numbers)
    places: dict[int, int] = {}
    for place, number in enumerate(ordered):
        places.setdefault(number, place)
    last = {number: place for place, number in enumerate(ordered)}
    return np.array([places[number] + last[number] + 2 for number in numbers], dtype=np.int64)
