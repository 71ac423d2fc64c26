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
    values: Sequence[Rankable], starts: Sequence[Start] | None = None, *, nulls: Worst = "highest"
) -> Independence | CannotTell:
    """Test whether rows that ran one after the other are alike; n >= 6.

    `values` are ranked (None worst, tied) and put in the order of `starts`; without `starts` they
    are in order. p is the share of orders with an autocorrelation at least as large, over all
    orders to 8 rows, above over 19,999 draws, (b + 1) / (B + 1); drawing ends early once p <= 1%
    is out of reach. Rows that share a start time have no order among them: the statistic is its
    mean over their orders, which does not depend on how they are given. When all share one, or all
    values are equal, there is nothing to tell.
    Source: Wald and Wolfowitz 1943, "An exact test for randomness in the non-parametric case based
    on serial correlation", on midranks and without joining the ends.

    Raises:
        ValueError: A value is not finite, or `starts` has another length.
    """
    n = len(values)
    ranked = places(values, [], nulls)[0]
    sizes = [1] * n
    if starts is not None:
        if len(starts) != n:
            raise ValueError(f"{n} values cannot have {len(starts)} start times")
        order = sorted(range(n), key=lambda index: (starts[index], ranked[index]))
        ranked = [ranked[index] for index in order]
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
    p, method = _share(scores, blocks, bound)
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


def _share(scores: FloatArray, blocks: FloatArray, bound: float) -> tuple[Fraction, str]:
    n = len(scores)
    if n <= ENUMERATED_ROWS:
        every = _every_order(n)
        at_least = int(np.count_nonzero(_neighbours(scores[every], blocks) >= bound))
        return Fraction(at_least, len(every)), EXACT
    ordered = np.sort(scores)
    seed = ([int(score) for score in scores], [int(size) for size in blocks])
    as_extreme = done = 0
    for orders in _orders(seed, n):
        as_extreme += int(np.count_nonzero(_neighbours(ordered[orders], blocks) >= bound))
        done += len(orders)
        if as_extreme + 1 > LEVEL * (DRAWS + 1):
            break
    return p_of_draws(as_extreme, done), f"{done:,} draws"


@cache
def _every_order(n: int) -> NDArray[np.intp]:
    return np.array([*itertools.permutations(range(n))], dtype=np.intp)


def _orders(seed: object, n: int) -> Iterator[NDArray[np.intp]]:
    for block in numbers("independence", seed, n, DRAWS):
        for first in range(0, len(block), 500):
            yield np.argsort(block[first : first + 500], axis=1)
