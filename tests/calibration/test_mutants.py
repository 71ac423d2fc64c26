"""Every wrong rule breaks the criterion of its scenario; the right rule keeps it."""

from __future__ import annotations

import pytest

from tests.calibration.mutants import SETS, Mutant, mutants
from tests.calibration.scenario import measured


@pytest.mark.slow
@pytest.mark.parametrize("mutant", [*mutants()], ids=lambda mutant: mutant.name)
def test_a_wrong_rule_is_found_out(mutant: Mutant) -> None:
    assert not measured(mutant.mutated, SETS).holds
    assert measured(mutant.scenario, SETS).holds
