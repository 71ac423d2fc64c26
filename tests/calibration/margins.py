"""Scenarios of a true loss of exactly M: how often it is called `within M` or no worse than M."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchdata.stats.intervals import lift_t
from benchdata.stats.results import Interval
from tests.calibration import batches
from tests.calibration.noise import Array
from tests.calibration.scenario import Scenario
from tests.calibration.trials import Arms, Plan, Rates

MARGIN = "True loss of exactly M = .05"
M = 0.05
LIMIT = 0.03

WITHIN, NO_WORSE, NEITHER = "within M", "no worse than M", "neither"


def by_interval(arms: Arms) -> Array:
    """Judge by the interval of the lift: inside (-M, M), above -M, or neither.

    p has no part: where it moves an end it moves it to 0, which changes neither answer.
    """
    found = batches.moves(arms)
    kinds, inverse = np.unique(np.sort(found.every, axis=1), axis=0, return_inverse=True)
    words = np.array([_word((kind / found.scale).tolist()) for kind in kinds])
    return words[inverse.ravel()]


def _word(differences: list[float]) -> str:
    found = lift_t(differences)
    assert isinstance(found, Interval)
    assert found.low is not None
    assert found.high is not None
    if found.low <= -M:
        return NEITHER
    return WITHIN if found.high < M else NO_WORSE


def scenarios() -> Iterator[Scenario]:
    """Give every scenario of a loss of M; R 1 and rate .95 are outside the claim, so printed."""
    for rate in (0.8, 0.5, 0.95):
        for repeats in (3, 1):
            for tasks in (20, 50, 100):
                claimed = rate < 0.95 and repeats > 1
                yield Scenario(
                    *(MARGIN, f"rate {rate:g}", f"T = {tasks}, R = {repeats}"),
                    Plan(Rates(rate, shift=-M), tasks, (repeats, repeats)).draw,
                    by_interval,
                    limit=LIMIT if claimed else None,
                    counted=frozenset({WITHIN, NO_WORSE}),
                )
