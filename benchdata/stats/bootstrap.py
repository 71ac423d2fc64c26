"""Bootstrap intervals of a mean over units (tasks, runs), for one group or many of one size.

They are descriptive: at ten units a percentile interval excludes 0 far too often to decide by.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import repeat
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from benchdata.stats.draws import numbers
from benchdata.stats.results import LEVEL, CannotTell, Interval, interval
from benchdata.stats.samples import SAME, FloatArray, sample

DRAWS = 10_000
PURPOSE = "bootstrap"
TAIL = 0.025
RANK = int((DRAWS + 1) * TAIL)  # the 250th smallest and the 250th largest of 10,000

# Bounds of working memory, in doubles: a block of weights and a block of resampled sums, 32 MB.
BLOCK = 2**22
# Beyond so many standard errors lie the ends of an interval, and about a tenth of the sums.
TAILS = 1.2

# A resample is one unit over and over when its variance is this small beside the largest square.
NO_SPREAD = 1e-12

Method = Literal["percentile", "bca", "studentized"]
Answer = Interval | CannotTell


def bootstrap(
    values: ArrayLike, *, method: Method = "percentile", purpose: str = PURPOSE
) -> Answer:
    """Return a descriptive 95% interval of the mean of n units, in their unit.

    A mean of task means is the mean of the units "task". See `batch` for the rest.

    Raises:
        ValueError: A value is not finite, or there is no such method.
    """
    return batch(sample(values).reshape(1, -1), method=method, purpose=purpose)[0]


def batch(
    groups: FloatArray, *, method: Method = "percentile", purpose: str = PURPOSE
) -> tuple[Answer, ...]:
    """Return the interval of every row of `groups`, shape (groups, n): 10,000 draws of n units.

    The draws depend on n and `purpose` alone and are shared by all groups, which makes the work one
    matrix product. Sort the units of each group by id before. A group gets the same answer to the
    last bit alone, in any batch, and with any number of threads. None for n < 2 or equal values.
    Sources: Efron 1979 (percentile), Efron 1987 (BCa), Efron and Tibshirani 1993, chapter 12
    (studentized).

    Raises:
        ValueError: Not two-dimensional, a value is not finite, or there is no such method.
    """
    ends = _ENDS.get(method)
    if ends is None:
        raise ValueError(f"`{method}` is none of {', '.join(_ENDS)}")
    if groups.ndim != 2:
        raise ValueError(f"groups have two dimensions (group, unit), not {groups.ndim}")
    sample(groups.ravel())
    if groups.shape[1] < 2:
        return (CannotTell("fewer than 2 units"),) * len(groups)
    answers: list[Answer] = [CannotTell("all values are equal")] * len(groups)
    varied = np.flatnonzero(np.ptp(groups, axis=1) > SAME * np.abs(groups).max(axis=1))
    step = max(1, BLOCK // DRAWS)
    for start in range(0, len(varied), step):
        chosen = varied[start : start + step]
        lows, highs = ends(groups[chosen], purpose)
        for position, low, high in zip(chosen, lows, highs, strict=True):
            answers[position] = _answer(float(low), float(high), method)
    return tuple(answers)


def weights(n: int, purpose: str = PURPOSE) -> Iterator[FloatArray]:
    """Yield how often each of n >= 1 units is drawn, as blocks (draws, n) of 10,000 rows in all.

    The numbers depend on n and `purpose` alone: `draws.numbers`.
    """
    if n * DRAWS <= BLOCK:
        yield _cached_weights(n, purpose)
    else:
        yield from _drawn_weights(n, purpose)


@lru_cache(maxsize=4)
def _cached_weights(n: int, purpose: str) -> FloatArray:
    """Return the weights of a unit count that fits one block; read-only, since it is shared."""
    block = np.concatenate(list(_drawn_weights(n, purpose)))
    block.flags.writeable = False
    return block


def _drawn_weights(n: int, purpose: str) -> Iterator[FloatArray]:
    for block in numbers(purpose, n, n, DRAWS):
        # The upper 32 bits times n, shifted back: a unit number without the bias of a remainder.
        drawn = ((block >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)
        cells = drawn.astype(np.int64) + np.arange(len(block))[:, np.newaxis] * n
        counts = np.bincount(cells.ravel(), minlength=cells.size)
        yield counts.reshape(cells.shape).astype(np.float64)


def _sums(whole: FloatArray, purpose: str) -> FloatArray:
    """Return the resampled sums, shape (groups, draws), of whole numbers: exact in any order."""
    blocks: list[FloatArray] = [whole @ block.T for block in weights(whole.shape[1], purpose)]
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=1)


def _whole(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return (low, unit, whole): values = low + unit * whole, shapes (g, 1), (g, 1), (g, n).

    Whole numbers small enough that a sum of n of them is exact in a double; the rounding is about
    n * 1e-16 of the spread. So no sum depends on how a matrix product is blocked.
    """
    low = values.min(axis=1, keepdims=True)
    spread = np.ptp(values, axis=1, keepdims=True)
    bits = 52 - math.ceil(math.log2(values.shape[1]))
    unit = np.ldexp(1.0, np.frexp(spread)[1] - bits)
    return low, unit, np.rint((values - low) / unit)


def _row_sums(values: FloatArray) -> FloatArray:
    return np.array([math.fsum(row) for row in values.tolist()])


def _percentile(groups: FloatArray, purpose: str) -> tuple[FloatArray, FloatArray]:
    low, unit, whole = _whole(groups)
    sums = _sums(whole, purpose)
    ends = low + unit * _at(sums, whole, repeat((RANK - 1, DRAWS - RANK))) / groups.shape[1]
    return ends[:, 0], ends[:, 1]


def _bca(groups: FloatArray, purpose: str) -> tuple[FloatArray, FloatArray]:
    """Return bias-corrected and accelerated ends; the acceleration of a mean has a closed form."""
    low, unit, whole = _whole(groups)
    sums = _sums(whole, purpose)
    observed = whole.sum(axis=1, keepdims=True)
    # Half of the draws that equal the observed sum count as below it.
    sides = [np.count_nonzero(under(sums, observed), axis=1) for under in (np.less, np.less_equal)]
    below = np.sum(sides, axis=0) / (2 * DRAWS)
    bias = ndtri(np.clip(below, 1 / DRAWS, 1 - 1 / DRAWS))
    scaled = (whole - observed / groups.shape[1]) / np.ptp(whole, axis=1, keepdims=True)
    squares, cubes = _row_sums(scaled**2), _row_sums(scaled * scaled**2)
    acceleration = cubes / (6 * squares**1.5)
    ranks = []
    for tail in (TAIL, 1 - TAIL):
        shifted = bias + ndtri(tail)
        share = ndtr(bias + shifted / (1 - acceleration * shifted))
        # The same rank from either side, so that mirrored data give the mirrored interval.
        rank = (DRAWS + 1) * share
        whole_rank = np.floor(rank) if tail < 0.5 else np.ceil(rank)
        ranks.append(np.clip(whole_rank, 1, DRAWS).astype(np.int64) - 1)
    ends = low + unit * _at(sums, whole, zip(*ranks, strict=True)) / groups.shape[1]
    return ends[:, 0], ends[:, 1]


def _at(sums: FloatArray, whole: FloatArray, ranks: Iterable[tuple[int, int]]) -> FloatArray:
    """Return the values of each row of `sums` at two 0-based ranks, shape (groups, 2).

    Only the tails are put in order where they hold both ranks, which halves the time of all.
    """
    centres, spreads = whole.sum(axis=1), TAILS * np.sqrt(whole.var(axis=1) * whole.shape[1])
    found = np.empty((len(sums), 2))
    for index, (row, (low, high)) in enumerate(zip(sums, ranks, strict=False)):
        below = row[row < centres[index] - spreads[index]]
        above = row[row > centres[index] + spreads[index]]
        place = high - (DRAWS - len(above))
        if low < len(below) and place >= 0:
            below.partition(low)
            above.partition(place)
            found[index] = below[low], above[place]
        else:
            found[index] = np.partition(row, (low, high))[[low, high]]
    return found


def _studentized(groups: FloatArray, purpose: str) -> tuple[FloatArray, FloatArray]:
    """Return bootstrap-t ends; infinite where too many resamples hold one unit over and over."""
    n = groups.shape[1]
    low, unit, whole = _whole(groups)
    observed = whole.sum(axis=1, keepdims=True)
    centred = whole - observed / n
    offset, square_unit, squares = _whole(centred**2)
    shift = (_sums(whole, purpose) - observed) / n
    second = offset + square_unit * _sums(squares, purpose) / n
    spread = second - shift**2
    largest = (centred**2).max(axis=1, keepdims=True)
    known = spread > NO_SPREAD * largest
    error = np.sqrt(np.where(known, spread, 1.0) / n)
    far = np.where(shift == 0, 0.0, np.copysign(np.inf, shift))
    ratios = np.where(known, shift / error, far)
    ratios.sort(axis=1)
    own = np.sqrt(_row_sums(centred**2)) / n
    mean = observed[:, 0] / n
    ends = [mean - ratios[:, rank] * own for rank in (DRAWS - RANK, RANK - 1)]
    return low[:, 0] + unit[:, 0] * ends[0], low[:, 0] + unit[:, 0] * ends[1]


_ENDS: dict[Method, Callable[[FloatArray, str], tuple[FloatArray, FloatArray]]] = {
    "percentile": _percentile,
    "bca": _bca,
    "studentized": _studentized,
}
_NAMES = {"percentile": "percentile", "bca": "BCa", "studentized": "studentized"}


def _answer(low: float, high: float, method: Method) -> Answer:
    if not math.isfinite(low) or not math.isfinite(high):
        return CannotTell("too many resamples hold a single value")
    return interval(low, high, LEVEL, f"{_NAMES[method]} bootstrap", descriptive=True)
