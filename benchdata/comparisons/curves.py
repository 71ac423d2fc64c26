"""How often the design of a finding finds effects of every size, at the spread it has seen."""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy.special import ndtr, ndtri

from benchdata.comparisons import details
from benchdata.comparisons.amounts import MANN_WHITNEY
from benchdata.comparisons.findings import Finding
from benchdata.stats.detectable import (
    POWER,
    detectable_mean,
    detectable_shift,
    mean_power,
    shift_power,
)
from benchdata.stats.results import ALPHA, CannotTell

STEPS = 24
WIDEST = 2.0  # times the effect that is found 8 times in 10


def power_curve(finding: Finding) -> tuple[tuple[float, float], ...] | CannotTell:
    """Return pairs of an effect and how often it is found, 0 to 1, up to twice the detectable one.

    Effects are differences in the unit of the metric or ratios from 1, as `details.detectable`
    gives them; the chance is that of the same test, for the first step of the table's family.
    """
    reach = details.detectable(finding)
    if isinstance(reach, CannotTell):
        return reach
    power, found = _power(finding)
    if isinstance(found, CannotTell):
        return found
    shares = [WIDEST * step / STEPS for step in range(STEPS + 1)]
    ratio = finding.result.scale == "ratio"
    return tuple(
        (math.exp(share * math.log(reach)) if ratio else share * reach, power(share * found))
        for share in shares
    )


def _power(finding: Finding) -> tuple[Callable[[float], float], float | CannotTell]:
    """Return the power of the test by standardized effect, and the one found 8 times in 10."""
    comparisons = max(finding.placed.size, 1) * finding.looks
    result = finding.result
    n, m = result.n
    if result.shape == "paired tasks":
        return lambda size: mean_power(size, n, comparisons), detectable_mean(n, comparisons)
    if result.test == MANN_WHITNEY and result.shape == "one task":
        return lambda size: shift_power(size, n, m, comparisons), detectable_shift(
            n, m, comparisons
        )
    critical = float(ndtri(1 - ALPHA / 2 / comparisons))
    return lambda size: float(ndtr(size - critical)), critical + float(ndtri(POWER))
