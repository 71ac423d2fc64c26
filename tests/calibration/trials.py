"""Trials of two or more arms in tasks: pass rates, repeats, losses, and how they are coded.

A cell (one arm of one task) is a code: `cell(code)` are its scored trials in order of repeat. Codes
make data sets arrays, and cells that are alike are looked at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.calibration.noise import Array

LOST = 2  # the digit of a repeat without a score; 0 failed, 1 passed
DIGITS = 3


@dataclass(frozen=True)
class Rates:
    """The true pass rates of tasks: one rate, or (None) Beta(.5, .5): easy and hopeless tasks.

    A `shift` moves the rate of every arm but the first. `effect` is a task's own move of the second
    arm, up in half of the tasks and down in the others; `flipped` turns the rate round (0 is 1) in
    that share of cells.
    """

    rate: float | None
    shift: float = 0.0
    effect: float = 0.0
    flipped: float = 0.0

    def drawn(self, random: np.random.Generator, shape: tuple[int, ...]) -> Array:
        """Return rates of shape (data sets, arms, tasks)."""
        sets, arms, tasks = shape
        base = random.beta(0.5, 0.5, (sets, 1, tasks)) if self.rate is None else self.rate
        rates: Array = np.broadcast_to(np.asarray(base), shape).copy()
        rates[:, 1:] += self.shift
        if self.effect:
            rates[:, 1:] += self.effect * random.choice([-1, 1], (sets, arms - 1, tasks))
        if self.flipped:
            turned = random.random(shape) < self.flipped
            rates = np.where(turned, 1 - rates, rates)
        return np.clip(rates, 0.0, 1.0)


@dataclass(frozen=True)
class Arms:
    """Data sets of cells, codes of shape (data sets, arms, tasks), and the trials of a code."""

    codes: Array
    cell: Callable[[int], list[int]]

    def cells(self, data_set: int) -> list[list[list[int]]]:
        """Return the scored trials of one data set: arms, tasks, trials."""
        return [[self.cell(int(code)) for code in arm] for arm in self.codes[data_set]]


@dataclass(frozen=True)
class Plan:
    """What was planned and what went wrong: tasks, repeats of each arm, losses of trials.

    `lost` is the chance that a trial is lost whatever its result, `lost_failures` that a failing
    trial of the last arm is.
    """

    rates: Rates
    tasks: int
    repeats: tuple[int, ...]
    lost: float = 0.0
    lost_failures: float = 0.0

    def draw(self, random: np.random.Generator, sets: int) -> Arms:
        """Return `sets` data sets."""
        shape = (sets, len(self.repeats), self.tasks)
        rates = self.rates.drawn(random, shape)
        alike = len({*self.repeats}) == 1 and not (self.lost or self.lost_failures)
        return self._counts(random, rates) if alike else self._digits(random, rates)

    def _counts(self, random: np.random.Generator, rates: Array) -> Arms:
        """Return passes only: with even repeats the order of trials has no part."""
        repeats = self.repeats[0]
        passes = random.binomial(repeats, rates)
        return Arms(passes, lambda count: [1] * count + [0] * (repeats - count))

    def _digits(self, random: np.random.Generator, rates: Array) -> Arms:
        most = max(self.repeats)
        trials = (random.random((*rates.shape, most)) < rates[..., np.newaxis]).astype(np.int64)
        gone = random.random(trials.shape) < self.lost
        failed = (trials[:, -1] == 0) & (random.random(trials[:, -1].shape) < self.lost_failures)
        gone[:, -1] |= failed
        gone |= np.arange(most) >= np.array(self.repeats)[:, np.newaxis, np.newaxis]
        digits = np.where(gone, LOST, trials)
        return Arms((digits * DIGITS ** np.arange(most)).sum(axis=-1), _of_digits(most))


def _of_digits(most: int) -> Callable[[int], list[int]]:
    def cell(code: int) -> list[int]:
        digits = [code // DIGITS**place % DIGITS for place in range(most)]
        return [digit for digit in digits if digit != LOST]

    return cell
