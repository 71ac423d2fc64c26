"""Random permutations that depend on a group's own values and the purpose, and on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

DRAWS = 100_000
DRAWN = f"{DRAWS:,} draws"

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

# Two sums in doubles that differ by less, as a share of the sum of all, are compared as integers.
NEAR = 1e-9

BLOCK = 1 << 20  # random numbers that are held at a time


def numbers(
    purpose: str, values: object, width: int, draws: int = DRAWS
) -> Iterator[NDArray[np.uint64]]:
    """Yield random 64-bit numbers as blocks (some draws, width) of `draws` rows in all.

    They are Philox's raw output, the same on every machine and version, keyed by the BLAKE2b digest
    of the purpose and of the `repr` of `values`. These are integers, strings or nested sequences of
    them; the caller sorts, so that the order of rows has no part.
    Source: Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
    """
    digest = blake2b(f"{purpose}\n{values!r}".encode(), digest_size=16).digest()
    stream = np.random.Philox(key=int.from_bytes(digest, "little"))
    step = max(1, BLOCK // width)
    for done in range(0, draws, step):
        rows = min(step, draws - done)
        yield stream.random_raw(rows * width).reshape(rows, width)


def p_of_draws(as_extreme: int, draws: int = DRAWS) -> Fraction:
    """Return (b + 1) / (B + 1): the observed arrangement is one of those that are counted.

    Source: Phipson and Smyth 2010, "Permutation p-values should never be zero".
    """
    return Fraction(as_extreme + 1, draws + 1)


def against(
    patterns: BoolArray,
    weights: FloatArray,
    bound: float,
    excess: Callable[[BoolArray], int],
) -> NDArray[np.int8]:
    """Return -1, 0 or 1 for each pattern: is the sum of what it picks below, at or above `bound`?

    `patterns` has shape (draws, n), `weights` (n,). Sums too near the bound for doubles are decided
    by `excess`, which is given the one pattern and answers from integers by how much it is above.
    """
    gaps = patterns.astype(np.float64) @ weights - bound
    signs = np.sign(gaps).astype(np.int8)
    for row in np.flatnonzero(np.abs(gaps) <= NEAR * float(np.abs(weights).sum())):
        above = excess(patterns[row])
        signs[row] = (above > 0) - (above < 0)
    return signs
