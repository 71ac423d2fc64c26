"""All scenarios, in the order of the page."""

from __future__ import annotations

from tests.calibration import (
    coverage,
    families,
    margins,
    power,
    series,
    single_tests,
    whole_verdicts,
)
from tests.calibration.scenario import Scenario

PARTS = (single_tests, whole_verdicts, families, series, power, margins, coverage)


def scenarios() -> list[Scenario]:
    """Return every scenario; those of one section stand together."""
    every = [scenario for part in PARTS for scenario in part.scenarios()]
    order = list(dict.fromkeys(scenario.section for scenario in every))
    return sorted(every, key=lambda scenario: order.index(scenario.section))
