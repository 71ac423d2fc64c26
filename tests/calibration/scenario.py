"""A scenario: data sets whose truth is known, a rule that judges them, and what it may do."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from tests.calibration.noise import Array

TEST_SETS, TEST_LIMIT = 20_000, 0.0562  # .05 and four standard errors
VERDICT_SETS, VERDICT_LIMIT = 4_000, 0.0638
ERRORS = 4  # standard errors within which a rate equals the expected one

SHOWN, SILENT = "difference shown", "none shown"
Draw = Callable[[np.random.Generator, int], Any]
Judge = Callable[[Any], Array]
Oracle = Callable[[], tuple[float, float]]
"""Gives the expected rate and its standard error."""


@dataclass(frozen=True)
class Scenario:
    """One row: `draw` makes data sets, `judge` gives one word for each.

    `counted` are the words whose rate is measured: false alarms, or finds where there is something
    to find. The rate must be at most `limit` and at least `least` (None: it is printed only), and
    within 4 standard errors of what is `expected` or what the `oracle` gives with its own error.
    """

    section: str
    what: str
    setting: str
    draw: Draw
    judge: Judge
    sets: int = TEST_SETS
    limit: float | None = TEST_LIMIT
    least: float | None = None
    expected: float | None = None
    oracle: Oracle | None = None
    counted: frozenset[str] = field(default=frozenset({SHOWN}))

    @property
    def name(self) -> str:
        """Return what tells it from all others."""
        return f"{self.section} · {self.what} · {self.setting}"


@dataclass(frozen=True)
class Measured:
    """How many of `sets` data sets got which word, and the rate that counts.

    `expected` is what the scenario or its oracle expects, and its standard error.
    """

    scenario: Scenario
    words: Mapping[str, int]
    expected: tuple[float, float] | None

    @property
    def sets(self) -> int:
        """Return the number of data sets."""
        return sum(self.words.values())

    @property
    def rate(self) -> float:
        """Return the share of data sets with a word that counts."""
        return sum(self.words.get(word, 0) for word in self.scenario.counted) / self.sets

    @property
    def holds(self) -> bool:
        """Return whether the scenario's criterion holds."""
        scenario = self.scenario
        within = scenario.limit is None or self.rate <= scenario.limit
        enough = scenario.least is None or self.rate >= scenario.least
        return within and enough and self._as_expected()

    def _as_expected(self) -> bool:
        if self.expected is None:
            return True
        expected, own = self.expected
        error = math.sqrt(expected * (1 - expected) / self.sets + own**2)
        return abs(self.rate - expected) <= ERRORS * error


def measured(scenario: Scenario, sets: int | None = None) -> Measured:
    """Run a scenario; the same data sets every time, seeded by its name alone."""
    seed = int.from_bytes(blake2b(scenario.name.encode(), digest_size=16).digest())
    data = scenario.draw(np.random.default_rng(seed), sets or scenario.sets)
    words, counts = np.unique(scenario.judge(data), return_counts=True)
    known = None if scenario.expected is None else (scenario.expected, 0.0)
    expected = scenario.oracle() if scenario.oracle else known
    return Measured(scenario, dict(zip(words.tolist(), counts.tolist(), strict=True)), expected)


def shown(p: Array) -> Array:
    """Return the words of a test that decides by p <= .05."""
    return np.where(p <= 0.05, SHOWN, SILENT)
