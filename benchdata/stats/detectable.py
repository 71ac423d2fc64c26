"""The smallest effect a design finds 8 times in 10: by seeded simulation of the very tests used.

Where a simulation would be large, a named formula that agrees with it takes over. All levels are
.05 / comparisons, what the smallest p of a Holm family must meet; a find in the wrong direction is
none.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy.special import nctdtr, ndtr, ndtri, stdtrit

from benchdata.stats import floors
from benchdata.stats.draws import numbers
from benchdata.stats.exact import rank_sums
from benchdata.stats.rationals import SIGNIFICANT
from benchdata.stats.results import CannotTell
from benchdata.stats.samples import FloatArray
from benchdata.stats.sign_flips import sign_flip

POWER = 0.8  # "found 8 times in 10"
SIMULATIONS = 2_000
ENUMERATED = 12  # tasks: above, the power of the t test, which the sign-flip test approaches
EXACT_TO = 100  # values in both groups: above, Noether's formula
STEPS = 12  # halvings of the bracket: finer than the error of a simulation
WIDEST = 8.0  # standard deviations: found by any design that can reach its level


def mean_power(shift: float, tasks: int, comparisons: int = 1) -> float:
    """Return how often a sign-flip test finds a mean task difference of `shift` deviations.

    The differences are normal; `shift` >= 0 is in units of their standard deviation. To 12 tasks by
    2,000 simulations of the exact test, above by the noncentral t distribution.
    Source: Owen 1968, "A survey of properties and applications of the noncentral t-distribution".

    Raises:
        ValueError: Fewer than 2 tasks, fewer than one comparison, or a negative shift.
    """
    level = _level(comparisons)
    if tasks < 2 or not shift >= 0:
        raise ValueError("at least 2 tasks and a shift of 0 or more")
    if tasks > ENUMERATED:
        critical = float(stdtrit(tasks - 1, 1 - float(level) / 2))
        return 1.0 - float(nctdtr(tasks - 1, shift * math.sqrt(tasks), critical))
    totals = _flipped_noise(tasks) + shift * _patterns(tasks).sum(axis=1)
    observed = totals[:, :1]  # the pattern that flips nothing
    as_large = np.count_nonzero(np.abs(totals) >= np.abs(observed) * (1 - 1e-12), axis=1)
    significant = as_large * level.denominator <= level.numerator * totals.shape[1]
    return float(np.mean(significant & (observed[:, 0] > 0)))


def detectable_mean(tasks: int, comparisons: int = 1) -> float | CannotTell:
    """Return the mean task difference, in standard deviations of one, found 8 times in 10.

    Raises:
        ValueError: A negative number of tasks, or fewer than one comparison.
    """
    if (floor := floors.sign_flip(tasks)) > _level(comparisons):
        need = floors.suffices(floors.sign_flip, comparisons)
        return _out_of_reach(f"{tasks} tasks", floor, need)
    return _smallest(lambda shift: mean_power(shift, tasks, comparisons), WIDEST)


def lift_power(lift: float, rate: float, tasks: int, repeats: int, comparisons: int = 1) -> float:
    """Return how often the exact sign-flip test finds a lift in pass rate from `rate`.

    2,000 simulations of `repeats` trials in each of `tasks` tasks and both arms; all tasks have the
    same rate and the same lift, which is the most noise that trials add.

    Raises:
        ValueError: Rates outside 0..1, a negative lift, no tasks, repeats or comparisons.
    """
    level = _level(comparisons)
    if not 0 <= rate <= rate + lift <= 1 or lift < 0 or tasks < 1 or repeats < 1:
        raise ValueError("rates from 0 to 1, a lift of 0 or more, at least 1 task and repeat")
    before, after = _trials(tasks, repeats)
    moved = (after < rate + lift).sum(axis=2) - (before < rate).sum(axis=2)
    # p depends on the sum and the sizes of the differences alone, so few distinct cases remain.
    cases = np.column_stack([moved.sum(axis=1), np.sort(np.abs(moved), axis=1)])
    distinct, first, counts = np.unique(cases, axis=0, return_index=True, return_counts=True)
    found = sum(
        int(counts[case])
        for case in np.flatnonzero(distinct[:, 0] > 0)
        if sign_flip(moved[first[case]].tolist()).exact_p <= level
    )
    return found / SIMULATIONS


def detectable_lift(
    rate: float, tasks: int, repeats: int, comparisons: int = 1
) -> float | CannotTell:
    """Return the lift in pass rate from `rate` that is found 8 times in 10: see `lift_power`.

    None when the design cannot reach its level, or misses even a lift to 1.

    Raises:
        ValueError: A rate outside 0..1, no tasks, repeats or comparisons.
    """
    if (floor := floors.sign_flip(tasks)) > _level(comparisons):
        need = floors.suffices(floors.sign_flip, comparisons)
        return _out_of_reach(f"{tasks} tasks", floor, need)
    return _smallest(lambda lift: lift_power(lift, rate, tasks, repeats, comparisons), 1 - rate)


def shift_power(shift: float, n: int, m: int, comparisons: int = 1) -> float:
    """Return how often Mann-Whitney finds a shift of `shift` standard deviations, n against m.

    Both groups normal with the same deviation, so for latency and cost read it on logarithms. To
    100 values by 2,000 simulations of the exact test, above by Noether's formula.
    Source: Noether 1987, "Sample size determination for some common nonparametric tests".

    Raises:
        ValueError: An empty group, fewer than one comparison, or a negative shift.
    """
    level = _level(comparisons)
    if min(n, m) < 1 or not shift >= 0:
        raise ValueError("at least one value in each group and a shift of 0 or more")
    if n + m > EXACT_TO:
        distance = (tendency(shift) - 0.5) * math.sqrt(12 * n * m / (n + m))
        return float(ndtr(distance - float(ndtri(1 - float(level) / 2))))
    both = _normals(n + m, "shift power", (n, m)).copy()
    both[:, n:] += shift
    places = both.argsort(axis=1).argsort(axis=1)[:, n:]
    return float(np.mean(places.sum(axis=1) >= _critical_places(n, m, level)))


def detectable_shift(n: int, m: int, comparisons: int = 1) -> float | CannotTell:
    """Return the shift, in standard deviations, that n against m values find 8 times in 10.

    For latency with deviation s of the logarithms it is a factor of exp(shift * s).

    Raises:
        ValueError: A negative number of values, or fewer than one comparison.
    """
    if (floor := floors.mann_whitney(n, m)) > _level(comparisons):
        need = floors.suffices(lambda side: floors.mann_whitney(side, side), comparisons)
        return _out_of_reach(f"{n} against {m}", floor, need)
    return _smallest(lambda shift: shift_power(shift, n, m, comparisons), WIDEST)


def tendency(shift: float) -> float:
    """Return in which share of pairs a value is above one from a normal group `shift` lower."""
    return float(ndtr(shift / math.sqrt(2)))


def _smallest(power: Callable[[float], float], largest: float) -> float | CannotTell:
    """Return the effect with the power, from above, by halving; power rises with the effect."""
    if power(largest) < POWER:
        return CannotTell("no effect is found 8 times in 10")
    missed, found = 0.0, largest
    for _ in range(STEPS):
        middle = (missed + found) / 2
        missed, found = (missed, middle) if power(middle) >= POWER else (middle, found)
    return found


def _out_of_reach(design: str, floor: Fraction, need: int | CannotTell) -> CannotTell:
    return CannotTell(
        f"{design}: the smallest p is {float(floor):.3g}, which is not enough; {need} suffice"
    )


def _level(comparisons: int) -> Fraction:
    """Return the level that the smallest p of a family of comparisons must meet."""
    if comparisons < 1:
        raise ValueError(f"a family of {comparisons} comparisons is not possible")
    return SIGNIFICANT / comparisons


def _critical_places(n: int, m: int, level: Fraction) -> int:
    """Return the smallest sum of 0-based places of the second group that is significant."""
    sums = rank_sums(tuple(range(n + m)), m)
    low, high = 0, (n + m) * m  # the sum at `high` is beyond all
    while high - low > 1:
        middle = (low + high) // 2
        fits = Fraction(2 * sums.at_least(middle), sums.total) <= level
        low, high = (low, middle) if fits else (middle, high)
    return high


@lru_cache(maxsize=1)
def _patterns(tasks: int) -> FloatArray:
    """Return half of all sign patterns, shape (2^(tasks-1), tasks); the first flips nothing."""
    flipped = np.arange(2 ** (tasks - 1))[:, np.newaxis] >> np.arange(tasks) & 1
    return np.where(flipped, -1.0, 1.0)


@lru_cache(maxsize=1)
def _flipped_noise(tasks: int) -> FloatArray:
    """Return the sums of 2,000 samples under every pattern, shape (2,000, 2^(tasks-1))."""
    noise: FloatArray = _normals(tasks, "mean power", (tasks,)) @ _patterns(tasks).T
    return noise


@lru_cache(maxsize=1)
def _trials(tasks: int, repeats: int) -> tuple[FloatArray, FloatArray]:
    """Return a number in (0, 1) for every trial of both arms, shape (2,000, tasks, repeats)."""
    uniform = _uniform(2 * tasks * repeats, "lift power", (tasks, repeats))
    before, after = uniform.reshape(SIMULATIONS, 2, tasks, repeats).swapaxes(0, 1)
    return before, after


@lru_cache(maxsize=4)
def _normals(width: int, purpose: str, design: tuple[int, ...]) -> FloatArray:
    """Return standard normal numbers, shape (2,000, width), fixed by the purpose and the design."""
    normal: FloatArray = ndtri(_uniform(width, purpose, design))
    normal.flags.writeable = False
    return normal


def _uniform(width: int, purpose: str, design: tuple[int, ...]) -> FloatArray:
    """Return numbers inside (0, 1), shape (2,000, width)."""
    raw = np.concatenate(list(numbers(purpose, design, width, SIMULATIONS)))
    uniform: FloatArray = ((raw >> np.uint64(12)).astype(np.float64) + 0.5) / 2.0**52
    return uniform
