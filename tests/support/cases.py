"""Cases of which the first are tested always and the others with the slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def mostly_slow(cases: Iterable[object], at_once: int = 1) -> list[ParameterSet]:
    """Return the cases with all but the first `at_once` marked slow: each costs seconds."""
    return [
        pytest.param(case, marks=() if place < at_once else pytest.mark.slow)
        for place, case in enumerate(cases)
    ]
