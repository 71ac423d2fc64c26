"""Samples: checked one-dimensional arrays, and their mean and variance with compensated sums."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]

# Squares of larger values, and sums of those, leave double precision.
LARGEST = 1e100

# Means that are equal in exact arithmetic differ by some units in the last place.
SAME = 1e-12


def sample(values: ArrayLike) -> FloatArray:
    """Return `values` as an array of doubles, shape (n,), n >= 0.

    Raises:
        ValueError: Not one-dimensional, or a value is not finite or beyond 1e100 either way. Nulls
            are the caller's: it ranks, drops or counts them before.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"a sample has one dimension, not {array.ndim}")
    if not (np.abs(array) <= LARGEST).all():
        raise ValueError(f"a value of a sample is not a finite number of at most {LARGEST:g}")
    return array


def mean(values: FloatArray) -> float:
    """Return the mean of at least one value, the same in any order: the sum is exact until the end.

    Source: Shewchuk 1997, "Adaptive precision floating-point arithmetic" (`math.fsum`).
    """
    return math.fsum(values) / len(values)


def variance(values: FloatArray) -> float:
    """Return the variance (n - 1) of at least two values, by two passes with exact sums.

    The textbook form (one pass over squares) loses every digit on NIST's NumAcc4.
    """
    centre = mean(values)
    return math.fsum((values - centre) ** 2) / (len(values) - 1)


def is_constant(values: FloatArray, scale: float | None = None) -> bool:
    """Return whether all values are equal but for rounding, measured on `scale` or their own size.

    An empty sample is constant.
    """
    if not len(values):
        return True
    size = float(np.abs(values).max()) if scale is None else scale
    return float(np.ptp(values)) <= SAME * size
