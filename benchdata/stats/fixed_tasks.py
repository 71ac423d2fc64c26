"""Two arms over fixed tasks: arm labels are permuted inside each task, never across tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchdata.stats.cells import Cell, average, repeats
from benchdata.stats.draws import DRAWN, BoolArray, against, numbers, p_of_draws
from benchdata.stats.exact import ENUMERATED, EXACT, Sums, joined, pack_chosen, slot_width
from benchdata.stats.rationals import Tested, scaled
from benchdata.stats.results import CannotTell

TABLE_BITS = 1 << 22  # the largest generating function: 512 KiB


@dataclass(frozen=True, slots=True)
class FixedTasks(Tested):
    """The mean over `n` fixed tasks of the difference of arm means, treatment - baseline."""

    exact_mean: Fraction
    n: int
    unpaired: int
    method: str

    @property
    def mean(self) -> float:
        """The double nearest to the exact mean, in the unit of the metric."""
        return float(self.exact_mean)


@dataclass(frozen=True, slots=True)
class _Labels:
    """The rows of one task, each with what it adds when it is labelled treatment (integers).

    `chosen` rows carry that label. What all rows add does not change, so the sum over the chosen
    orders the mean differences.
    """

    weights: tuple[int, ...]
    chosen: int

    @property
    def ways(self) -> int:
        return math.comb(len(self.weights), self.chosen)

    @property
    def sums(self) -> dict[int, int]:
        """Every choice, one by one."""
        found: dict[int, int] = {}
        for picked in combinations(self.weights, self.chosen):
            found[sum(picked)] = found.get(sum(picked), 0) + 1
        return found


def inside_tasks(baseline: Sequence[Cell], treatment: Sequence[Cell]) -> FixedTasks | CannotTell:
    """Test whether two arms differ over fixed tasks (t1, t2, t3), two-sided.

    Position i of both is the same task with its scored repeats; their numbers may differ. p is
    twice the smaller tail, at most 1, of the mean over tasks when the labels of the rows of each
    task are permuted: exact for values on a lattice and up to 65,536 arrangements, else 100,000
    draws with (b + 1) / (B + 1).
    Source: Pitman 1937, "Tested tests which may be applied to samples from any populations",
    with blocks: Edgington and Onghena 2007, "Randomization tests".

    Raises:
        ValueError: Unequal numbers of tasks, or a value that is not finite.
    """
    pairs = repeats(baseline, treatment)
    if not pairs:
        return CannotTell("no task has a value in both arms")
    # The mean difference of a task is (1/n + 1/m) times the sum of its treatment rows, less a
    # constant.
    scales = [Fraction(1, len(before)) + Fraction(1, len(after)) for before, after in pairs]
    rows = [
        [value * scale for value in (*after, *before)]
        for (before, after), scale in zip(pairs, scales, strict=True)
    ]
    integers, _ = scaled(value for task in rows for value in task)
    values = iter(integers)
    placed = [[next(values) for _ in task] for task in rows]
    observed = sum(sum(task[: len(after)]) for task, (_, after) in zip(placed, pairs, strict=True))
    labels = sorted(
        (tuple(sorted(task)), len(after)) for task, (_, after) in zip(placed, pairs, strict=True)
    )
    p, method = _tails([_Labels(*task) for task in labels], observed)
    mean = average([average(after) - average(before) for before, after in pairs])
    return FixedTasks(p, mean, len(pairs), len(baseline) - len(pairs), method)


def _tails(tasks: Sequence[_Labels], observed: int) -> tuple[Fraction, str]:
    """Return twice the smaller tail and the method."""
    total = math.prod(task.ways for task in tasks)
    table = _table(tasks, total)
    if table is not None:
        tail = min(table.at_most(observed), table.at_least(observed))
    elif total <= ENUMERATED:
        ways = reduce(joined, (task.sums for task in tasks))
        lower = sum(count for value, count in ways.items() if value <= observed)
        tail = min(lower, total - lower + ways[observed])
    else:
        return _drawn(tasks, observed), DRAWN
    return min(Fraction(1), Fraction(2 * tail, total)), EXACT


def _table(tasks: Sequence[_Labels], total: int) -> Sums | None:
    """Return the sums of all arrangements, None when the values lie on no common lattice."""
    least = [task.weights[0] for task in tasks]
    gaps = [value - low for task, low in zip(tasks, least, strict=True) for value in task.weights]
    step, width = math.gcd(*gaps) or 1, slot_width(total)
    if sum(gaps) // step * width > TABLE_BITS:
        return None
    packed = 1
    for task, low in zip(tasks, least, strict=True):
        shifted = [(value - low) // step for value in task.weights]
        packed *= pack_chosen(shifted, task.chosen, width)
    start = sum(task.chosen * low for task, low in zip(tasks, least, strict=True))
    return Sums(packed, width, total, start, step)


def _drawn(tasks: Sequence[_Labels], observed: int) -> Fraction:
    weights = [value for task in tasks for value in task.weights]
    whole = sum(map(abs, weights))
    shares = np.array([value / whole for value in weights])
    excess = _excess(weights, observed)
    lower = upper = 0
    rows = len(weights)
    for block in numbers("inside tasks", [(task.weights, task.chosen) for task in tasks], rows):
        signs = against(_patterns(tasks, block), shares, observed / whole, excess)
        lower += int(np.count_nonzero(signs <= 0))
        upper += int(np.count_nonzero(signs >= 0))
    return min(Fraction(1), 2 * p_of_draws(min(lower, upper)))


def _excess(weights: Sequence[int], observed: int) -> Callable[[BoolArray], int]:
    def excess(pattern: BoolArray) -> int:
        return sum(weights[row] for row in np.flatnonzero(pattern).tolist()) - observed

    return excess


def _patterns(tasks: Sequence[_Labels], block: NDArray[np.uint64]) -> BoolArray:
    """Return which rows are labelled treatment: those with the smallest random numbers."""
    patterns = np.zeros(block.shape, dtype=np.bool_)
    first = 0
    for task in tasks:
        last = first + len(task.weights)
        picked = np.argsort(block[:, first:last], axis=1)[:, : task.chosen] + first
        np.put_along_axis(patterns, picked, True, axis=1)
        first = last
    return patterns
