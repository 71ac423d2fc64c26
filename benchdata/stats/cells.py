"""Paired tasks: the repeats of two arms, task by task, and the means that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchdata.stats.rationals import Number, rational

Cell = Number | Sequence[Number] | None
"""One arm of one task: its mean, its scored repeats by repeat number, or None (or no repeat)."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task that both arms scored, as exact means (baseline, treatment).

    `means` are of all repeats and give the estimate; `even` are of as many repeats in both arms and
    give p. `set_aside` repeats are in `means` only.
    """

    means: tuple[Fraction, Fraction]
    even: tuple[Fraction, Fraction]
    set_aside: int


def paired(baseline: Sequence[Cell], treatment: Sequence[Cell]) -> tuple[list[Task], int]:
    """Return the tasks with a value in both arms, and the number without one.

    Position i of both is the same task. Per task the first min(r_A, r_B) scored repeats are even: a
    mean of one repeat against a mean of ten is not exchangeable with its mirror image.

    Raises:
        ValueError: Unequal numbers of tasks, or a value that is not finite.
    """
    pairs = repeats(baseline, treatment)
    return [_task(before, after) for before, after in pairs], len(baseline) - len(pairs)


def repeats(
    baseline: Sequence[Cell], treatment: Sequence[Cell]
) -> list[tuple[list[Fraction], list[Fraction]]]:
    """Return the scored repeats (baseline, treatment) of the tasks that have some in both arms.

    Raises:
        ValueError: As `paired`.
    """
    if len(baseline) != len(treatment):
        raise ValueError(f"{len(baseline)} tasks cannot be paired with {len(treatment)}")
    cells = ((_values(a), _values(b)) for a, b in zip(baseline, treatment, strict=True))
    return [(before, after) for before, after in cells if before and after]


def average(values: Sequence[Fraction]) -> Fraction:
    """Return the exact mean of at least one value."""
    return sum(values, Fraction(0)) / len(values)


def _task(before: Sequence[Fraction], after: Sequence[Fraction]) -> Task:
    even = min(len(before), len(after))
    return Task(
        (average(before), average(after)),
        (average(before[:even]), average(after[:even])),
        len(before) + len(after) - 2 * even,
    )


def _values(cell: Cell) -> list[Fraction]:
    if cell is None:
        return []
    if isinstance(cell, int | float | Fraction):
        return [rational(cell)]
    return [rational(value) for value in cell]
