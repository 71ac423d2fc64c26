"""Scenarios of rows in time: dependent rows that the guard must name, noise without a change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchdata.stats.changes import change_points
from benchdata.stats.independence import Independence, independence
from tests.calibration import batches, noise
from tests.calibration.noise import Array
from tests.calibration.scenario import SHOWN, SILENT, VERDICT_LIMIT, VERDICT_SETS, Scenario
from tests.calibration.single_tests import one_group

DEPENDENT = "Rows that follow their forerunner, one group after the other"
CHANGES = "Change points in noise"
GUARDED = "cannot tell: rows are not independent"

# (strength, rows a group): inside the claim or, as the guard has too few rows, only printed.
CLAIMED = ((0.5, 30), (0.5, 100), (0.9, 30), (0.9, 100))
PRINTED = ((0.3, 30), (0.5, 10), (0.9, 10))

# Fewer data sets where one costs a tenth of a second; the limit is wider in proportion.
FEW = 500
FEW_LIMIT = 0.05 + 4 * (0.05 * 0.95 / FEW) ** 0.5
SHAPES = {"normal": noise.untied, "lognormal": noise.skewed, "bimodal": noise.bimodal}


def by_guarded_ranks(values: Array) -> Array:
    """Judge the first half of each series against the second; the guard may speak in either.

    A guard has a part only where a difference would be shown, so it is asked only there.
    """
    half = values.shape[1] // 2
    ps = batches.mann_whitney(values, half)
    words = np.full(len(values), SILENT, dtype=object)
    for index in np.flatnonzero(ps <= 0.05):
        halves = (values[index, :half], values[index, half:])
        spoken = any(_speaks(one) for one in halves)
        words[index] = GUARDED if spoken else SHOWN
    return words.astype(str)


def _speaks(rows: Array) -> bool:
    found = independence(rows.tolist())
    return isinstance(found, Independence) and found.dependent


def by_change_points(values: Array) -> Array:
    """Judge series: does `change_points` find any?"""
    return np.array([SHOWN if change_points(row.tolist()) else SILENT for row in values])


def scenarios() -> Iterator[Scenario]:
    """Give every scenario of rows in time."""
    for strength, rows in (*CLAIMED, *PRINTED):
        claimed = (strength, rows) in CLAIMED
        sets, limit = (VERDICT_SETS, VERDICT_LIMIT) if rows < 100 else (FEW, FEW_LIMIT)
        yield Scenario(
            *(DEPENDENT, f"AR(1) {strength:g}", f"{rows} against {rows}"),
            partial(one_group, partial(noise.autoregressive, strength=strength), 2 * rows),
            by_guarded_ranks,
            sets,
            limit if claimed else None,
        )
    for n in (20, 60):
        for name, made in SHAPES.items():
            draw = partial(one_group, made, n)
            yield Scenario(CHANGES, name, f"{n} values", draw, by_change_points, FEW, FEW_LIMIT)
