"""Sample sizes: how many tasks, pairs or values find an effect of a given size 8 times in 10."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import bdtr, bdtrc, ndtri

from benchdata.stats.detectable import POWER, mean_power, shift_power
from benchdata.stats.results import ALPHA, CannotTell

MOST_PAIRS = 10_000
MOST = 2**20  # tasks or values


def miller_tasks(
    effect: float,
    *,
    task_variance: float,
    noise: tuple[float, float],
    repeats: tuple[int | None, int | None],
    power: float = POWER,
) -> int:
    """Return how many tasks a paired comparison needs to find a mean difference of `effect`.

    (z_{.975} + z_power)^2 * (task_variance + noise_A / K_A + noise_B / K_B) / effect^2, rounded up.
    `task_variance` is the variance of the true difference between tasks, `noise` the variance of
    one trial inside a task in each arm, `repeats` the trials K of each (None: without end).
    Repeats shrink only the noise. Needs tens of tasks to be right: it takes means as normal.
    Source: Miller 2024, "Adding error bars to evals", arXiv 2411.00640, section 5.

    Raises:
        ValueError: An effect of 0, a negative variance, fewer than one repeat, or power outside
            0..1.
    """
    if effect == 0 or task_variance < 0 or min(noise) < 0 or not 0 < power < 1:
        raise ValueError("an effect other than 0, variances of 0 or more and a power below 1")
    if any(count is not None and count < 1 for count in repeats):
        raise ValueError("at least one repeat in each arm")
    arms = zip(noise, repeats, strict=True)
    variance = task_variance + sum(each / count for each, count in arms if count is not None)
    quantiles = float(ndtri(1 - ALPHA / 2) + ndtri(power))
    return max(math.ceil(quantiles**2 * variance / effect**2), 1)


def sign_test_pairs(
    win_rate: float, *, two_sided: bool = True, power: float = POWER
) -> int | CannotTell:
    """Return the fewest pairs that differ with which a sign test finds `win_rate` at the .05 level.

    The power is exact binomial; as the level moves in steps, some larger numbers reach it less.
    Source: Dixon and Mood 1946, "The statistical sign test".

    Raises:
        ValueError: A win rate or a power outside 0..1.
    """
    if not 0 <= win_rate <= 1 or not 0 < power < 1:
        raise ValueError("a win rate and a power lie between 0 and 1")
    rate = max(win_rate, 1 - win_rate) if two_sided else win_rate
    if rate <= 0.5:
        return CannotTell("a win rate of one half or less is no difference to find")
    tail = ALPHA / 2 if two_sided else ALPHA
    reached = (n for n in range(1, MOST_PAIRS) if _sign_test_power(n, rate, tail) >= power)
    return next(reached, CannotTell(f"{MOST_PAIRS:,} pairs do not suffice"))


def tasks_needed(shift: float, comparisons: int = 1) -> int | CannotTell:
    """Return the fewest tasks with which a mean difference of `shift` deviations is found.

    Raises:
        ValueError: A shift of 0 or less, or fewer than one comparison.
    """
    return _fewest(lambda tasks: mean_power(shift, tasks, comparisons), shift)


def values_needed(
    shift: float, comparisons: int = 1, *, other: int | None = None
) -> int | CannotTell:
    """Return the fewest values a side with which a shift of `shift` deviations is found.

    `other` fixes the size of the second group (a pinned baseline); without it both are equal.

    Raises:
        ValueError: A shift of 0 or less, an empty other group, or fewer than one comparison.
    """
    return _fewest(
        lambda side: shift_power(shift, side, side if other is None else other, comparisons), shift
    )


def _sign_test_power(pairs: int, rate: float, tail: float) -> float:
    """Return P(wins >= c) for the smallest c whose tail under one half is at most `tail`."""
    # Six standard deviations about the mean: no critical value lies outside.
    width = 3 * math.sqrt(pairs) + 1
    wins = np.arange(max(int(pairs / 2 - width), 1), min(int(pairs / 2 + width), pairs) + 1)
    significant = bdtr(pairs - wins, pairs, 0.5) <= tail  # by symmetry P(that many or more)
    if not significant.any():
        return 0.0
    return float(bdtrc(int(wins[significant.argmax()]) - 1, pairs, rate))


def _fewest(power: Callable[[int], float], shift: float) -> int | CannotTell:
    """Return the first size with the power: doubled until it has it, then halved back."""
    if not shift > 0:
        raise ValueError("a shift above 0")
    enough = 2
    while power(enough) < POWER:
        if enough >= MOST:
            return CannotTell(f"{MOST:,} do not suffice")
        enough *= 2
    short = enough // 2
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if power(middle) >= POWER else (middle, enough)
    return enough
