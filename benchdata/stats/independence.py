"""Are the rows of a group independent of those that ran before? A guard for every comparison."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchdata.stats.draws import NEAR, FloatArray, numbers, p_of_draws
from benchdata.stats.exact import EXACT
from benchdata.stats.ranks import Rankable, Worst, midranks, places
from benchdata.stats.rationals import Tested
from benchdata.stats.results import CannotTell

Start = TypeVar("Start", int, float, str, datetime)

LEAST_ROWS = 6
"""Below, no order of the rows reaches 1%: 2 of 5! orders are 1.7%."""

LEVEL = Fraction(1, 100)
ENUMERATED_ROWS = 8  # 8! orders are fewer than 2^16
DRAWS = 19_999
CHUNK = 500
"""Orders that are held at a time."""


@dataclass(frozen=True, slots=True)
class Independence(Tested):
    """The lag-1 autocorrelation of the ranks of `n` rows in start order, and its one-sided p."""

    autocorrelation: float
    n: int
    method: str

    @property
    def dependent(self) -> bool:
        """Whether the guard speaks: rows like their forerunners, significant at 1%."""
        return self.exact_p <= LEVEL


def independence(
    values: Sequence[Rankable],
    starts: Sequence[Start] | None = None,
    *,
    strata: Sequence[str] | None = None,
    nulls: Worst = "highest",
) -> Independence | CannotTell:
    """Test whether rows that ran one after the other are alike; n >= 6.

    `values` are ranked (None worst, tied) and put in the order of `starts`; without `starts` they
    are in order. p is the share of orders with an autocorrelation at least as large, over all
    orders to 8 rows, above over 19,999 draws, (b + 1) / (B + 1); drawing ends early once p <= 1%
    is out of reach. Rows that share a start time have no order among them: the statistic is its
    mean over their orders, which does not depend on how they are given. When all share one, or all
    values are equal, there is nothing to tell. With `strata` (the task of each row) the orders are
    those that leave every row in a place of its stratum: values ranked inside their task sum to the
    same in each, so other orders are no null.
    Source: Wald and Wolfowitz 1943, "An exact test for randomness in the non-parametric case based
    on serial correlation", on midranks and without joining the ends.

    Raises:
        ValueError: A value is not finite, or `starts` or `strata` has another length.
    """
    n = len(values)
    ranked = places(values, [], nulls)[0]
    labels = list(strata) if strata is not None else [""] * n
    if len(labels) != n:
        raise ValueError(f"{n} values cannot have {len(labels)} strata")
    sizes = [1] * n
    if starts is not None:
        if len(starts) != n:
            raise ValueError(f"{n} values cannot have {len(starts)} start times")
        order = sorted(range(n), key=lambda index: (starts[index], ranked[index], labels[index]))
        ranked = [ranked[index] for index in order]
        labels = [labels[index] for index in order]
        runs = itertools.groupby(starts[index] for index in order)
        sizes = [sum(1 for _ in run) for _, run in runs]
    if n < LEAST_ROWS:
        return CannotTell(f"fewer than {LEAST_ROWS} rows")
    if len(sizes) == 1:
        return CannotTell("no order: all rows share one start time")
    doubled, _ = midranks(sorted(ranked))
    # Doubled midranks less their mean, which is n + 1 with any ties: whole numbers.
    scores = np.array([doubled[place] - n - 1 for place in ranked], dtype=np.float64)
    squares = float(scores @ scores)
    if not squares:
        return CannotTell("all values are equal, so order cannot show")
    blocks = np.array(sizes, dtype=np.float64)
    observed = float(_neighbours(scores[np.newaxis], blocks)[0])
    # Without shared start times sums are whole numbers, exact in doubles.
    bound = observed - (NEAR * squares if len(sizes) < n else 0)
    p, method = _share(scores, blocks, _numbered(labels), bound)
    return Independence(p, observed / squares, n, method)


def _neighbours(scores: FloatArray, blocks: FloatArray) -> FloatArray:
    """Return the sum over neighbours of the product of their scores, for each row of `scores`.

    In a block of b rows without order, each of the b - 1 neighbours has the mean product of two
    different rows; between blocks a row counts as its block's mean.
    """
    firsts = np.concatenate([[0], np.cumsum(blocks)[:-1]]).astype(np.intp)
    sums: FloatArray = np.add.reduceat(scores, firsts, axis=1)
    squares: FloatArray = np.add.reduceat(scores * scores, firsts, axis=1)
    means = sums / blocks
    between = (means[:, :-1] * means[:, 1:]).sum(axis=1)
    inside = ((sums * sums - squares) / blocks).sum(axis=1)
    return np.asarray(between + inside, dtype=np.float64)


def _numbered(labels: Sequence[str]) -> NDArray[np.intp]:
    """Return labels as numbers, from 0 in the order in which they first come."""
    number = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    return np.array([number[label] for label in labels], dtype=np.intp)


def _share(
    scores: FloatArray, blocks: FloatArray, strata: NDArray[np.intp], bound: float
) -> tuple[Fraction, str]:
    n = len(scores)
    if n <= ENUMERATED_ROWS:
        every = _every_order(n)
        every = every[(strata[every] == strata).all(axis=1)]
        at_least = int(np.count_nonzero(_neighbours(scores[every], blocks) >= bound))
        return Fraction(at_least, len(every)), EXACT
    # Row by row of `drawn`, the places of each stratum are filled with its own scores.
    home = np.argsort(strata, kind="stable")
    ordered = scores[np.lexsort((scores, strata))]
    seed = ([int(score) for score in scores], [int(size) for size in blocks])
    drawn = np.empty((CHUNK, n))
    as_extreme = done = 0
    for orders in _orders(seed, strata[home]):
        filled = drawn[: len(orders)]
        filled[:, home] = ordered[orders]
        as_extreme += int(np.count_nonzero(_neighbours(filled, blocks) >= bound))
        done += len(orders)
        if as_extreme + 1 > LEVEL * (DRAWS + 1):
            break
    return p_of_draws(as_extreme, done), f"{done:,} draws"


@cache
def _every_order(n: int) -> NDArray[np.intp]:
    return np.array([*itertools.permutations(range(n))], dtype=np.intp)


def _orders(seed: object, strata: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Yield random orders of rows sorted by stratum, each row among those of its own."""
    bits = 64 - int(strata.max()).bit_length()
    first_by = strata.astype(np.uint64) << np.uint64(bits) if strata.any() else np.uint64(0)
    for block in numbers("independence", seed, len(strata), DRAWS):
        keys = block >> np.uint64(64 - bits) | first_by
        for first in range(0, len(keys), CHUNK):
            yield np.argsort(keys[first : first + CHUNK], axis=1)
