"""The shipped tests on many data sets at once: data sets that must have one p are tested once.

Each function returns an array of p, one a data set. What makes p equal is stated beside it; p
itself always comes from `benchdata.stats`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from benchdata.stats import cells, ranks, sign_flips, tables
from benchdata.stats.results import CannotTell
from tests.calibration.noise import Array
from tests.calibration.trials import Arms


def sign_flip(differences: Array) -> Array:
    """Test whole differences, shape (data sets, tasks): p needs their sum and their sizes."""
    known = np.column_stack([np.abs(differences.sum(axis=1)), np.sort(np.abs(differences), axis=1)])
    return _once(known, lambda first: map(float, sign_flips.sign_flips([*differences[first]])))


class Moves(NamedTuple):
    """Task differences, times `scale` whole numbers, shape (data sets, tasks), by `cells.paired`.

    `every` is over all repeats, `even` over as many in both arms. A task with an empty cell differs
    by 0, as a sign-flip test sees it.
    """

    every: Array
    even: Array
    scale: int


def moves(arms: Arms, pair: tuple[int, int] = (0, 1)) -> Moves:
    """Return the task differences of two arms."""
    before, after = (arms.codes[:, arm] for arm in pair)
    both = np.stack([before.ravel(), after.ravel()], axis=1)
    kinds, inverse = np.unique(both, axis=0, return_inverse=True)
    found = [cells.paired([arms.cell(a)], [arms.cell(b)])[0] for a, b in kinds.tolist()]
    differences = [
        [task[0].means[1] - task[0].means[0], task[0].even[1] - task[0].even[0]]
        if task
        else [Fraction(0), Fraction(0)]
        for task in found
    ]
    scale = math.lcm(*(move.denominator for each in differences for move in each))
    whole = np.array([[int(move * scale) for move in each] for each in differences])
    every, even = (whole[inverse.ravel(), side].reshape(before.shape) for side in (0, 1))
    return Moves(every, even, scale)


def mann_whitney(values: Array, n: int) -> Array:
    """Test the first n values of each data set against the rest; not a number is no value.

    p needs the midranks and their sum in the first group.
    """
    missing = np.isnan(values)
    doubled = np.rint(2 * rankdata(np.where(missing, np.inf, values), axis=1)).astype(np.int64)
    known = np.column_stack([doubled[:, :n].sum(axis=1), np.sort(doubled, axis=1)])

    def p(data_set: int) -> float:
        places = zip(doubled[data_set].tolist(), missing[data_set].tolist(), strict=True)
        row = [None if gone else rank for rank, gone in places]
        found = ranks.mann_whitney(row[:n], row[n:])
        assert not isinstance(found, CannotTell)
        return found.p

    return _once(known, lambda first: map(p, first.tolist()))


def fisher(passes: Array, sizes: tuple[int, int]) -> Array:
    """Test passes (data sets, 2) of two groups of these sizes."""

    def p(data_set: int) -> float:
        a, b = passes[data_set].tolist()
        found = tables.fisher(a, sizes[0], b, sizes[1])
        assert not isinstance(found, CannotTell)
        return found.p

    return _once(passes, lambda first: map(p, first.tolist()))


def _once(known: Array, ps: Callable[[Array], map[float]]) -> Array:
    """Return p for every row of `known`, of which equal ones are tested once: the first of them."""
    _, first, inverse = np.unique(known, axis=0, return_index=True, return_inverse=True)
    return np.array([*ps(first)])[inverse.ravel()]
