"""Data sets whose truth is known: noise of many shapes, trials of tasks, series in time.

Every function takes a generator and a shape whose first axis is the data set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Noise = Callable[[np.random.Generator, tuple[int, ...]], Array]

CAP = 1_000  # the level at which a time-out is recorded, in units of the noise


def normal(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return whole numbers from a normal distribution of deviation 50."""
    return np.rint(50 * random.normal(size=shape)).astype(np.int64)


def lognormal(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return whole numbers from a lognormal distribution of median 50 and deviation 1."""
    return np.rint(50 * random.lognormal(size=shape)).astype(np.int64)


def ceiling(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return scores from Beta(8, 1), most of them near 1, in whole thousandths."""
    return np.rint(1000 * random.beta(8, 1, shape)).astype(np.int64)


def untied(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return normal values, of which no two are equal."""
    return random.normal(size=shape)


def skewed(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return lognormal values, of which no two are equal."""
    return random.lognormal(size=shape)


def bimodal(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return values about 13 or about 26, as likely, each with deviation 1."""
    values: Array = random.choice([13.0, 26.0], shape) + random.normal(size=shape)
    return values


def outliers(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return lognormal latencies of which 5% are ten times as long."""
    return random.lognormal(0, 0.3, shape) * np.where(random.random(shape) < 0.05, 10, 1)


def five_levels(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return one of five levels, the lowest most often."""
    return random.choice(5, shape, p=[0.3, 0.25, 0.2, 0.15, 0.1]).astype(np.float64)


def half_at_cap(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return latencies of which half reach the cap."""
    return np.where(random.random(shape) < 0.5, CAP, random.random(shape))


def some_null(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return values of which 30% are missing (not a number)."""
    return np.where(random.random(shape) < 0.3, np.nan, random.normal(size=shape))


def autoregressive(
    random: np.random.Generator, shape: tuple[int, ...], *, strength: float
) -> Array:
    """Return series (data set, time): each value is `strength` of the one before, and noise."""
    steps: Array = random.normal(size=shape) * np.sqrt(1 - strength**2)
    steps[:, 0] = random.normal(size=shape[0])
    for time in range(1, shape[1]):
        steps[:, time] += strength * steps[:, time - 1]
    return steps
